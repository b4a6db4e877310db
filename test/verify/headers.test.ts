import { expect, test } from 'vitest'
import { isInRange, readIso8601, readRateLimit, readRetryAfter } from '../../src/verify/headers.js'

// The checks are tested with whole services in wrong-services.test.ts. These are values that a service
// may send and that the sandbox does not.

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

test.each(['', '-1', '1.5', '0x10', '1e3', ' 1', '9'.repeat(16), '59, 58'])(
  'readRateLimit returns undefined for X-RateLimit-Remaining: %j',
  (remaining) => {
    expect(readRateLimit(withLimit(remaining))).toBeUndefined()
  },
)

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

test.each([
  [-2, 0, false],
  [-1, 0, true],
  [61, 0, true],
  [62, 0, false],
  [-6, 5, true],
  [-7, 5, false],
  [62, 5, false],
])('of 0 to 60 s, a time %i s after Date and a request of %i s is %s', (after, elapsed, is) => {
  const received = { request: { path: '/' }, status: 200, text: '', json: null }
  const exchange = { ...received, ...withHeaders({ date }), elapsedSeconds: elapsed }
  expect(isInRange(dateSeconds + after, exchange, [0, 60])).toBe(is)
})
