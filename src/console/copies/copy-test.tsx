import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../control-types.js'
import { copyText } from '../parts/copy-button.js'
import { toFailure } from '../session/failure.js'
import { useSession } from '../session/session.js'
import { readTab, writeTab } from '../session/tab-storage.js'

/** Creates a text and copies it. Shows the text if the browser blocks the clipboard. */
export function CopyAction(props: {
  label: string
  /** What is copied, for messages: `a curl command`. */
  what: string
  create: () => string | Promise<string>
}) {
  const { label, what, create } = props
  const { notify } = useSession()
  const [shown, setShown] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => field.current?.select(), [shown])
  const copy = async () => {
    try {
      const text = await create()
      copyText(text).then(
        () => notify(`Copied ${what}.`),
        () => setShown(text),
      )
    } catch (error) {
      notify(`Nothing was copied: ${toFailure(error).message}.`, 'error')
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      {shown !== undefined && (
        <label class="field shown-copy">
          The browser blocks the clipboard. Copy the text from here.
          <textarea ref={field} class="code" rows={8} readOnly value={shown} />
        </label>
      )}
    </>
  )
}

/** The test runners for which a request can be copied. */
export const runners = ['vitest', 'Playwright', 'node:test'] as const

export type Runner = (typeof runners)[number]

/** Loads what only a copied test needs. */
export type LoadCreateTest = () => Promise<typeof import('./create-test.js')>

const storageName = 'petstore-sandbox.runner'

/** Copies a test that repeats a request, for the test runner that the tab has chosen last. */
export function CopyTest({ entry, load }: { entry: JournalEntry; load: LoadCreateTest }) {
  const session = useSession()
  const [name, setName] = useState(() => readTab(storageName))
  const runner = runners.find((each) => each === name) ?? 'vitest'
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
        onChange={({ currentTarget: { value } }) => {
          writeTab(storageName, value)
          setName(value)
        }}
      >
        {runners.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </>
  )
}
