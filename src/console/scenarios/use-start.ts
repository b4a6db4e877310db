import { useDraft } from '../parts/drafts.js'
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
  /** Scenario that was active before the latest start; undefined if there is nothing to undo. */
  readonly before: string | undefined
  /** Returns to the state before the latest start. A second undo reverts the first one. */
  undo(): Promise<boolean>
  /** Forgets the state before the latest start. */
  dismiss(): void
}

/** Returns functions that start the world of the session. */
export function useStart(): Start {
  const { act, client, overview } = useSession()
  const [undo, setUndo] = useDraft<Undo | undefined>('undo', () => undefined)
  const scenario = overview?.scenario ?? ''
  const start = (
    done: string,
    send: () => Promise<unknown>,
    toError = (error: unknown) => error,
  ): Promise<boolean> =>
    act(done, async () => {
      // Without a snapshot, the start cannot be undone, but it need not fail.
      const json = await takeSnapshot(client, scenario).catch(() => undefined)
      await send().catch((error: unknown) => {
        throw toError(error)
      })
      setUndo(() => (json === undefined ? undefined : { client, scenario, json }))
    })
  const startJson: Start['startJson'] = (json, done, toError) =>
    start(done, () => client.send('putScenario', { json }), toError)
  const current = undo?.client === client ? undo : undefined
  return {
    startNames: (names) =>
      start(`Started ${names.join(' + ')}.`, () => client.send('putScenario', { body: names })),
    startJson,
    reset: () => start(`Reset to the start of ${scenario}.`, () => client.send('resetWorld')),
    before: current?.scenario,
    undo: async () =>
      current !== undefined && startJson(current.json, `The state of ${current.scenario} is back.`),
    dismiss: () => setUndo(() => undefined),
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
