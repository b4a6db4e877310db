import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maskMachineValues } from './machine-values.js'
import { format, type Subject } from './subject.js'

/** Set by `npm run golden`: the subjects whose files are written instead of compared. */
const accepted = process.env.GOLDEN_ACCEPT?.split(',') ?? []

/** Defines a test for each subject, which compares what it produces with its golden file. */
export function compareWithFiles(subjects: readonly Subject[]): void {
  const rows = subjects.map((subject) => [subject.name, subject] as const)

  // Journal entries and reports state how long a request took.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
  afterEach(() => void vi.restoreAllMocks())

  test.each(rows)('%s does what its golden file records', async (_, subject) => {
    const file = new URL(`files/${subject.name}.json`, import.meta.url)
    // A new file is written when it is accepted.
    const recorded = await readFile(file, 'utf8').catch(() => '{}')
    const produced = await subject.produce(JSON.parse(recorded))
    // Masked before it is formatted, because the length of a value decides where lines break.
    const masked: unknown = JSON.parse(maskMachineValues(JSON.stringify(produced)))
    const text = `${format(masked)}\n`
    if (accepted.includes(subject.name)) await writeFile(file, text)
    else expect(text, `accept with: npm run golden -- --accept ${subject.name}`).toBe(recorded)
  })
}
