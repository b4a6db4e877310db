import { useState } from 'preact/hooks'
import { DismissButton } from '../parts/notices.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'
import type { JsonRecord, RecordKind } from './record-kind.js'
import type { Records } from './use-records.js'

/** A removed record that can be added again. */
interface Removal {
  readonly client: PageClient
  readonly generation: number | undefined
  readonly name: string
  readonly json: string
}

/** Removes records, and adds the last removed one again. */
export function useRemovals<T extends JsonRecord>(
  { toName }: Pick<RecordKind<T>, 'toName'>,
  records: Pick<Records<T>, 'add' | 'remove'>,
) {
  const { client, overview, notify } = useSession()
  const [all, setRemovals] = useState<readonly Removal[]>([])
  const generation = overview?.generation
  // A restart of the world makes the others meaningless.
  const removals = all.filter(
    (removal) => removal.client === client && removal.generation === generation,
  )
  const last = removals.at(-1)
  return {
    removals,
    async remove(row: T) {
      const problem = await records.remove(row, (removed) => {
        const removal = { client, generation, name: toName(row), json: JSON.stringify(removed) }
        setRemovals((before) => [...before, removal])
      })
      if (problem !== undefined) notify(problem, 'error')
    },
    async undo() {
      if (!last) return
      const problem = await records.add(last.json, 'Restored', ' The service lists it last.')
      if (problem === undefined) setRemovals((before) => before.filter((other) => other !== last))
      else notify(problem, 'error')
    },
    dismiss: () => setRemovals([]),
  }
}

/** The last removals, until the user dismisses them. */
export function UndoBar(
  props: Pick<ReturnType<typeof useRemovals>, 'removals' | 'undo' | 'dismiss'>,
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
