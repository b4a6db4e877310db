import { useState } from 'preact/hooks'
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

export type Start = ReturnType<typeof useStart>

/** Returns functions that start the world of the session. Each start can be undone. */
export function useStart() {
  const { act, client, overview } = useSession()
  const [kept, setKept] = useState<Undo>()
  const scenario = overview?.scenario ?? ''
  const before = kept?.client === client ? kept : undefined
  /** Sends a request that starts the world. Returns whether it succeeded. */
  const start = (done: string, send: () => Promise<unknown>) =>
    act(done, async () => {
      // Without a snapshot, the start cannot be undone, but it need not fail.
      const json = await takeSnapshot(client).catch(() => undefined)
      await send()
      setKept(json === undefined ? undefined : { client, scenario, json })
    })
  return {
    start,
    reset: () => start(`Reset to the start of ${scenario}.`, () => client.send('resetWorld')),
    /** The state before the latest start; undefined if there is nothing to undo. */
    before,
    undo: ({ json, scenario: former }: Undo) =>
      start(`The state of ${former} is back.`, () => client.send('putScenario', { json })),
    /** Forgets the state before the latest start. */
    dismiss: () => setKept(undefined),
  }
}

/** Returns a snapshot; undefined if a start from it would lose something. */
async function takeSnapshot(client: PageClient): Promise<string | undefined> {
  const { text } = await client.request('getSnapshot', { query: { name: 'restored' } })
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
export function UndoBar({ start: { before, undo, dismiss } }: { start: Start }) {
  return (
    <div class="undo" role="status">
      {before && (
        <p>
          <span class="grow">
            The previous state (<b>{before.scenario}</b>) is kept in this tab, without its journal.
          </span>
          <button type="button" onClick={() => void undo(before)}>
            Undo
          </button>
          <DismissButton label="Dismiss the previous state" onClick={dismiss} />
        </p>
      )}
    </div>
  )
}
