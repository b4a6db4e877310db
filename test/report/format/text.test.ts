import { expect, test } from 'vitest'
import { toText } from '../../../src/report/format/text.js'
import { createHostileReport, emptyReport, fullReport, mergedReport } from '../reports.js'
import { hostileEntries } from './hostile.js'

const conduct = `CONDUCT  1 error, 1 warning, 1 kept, 1 unseen

ERROR  retry-after: Waits as long as Retry-After says
  2 of 3 retries were sent before Retry-After had passed
  #62  2026-01-15T09:01:01.200Z retried getPet after 0.2 s, Retry-After was 59 s
  #63  2026-01-15T09:01:02.000Z retried getPet after 0.8 s, Retry-After was 58 s
  and 10 later violations
  Fix:    Read the header Retry-After of a response with 429, and send the next
          request when that number of seconds has passed.
  Source: spec §8 rule 2, RFC 9110 §10.2.3

WARNING  deprecated-in-use: Does not use the deprecated operation
  40 requests for getPet before its sunset
  #3  2026-01-15T09:00:02.000Z getPet, 90 days before the sunset
  and 39 later violations
  Fix:    Use getInventoryItem instead of getPet.
  Source: spec §5, RFC 8594

kept    no-ban: Is never banned
unseen  int64-exact: Keeps int64 ids exact

COVERAGE  17 of 42 combinations (40 %)
`

test('the text lists broken errors, broken warnings, kept and unseen rules, in this order', () => {
  expect(toText(fullReport)).toContain(conduct)
})

test('the text lists missing combinations by operation, and how to produce them', () => {
  expect(toText(fullReport)).toContain(`
listInventory
  - 200 (last): GET /inventory in the scenario nearly-limited
  - 401 (fresh): GET /inventory with Prefer: code=401, or after the fault
    {"type":"status","status":401} was added
`)
})

test('the text states a step that produces several combinations once', () => {
  const cells = fullReport.coverage.cells.map((cell) => ({ ...cell, howTo: 'Wait.', count: 0 }))
  const text = toText({ ...fullReport, coverage: { met: 0, possible: cells.length, cells } })
  expect(text).toContain(`
listOrders
  - 200 (fresh), 200 (last), 401 (fresh), 429 (exhausted), 429 (banned), 500
    (fresh), 503 (fresh): Wait.
`)
})

test('the text ends with the forecasts and the smallest plan', () => {
  const [, end] = toText(fullReport).split('requests\n')
  expect(end).toBe(`PLAN        REJECTED  BANS  FIRST REJECTION
free             420     3  2026-01-15T09:01:00.000Z
pro               12     0  2026-01-15T09:01:01.000Z
business           0     0  none
enterprise         0     0  none
With windows that are unused at the start, business is the smallest plan without
a rejected request.
`)
})

test.each([
  ['a world', fullReport, 'World     production/default/ci\nKey       sbx_free_de… (plan free)\n'],
  ['several worlds', mergedReport, 'World     all worlds\nKey       all keys\n'],
  ['no requests', emptyReport, 'Requests  0\nCreated   2026-01-15T09:11:40.000Z\n'],
])('the text of a report of %s begins with its facts', (_name, report, facts) => {
  expect(toText(report).split('\n\n', 1)[0]).toContain(facts.trimEnd())
})

test('the text has only labels in colours, and the same characters', () => {
  const styles = new Set<string>()
  const paint = (style: string, text: string) => {
    styles.add(style)
    return `«${text}»`
  }
  const painted = toText(fullReport, { paint })
  expect(painted.replaceAll(/[«»]/g, '')).toBe(toText(fullReport))
  expect([...styles].sort()).toEqual(['bold', 'dim', 'green', 'red', 'yellow'])
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
