import { useDraft } from '../parts/drafts.js'
import { DismissButton } from '../parts/notices.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'

/** The state of a world before it started from another scenario. */
interface Undo {
  readonly client: PageClient
  /** Name of the scenario that was active. */
  readonly scenario: string
  /** The snapshot as JSON. */
  readonly json: string
}

/** Starts the world from scenarios. Each start can be undone. */
export interface Start {
  /** Starts from scenarios by name, merged from left to right. */
  startNames(names: readonly string[]): Promise<boolean>
  /**
   * Starts from a document. Returns whether it succeeded.
   *
   * @param done The notice after a success.
   * @param toError Converts a failure for the notice of the page.
   */
  startJson(json: string, done: string, toError?: (error: unknown) => unknown): Promise<boolean>
  reset(): Promise<boolean>
  /** The state before the latest start; undefined if there is nothing to undo. */
  readonly before: Undo | undefined
  /** Forgets the state before the latest start. */
  dismiss(): void
}

/** Returns functions that start the world of the session. */
export function useStart(): Start {
  const { act, client, overview } = useSession()
  const [before, setBefore] = useDraft<Undo | undefined>('undo', () => undefined)
  const scenario = overview?.scenario ?? ''
  const start = (done: string, send: () => Promise<unknown>, toError = (error: unknown) => error) =>
    act(done, async () => {
      // Without a snapshot, the start cannot be undone, but it need not fail.
      const json = await takeSnapshot(client, scenario).catch(() => undefined)
      await send().catch((error: unknown) => {
        throw toError(error)
      })
      setBefore(() => (json === undefined ? undefined : { client, scenario, json }))
    })
  return {
    startNames: (names) =>
      start(`Started ${names.join(' + ')}.`, () => client.send('putScenario', { body: names })),
    startJson: (json, done, toError) =>
      start(done, () => client.send('putScenario', { json }), toError),
    reset: () => start(`Reset to the start of ${scenario}.`, () => client.send('resetWorld')),
    before: before?.client === client ? before : undefined,
    dismiss: () => setBefore(() => undefined),
  }
}

/**
 * Returns a snapshot whose name says that it is one: `default-restored`. Undefined if a start from it
 * would lose something.
 */
async function takeSnapshot(client: PageClient, scenario: string): Promise<string | undefined> {
  const base = scenario
    .replaceAll('+', '-')
    .replace(/-restored$/, '')
    .slice(0, 50)
  const { text } = await client.request('getSnapshot', {
    query: { name: `${base.replace(/-+$/, '') || 'snapshot'}-restored` },
  })
  return isMasked(text) ? undefined : text
}

/**
 * Whether a snapshot has placeholders. A sandbox with a key secret replaces the keys of others, and
 * the messages of a shared world.
 */
export function isMasked(json: string): boolean {
  return /"key":"masked-|"message":"…"/.test(json)
}

/** Offers to return to the state before the latest start. */
export function UndoBar({ start: { before, startJson, dismiss } }: { start: Start }) {
  return (
    <div class="undo" role="status">
      {before && (
        <p>
          <span class="grow">
            The previous state (<b>{before.scenario}</b>) is kept in this tab, without its journal.
          </span>
          <button
            type="button"
            onClick={() => void startJson(before.json, `The state of ${before.scenario} is back.`)}
          >
            Undo
          </button>
          <DismissButton label="Dismiss the previous state" onClick={dismiss} />
        </p>
      )}
    </div>
  )
}
