import { useMemo } from 'preact/hooks'
import { operationIds } from '../../../service/operations/operations.js'
import type { JournalEntry } from '../../control-types.js'
import { JournalPanel } from '../../journal/journal-panel.js'
import type { RecordedWorld } from '../../journal/starts.js'
import { copyText } from '../../parts/copy-button.js'
import { toFailure } from '../../session/failure.js'
import { useSession } from '../../session/session.js'

/** Loads what only a copy needs. */
export type LoadCreateTest = () => Promise<typeof import('../../journal/create-test.js')>

interface TestSource {
  readonly readWorld: () => RecordedWorld
  readonly loadCreateTest: LoadCreateTest
}

/** The journal of the world. Each entry can be copied as a test. */
export function JournalView(source: TestSource) {
  const { readWorld, loadCreateTest } = source
  const parts = useMemo(
    () => ({
      renderActions: (entry: JournalEntry) => (
        <TestButton entry={entry} readWorld={readWorld} loadCreateTest={loadCreateTest} />
      ),
    }),
    [readWorld, loadCreateTest],
  )
  return <JournalPanel operationIds={operationIds} parts={parts} />
}

function TestButton(props: TestSource & { entry: JournalEntry }) {
  const { entry, readWorld, loadCreateTest } = props
  const { access, notify } = useSession()
  const copy = async () => {
    try {
      const { createTest } = await loadCreateTest()
      await copyText(await createTest(entry, readWorld(), access.apiKey))
      notify('Copied a test for vitest.')
    } catch (error) {
      notify(`The test was not copied: ${toFailure(error).message}.`, 'error')
    }
  }
  return (
    <div class="actions">
      <button type="button" onClick={() => void copy()}>
        Copy as test
      </button>
    </div>
  )
}
