import { useMemo } from 'preact/hooks'
import type { JournalEntry } from '../../console/client/control-types.js'
import { toFailure } from '../../console/client/failure.js'
import { JournalPanel } from '../../console/journal/journal-panel.js'
import { type TestStart, toTest } from '../../console/journal/to-test.js'
import { copyText } from '../../console/parts/copy-button.js'
import { useSession } from '../../console/session/session.js'
import { operationIds } from '../../operations/operations.js'

/** The journal of the world. Each entry can be copied as a test. */
export function JournalView(props: { findStart: (entry: JournalEntry) => Promise<TestStart> }) {
  const { findStart } = props
  const parts = useMemo(
    () => ({
      renderActions: (entry: JournalEntry) => <TestButton entry={entry} findStart={findStart} />,
    }),
    [findStart],
  )
  return <JournalPanel operationIds={operationIds} parts={parts} />
}

function TestButton(props: {
  entry: JournalEntry
  findStart: (entry: JournalEntry) => Promise<TestStart>
}) {
  const { entry, findStart } = props
  const { access, notify } = useSession()
  const copy = async () => {
    try {
      await copyText(toTest(entry, await findStart(entry), access.apiKey))
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
