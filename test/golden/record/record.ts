// Records the requests of the suites in test/golden/files: npm run golden -- --record [subject …]
// Cases whose requests are the same keep their responses; others have none until they are accepted.
import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type ControlSuite, createControlSuite } from '../../conformance/control/suite.js'
import { sendRows } from '../../conformance/service/agreement-rows.js'
import { createSuite, type Suite } from '../../support/suite.js'
import { unfoldRequests } from '../replay/again.js'
import type { Cases } from '../replay/cases.js'
import { listTopics } from '../replay/subjects.js'
import { format } from '../subject.js'
import { omitted } from './omitted.js'
import { type RecordedCase, Recorder } from './recorder.js'

for (const name of listTopics('service')) {
  const path = name.replace(/^service-/, '../../conformance/service/cases/')
  const describeCases = await importCases<Suite>(path)
  describeSubject(name, ({ transport }) => describeCases(createSuite(transport)))
}

for (const name of listTopics('control')) {
  const path = name.replace(/^control-/, '../../conformance/control/cases/')
  const describeCases = await importCases<ControlSuite>(path)
  describeSubject(name, ({ transport }) => describeCases(createControlSuite(transport)))
}

describeSubject('agreement', ({ transport }) => {
  test('the requests that all transports respond to alike', async () => {
    expect(await sendRows(transport)).not.toEqual([])
  })
})

/** Returns the one function of a file of cases whose name starts with `describe`. */
async function importCases<T>(path: string): Promise<(suite: T) => void> {
  const module = await import(new URL(`${path}.ts`, import.meta.url).pathname)
  const name = Object.keys(module).find((key) => key.startsWith('describe')) ?? ''
  return module[name]
}

function describeSubject(name: string, describeCases: (recorder: Recorder) => void): void {
  const recorder = new Recorder(name)
  // The last test writes what the others did.
  describe(name, { shuffle: false }, () => {
    describeCases(recorder)

    test('is written', async () => {
      const file = new URL(`../files/${name}.json`, import.meta.url)
      const text = await readFile(file, 'utf8').catch(() => '{"shared":{},"cases":{}}')
      const before: Cases = JSON.parse(text)
      await writeFile(file, `${format(merge(before, recorder.cases))}\n`)
    })
  })
}

/** Returns the recorded cases. Those with the same requests as before keep their responses. */
function merge(before: Cases, recorded: ReadonlyMap<string, RecordedCase>): Cases {
  const cases: Record<string, Cases['cases'][string]> = {}
  for (const [title, { steps, problems }] of recorded) {
    if (omitted.some((entry) => entry.title.test(title))) continue
    expect(problems, `${title}: see test/golden/record/omitted.ts`).toEqual([])
    const known = before.cases[title]
    const isKnown = known && isDeepStrictEqual(unfoldRequests(known), steps)
    cases[title] = isKnown ? known : steps
  }
  return { ...before, cases }
}
