import type { JournalEntry } from '../control-types.js'
import { useCopy } from '../parts/copy-button.js'
import { useSession } from '../session/session.js'
import { useTabState } from '../session/tab-storage.js'

/** Creates a text and copies it. */
export function CopyAction(props: {
  label: string
  /** What is copied, for messages: `a curl command`. */
  what: string
  create: () => string | Promise<string>
}) {
  const { label, what, create } = props
  const copy = useCopy()
  return (
    <button type="button" onClick={() => void copy(what, create)}>
      {label}
    </button>
  )
}

/** The test runners for which a request can be copied. */
export const runners = ['vitest', 'Playwright', 'node:test'] as const

export type Runner = (typeof runners)[number]

/** Loads what only a copied test needs. */
export type LoadCreateTest = () => Promise<typeof import('./create-test.js')>

const initial: { readonly runner: Runner } = { runner: 'vitest' }

/** Copies a test that repeats a request, for the test runner that the tab has chosen last. */
export function CopyTest({ entry, load }: { entry: JournalEntry; load: LoadCreateTest }) {
  const session = useSession()
  const [{ runner }, setRunner] = useTabState('petstore-sandbox.runner', initial)
  return (
    <>
      <CopyAction
        label="Copy as test"
        what={`a test for ${runner}`}
        create={async () => (await load()).createTest(entry, session, runner)}
      />
      <select
        aria-label="Test runner of the copy"
        value={runner}
        onChange={({ currentTarget: { value } }) => setRunner({ runner: value as Runner })} // an option
      >
        {runners.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </>
  )
}
