import { mkdir, writeFile } from 'node:fs/promises'

let copies = 0

/** Runs a test that was copied from the journal. Rejects if it fails. */
export async function runCopiedTest(code: string): Promise<void> {
  const folder = new URL('../../../dist/copied-tests/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const file = new URL(`browser-${process.pid}-${copies++}.ts`, folder)
  // The test is run inside another one, which vitest's `test` does not permit.
  const collected = code.replace(
    'import { expect, test } from "vitest"',
    "import { expect } from 'vitest'\nconst test = (_: string, run: () => Promise<void>) => { copied = run }\nexport let copied: () => Promise<void>",
  )
  await writeFile(file, collected)
  const { copied } = await import(file.href)
  await copied()
}
