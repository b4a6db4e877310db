import { expect, test } from 'vitest'
import { toText } from '../../../src/report/format/text.js'
import { createHostileReport, fullReport, mergedReport } from '../reports.js'
import { hostileEntries } from './hostile.js'

// The golden file `reports` has the texts of a full and of an empty report.
test('the text states a step that produces several combinations once', () => {
  const cells = fullReport.coverage.cells.map((cell) => ({ ...cell, howTo: 'Wait.', count: 0 }))
  const text = toText({ ...fullReport, coverage: { met: 0, possible: cells.length, cells } })
  expect(text).toContain(`
listOrders
  - 200 (fresh), 200 (last), 401 (fresh), 429 (exhausted), 429 (banned), 500
    (fresh), 503 (fresh): Wait.
`)
})

test('the text of a report of several worlds names no world and no key', () => {
  const [facts] = toText(mergedReport).split('\n\n', 1)
  expect(facts).toContain('World     all worlds\nKey       all keys')
})

test.each(hostileEntries)(
  'no line of the text is longer than 80 characters with: %s',
  (_name, text) => {
    const lines = toText(createHostileReport(text)).split('\n')
    // The table of the forecasts is not wrapped. Its only string is a timestamp.
    const wrapped = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('PLAN')),
    )
    expect(Math.max(...wrapped.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80)
  },
)
