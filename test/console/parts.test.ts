import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indentJson } from '../../src/console/parts/indent-json.js'
import {
  formatDuration,
  formatExactTime,
  formatMoment,
  formatTimestamp,
} from '../../src/console/parts/time.js'

describe('indentJson', () => {
  it('preserves an int64 beyond 2^53-1, unlike JSON.parse', () => {
    expect(indentJson('{"petId":9223372036854775807}')).toBe('{\n  "petId": 9223372036854775807\n}')
  })

  it('indents any JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(indentJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
      }),
    )
  })

  it.each(['', 'plain text', '{"cut":', '[1,2]… (9000 bytes)'])('returns %o unchanged', (text) => {
    expect(indentJson(text)).toBe(text)
  })
})

it.each([
  [0, '0 s'],
  [-5_000, '0 s'],
  [1, '1 s'],
  [42_000, '42 s'],
  [60_000, '1 min'],
  [250_000, '4 min 10 s'],
  [3_599_999, '1 h'],
  [86_399_000, '23 h 59 min'],
  [86_400_000, '1 d'],
  [86_405_000, '1 d'],
  [7_740_000_000, '89 d 14 h'],
])('formatDuration formats %i ms as %s', (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected)
})

it('formatTimestamp uses UTC', () => {
  expect(formatTimestamp('2026-01-31T10:00:00+01:00')).toBe('2026-01-31 09:00:00')
  expect(formatExactTime('2026-01-31T10:00:00.5+01:00')).toBe('09:00:00.500')
})

it('formatMoment omits the date if the other time has the same date', () => {
  const time = Date.UTC(2026, 0, 31, 9)
  expect(formatMoment(time, '2026-01-31T23:00:00Z')).toBe('09:00:00')
  expect(formatMoment(time, '2026-02-01T00:00:00Z')).toBe('2026-01-31 09:00:00')
  expect(formatMoment(time)).toBe('2026-01-31 09:00:00')
})
