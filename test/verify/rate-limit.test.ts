import { expect, test } from 'vitest'
import { parseDate, readDate, readRateLimit, readRetryAfter } from '../../src/verify/rate-limit.js'

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

test('readRetryAfter compares a date with the given time', () => {
  expect(readRetryAfter(withHeaders({ 'retry-after': date }), dateSeconds - 3)).toBe(3)
})

test.each(['-1', '0', 'soon', '1768467660', '0999-12-31T00:00:00Z', '+275760-09-13'])(
  'parseDate returns NaN for %j',
  (text) => {
    expect(parseDate(text)).toBeNaN()
  },
)

test.each([date, '2026-01-15T09:00:00Z', 'Thursday, 15-Jan-26 09:00:00 GMT'])(
  'parseDate reads %j',
  (text) => {
    expect(parseDate(text)).toBe(dateSeconds * 1000)
  },
)
