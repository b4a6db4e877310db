import { describe, expect, test } from 'vitest'
import {
  formatSeconds,
  isInRange,
  parseDate,
  parseHttpDate,
  readDate,
  readIso8601,
  readRateLimit,
  readRetryAfter,
  toWindowSeconds,
} from '../../src/verify/headers.js'
import type { Exchange } from '../../src/verify/request.js'

const date = 'Thu, 15 Jan 2026 09:00:00 GMT'
const dateSeconds = Date.UTC(2026, 0, 15, 9) / 1000

function withHeaders(headers: Readonly<Record<string, string>>) {
  return { headers: new Map(Object.entries(headers)) }
}

function withLimit(remaining: string) {
  return withHeaders({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': '1768467660',
  })
}

test('readRateLimit returns what the three headers state', () => {
  expect(readRateLimit(withLimit('59'))).toEqual({
    limit: 60,
    remaining: 59,
    resetSeconds: 1_768_467_660,
  })
})

test.each(['', '-1', '1.5', '0x10', '1e3', ' 1', '9'.repeat(16), '59, 58'])(
  'readRateLimit returns undefined for X-RateLimit-Remaining: %j',
  (remaining) => {
    expect(readRateLimit(withLimit(remaining))).toBeUndefined()
  },
)

test('readRateLimit returns undefined without the headers', () => {
  expect(readRateLimit(withHeaders({ 'x-ratelimit-limit': '60' }))).toBeUndefined()
})

test('readDate returns seconds since the epoch, or undefined', () => {
  expect(readDate(withHeaders({ date }))).toBe(dateSeconds)
  expect(readDate(withHeaders({}))).toBeUndefined()
  expect(readDate(withHeaders({ date: '-1' }))).toBeUndefined()
})

test.each<[string, Record<string, string>, number | undefined]>([
  ['seconds', { 'retry-after': '5' }, 5],
  ['a date', { date, 'retry-after': 'Thu, 15 Jan 2026 09:00:07 GMT' }, 7],
  ['a date that has passed', { date, 'retry-after': 'Thu, 15 Jan 2026 08:00:00 GMT' }, 0],
  ['a date without Date', { 'retry-after': date }, undefined],
  ['neither', { date, 'retry-after': '-1' }, undefined],
  ['no header', { date }, undefined],
])('readRetryAfter returns the seconds of %s', (_title, headers, expected) => {
  expect(readRetryAfter(withHeaders(headers))).toBe(expected)
})

test.each(['-1', '0', 'soon', '1768467660', '0999-12-31T00:00:00Z', '+275760-09-13'])(
  'parseDate returns undefined for %j',
  (text) => {
    expect(parseDate(text)).toBeUndefined()
  },
)

test.each([date, '2026-01-15T09:00:00Z', 'Thursday, 15-Jan-26 09:00:00 GMT'])(
  'parseDate reads %j',
  (text) => {
    expect(parseDate(text)).toBe(dateSeconds)
  },
)

function receive(headers: Readonly<Record<string, string>>, elapsedSeconds = 0): Exchange {
  const own = new Map(Object.entries(headers))
  return { request: { path: '/' }, status: 200, headers: own, text: '', json: null, elapsedSeconds }
}

const dated = { date }

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
    expect(isInRange(dateSeconds + after, receive(dated, elapsed), [0, 60])).toBe(is)
  })

  test('is undefined without a valid Date', () => {
    expect(isInRange(dateSeconds, receive({}), [0, 60])).toBeUndefined()
    expect(isInRange(dateSeconds, receive({ date: 'soon' }), [0, 60])).toBeUndefined()
  })
})

test.each([
  ['2026-01-15T09:00:00Z', dateSeconds],
  ['2026-01-15T09:00:00.250Z', dateSeconds + 0.25],
  ['2026-01-15T09:00:00,250Z', dateSeconds + 0.25],
  ['2026-01-15T10:30+01:30', dateSeconds],
  ['2026-01-15T08:00:00-01', dateSeconds],
  ['20260115T090000Z', dateSeconds],
  ['20260115T1000+0100', dateSeconds],
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

test('parseHttpDate reads the form that a server sends, and no other', () => {
  expect(parseHttpDate(date)).toBe(dateSeconds)
  expect(parseHttpDate('2026-01-15T09:00:00Z')).toBeUndefined()
  expect(parseHttpDate('Thu, 99 Jan 2026 09:00:00 GMT')).toBeUndefined()
})

test.each([
  ['60', 'free', 60],
  ['1000', 'free', 86_400],
  ['1000', 'business', 60],
  ['60', undefined, 86_400],
] as const)('toWindowSeconds with the limit %s and the plan %s is %i', (limit, plan, seconds) => {
  const rate = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': String(dateSeconds) }
  expect(toWindowSeconds(receive({ ...rate, 'x-ratelimit-limit': limit }), plan)).toBe(seconds)
})

test.each([
  [-1, '0 s'],
  [0.2, '1 s'],
  [119, '119 s'],
  [120, '2 min'],
  [7_199, '120 min'],
  [7_200, '2 h'],
  [86_400, '24 h'],
])('formatSeconds(%d) is %s', (seconds, expected) => {
  expect(formatSeconds(seconds)).toBe(expected)
})
