import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { maskMachineValues } from './machine-values.js'
import { format, type Subject } from './subject.js'
import { subjects } from './subjects.js'

/** Set by `npm run golden`: the subjects whose files are written instead of compared. */
const accepted = process.env.GOLDEN_ACCEPT?.split(',') ?? []

test.each(subjects)('$name does what test/golden/files/$name.json records', async (subject) => {
  const file = new URL(`files/${subject.name}.json`, import.meta.url)
  const recorded = await readRecorded(file, subject)
  const produced = await subject.produce(recorded && JSON.parse(recorded))
  const text = `${maskMachineValues(format(produced))}\n`
  if (accepted.includes(subject.name)) await writeFile(file, text)
  else expect(text, `accept with: npm run golden -- --accept ${subject.name}`).toBe(recorded)
})

async function readRecorded(file: URL, { name }: Subject): Promise<string | undefined> {
  if (accepted.includes(name)) return readFile(file, 'utf8').catch(() => undefined)
  return readFile(file, 'utf8')
}
