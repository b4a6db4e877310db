import { useMemo } from 'preact/hooks'
import { operationIds } from '../../../service/operations/operations.js'
import type { JournalEntry } from '../../control-types.js'
import { JournalPanel } from '../../journal/journal-panel.js'
import type { RecordedWorld } from '../../journal/starts.js'
import { copyText } from '../../parts/copy-button.js'
import { toFailure } from '../../session/failure.js'
import { useSession } from '../../session/session.js'

/** The journal of the world. Each entry can be copied as a test. */
export function JournalView(props: { readWorld: () => RecordedWorld }) {
  const { readWorld } = props
  const parts = useMemo(
    () => ({
      renderActions: (entry: JournalEntry) => <TestButton entry={entry} readWorld={readWorld} />,
    }),
    [readWorld],
  )
  return <JournalPanel operationIds={operationIds} parts={parts} />
}

function TestButton(props: { entry: JournalEntry; readWorld: () => RecordedWorld }) {
  const { entry, readWorld } = props
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

/**
 * Loads what only a copy needs.
 *
 * @throws {Error} If the page cannot load it.
 */
function loadCreateTest(): Promise<typeof import('../../journal/create-test.js')> {
  return import('../../journal/create-test.js').catch(() => {
    throw new Error('a module of the panel could not be loaded; reload the page')
  })
}
