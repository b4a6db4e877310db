import { useState } from 'preact/hooks'
import { DismissButton } from '../parts/notices.js'
import type { PageClient } from '../session/client.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import type { JsonRecord, RecordKind } from './record-kind.js'
import type { RecordList } from './use-records.js'

/** A removed record that can be added again. */
interface Removal {
  readonly client: PageClient
  readonly generation: number | undefined
  readonly name: string
  readonly json: string
}

export type RecordActions<T extends JsonRecord> = ReturnType<typeof useRecordActions<T>>

/** Returns the actions on the records of a kind. */
export function useRecordActions<T extends JsonRecord>(
  { toId, toName, ...kind }: RecordKind<T>,
  { apply }: RecordList<T>,
) {
  const { client, overview, notify, refresh } = useSession()
  const [all, setRemovals] = useState<readonly Removal[]>([])
  const generation = overview?.generation
  // A restart of the world makes the others meaningless.
  const removals = all.filter(
    (removal) => removal.client === client && removal.generation === generation,
  )
  /** Sends a request. Returns the reason of a failure. */
  const send = async (request: () => Promise<void>): Promise<string | undefined> => {
    try {
      await request()
      return undefined
    } catch (error) {
      return toFailure(error).message
    } finally {
      void refresh()
    }
  }
  const add = (json: string, done = 'Added', note = '') =>
    send(async () => {
      const row = await kind.add(client, json)
      apply((rows) => [...rows, row])
      notify(`${done} ${toName(row)}.${note}`)
    })
  return {
    add,
    change: (row: T, json: string) =>
      send(async () => {
        const changed = await kind.change(client, toId(row), json)
        apply((rows) => rows.map((other) => (toId(other) === toId(row) ? changed : other)))
        notify(`Changed ${toName(changed)}.`)
      }),
    async remove(row: T) {
      const problem = await send(async () => {
        const json = JSON.stringify(await kind.remove(client, toId(row)))
        apply((rows) => rows.filter((other) => toId(other) !== toId(row)))
        setRemovals((before) => [...before, { client, generation, name: toName(row), json }])
      })
      if (problem !== undefined) notify(problem, 'error')
    },
    removals,
    /** Adds the last removed record again. */
    async undo() {
      const last = removals.at(-1)
      const problem = last && (await add(last.json, 'Restored', ' The service lists it last.'))
      if (problem === undefined) setRemovals((before) => before.filter((other) => other !== last))
      else notify(problem, 'error')
    },
    dismiss: () => setRemovals([]),
  }
}

/** The last removals, until the user dismisses them. */
export function UndoBar<T extends JsonRecord>(
  props: Pick<RecordActions<T>, 'removals' | 'undo' | 'dismiss'>,
) {
  const { removals, undo, dismiss } = props
  const last = removals.at(-1)
  return (
    <div class="removals" role="status">
      {last && (
        <>
          <span class="grow">
            Removed {last.name}
            {removals.length > 1 && ` and ${removals.length - 1} before`}.
          </span>
          <button type="button" onClick={() => void undo()}>
            Undo: {last.name}
          </button>
          <DismissButton label="Dismiss" onClick={dismiss} />
        </>
      )}
    </div>
  )
}
