import { expect, test } from 'vitest'
import { toJson } from '../../../src/report/format/json.js'
import { createHostileReport, fullReport } from '../reports.js'
import { hostileEntries } from './hostile.js'

test('the JSON of a report is the report', () => {
  expect(JSON.parse(toJson(fullReport))).toEqual(fullReport)
})

test.each(hostileEntries)('the JSON of a report preserves strings with: %s', (_name, text) => {
  const report = createHostileReport(text)
  expect(JSON.parse(toJson(report))).toEqual(report)
})
