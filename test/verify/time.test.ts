import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/verify/check.js'
import { isInRange, readHttpDate, readIso8601, toWindowSeconds } from '../../src/verify/time.js'

const date = Date.UTC(2026, 0, 15, 9) / 1000

function receive(headers: Readonly<Record<string, string>>, elapsedSeconds = 0): Exchange {
  const own = new Map(Object.entries(headers))
  return { request: { path: '/' }, status: 200, headers: own, text: '', json: null, elapsedSeconds }
}

const dated = { date: 'Thu, 15 Jan 2026 09:00:00 GMT' }

describe('isInRange', () => {
  test.each([
    [-2, 0, false],
    [-1, 0, true],
    [61, 0, true],
    [62, 0, false],
    [-6, 5, true],
    [-7, 5, false],
    [62, 5, false],
  ])('of 0 to 60 s, a time %i s after Date and a request of %i s is %s', (after, elapsed, is) => {
    expect(isInRange(date + after, receive(dated, elapsed), [0, 60])).toBe(is)
  })

  test('is undefined without a valid Date', () => {
    expect(isInRange(date, receive({}), [0, 60])).toBeUndefined()
    expect(isInRange(date, receive({ date: 'soon' }), [0, 60])).toBeUndefined()
  })
})

test.each([
  ['2026-01-15T09:00:00Z', date],
  ['2026-01-15T09:00:00.250Z', date + 0.25],
  ['2026-01-15T09:00:00,250Z', date + 0.25],
  ['2026-01-15T10:30+01:30', date],
  ['2026-01-15T08:00:00-01', date],
  ['20260115T090000Z', date],
  ['20260115T1000+0100', date],
  ['2026-01-15T09:00:00', undefined],
])('readIso8601 reads %s', (text, seconds) => {
  expect(readIso8601(text)).toEqual({ seconds })
})

test.each([
  '',
  '2026-01-15',
  '2026-13-15T09:00:00Z',
  'Thu, 15 Jan 2026 09:00:00 GMT',
  '1768467600',
])('readIso8601 rejects "%s"', (text) => {
  expect(readIso8601(text)).toBeUndefined()
})

test('readHttpDate reads the form that a server sends, and no other', () => {
  expect(readHttpDate(dated.date)).toBe(date)
  expect(readHttpDate('2026-01-15T09:00:00Z')).toBeUndefined()
  expect(readHttpDate('Thu, 99 Jan 2026 09:00:00 GMT')).toBeUndefined()
})

test.each([
  ['60', 'free', 60],
  ['1000', 'free', 86_400],
  ['1000', 'business', 60],
  ['60', undefined, 86_400],
] as const)('toWindowSeconds with the limit %s and the plan %s is %i', (limit, plan, seconds) => {
  const rate = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(date) }
  expect(toWindowSeconds(receive({ ...rate, 'x-ratelimit-limit': limit }), plan)).toBe(seconds)
})
