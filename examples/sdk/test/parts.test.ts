// Parts that need no service.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../src/clock.js'
import { readBody } from '../src/exchange.js'
import { readDeprecation, readRateLimit, readRetryAfterMs } from '../src/headers.js'
import { parseJson } from '../src/json.js'

test('ids are found in any formatting, and only ids', () => {
  const text = '[{ "petId" : 7, "quantity": 8 }, {"id":  9, "note": "\\"petId\\":10"}]'
  expect(parseJson(text)).toEqual([
    { petId: '7', quantity: 8 },
    { id: '9', note: '"petId":10' },
  ])
})

describe('Retry-After', () => {
  test.for([
    ['7', 7_000],
    ['Sun, 01 Mar 2026 09:00:30 GMT', 30_000],
    ['soon', undefined],
    [undefined, undefined],
  ] as const)('%s is %i ms', ([value, ms]) => {
    const headers = new Headers(value === undefined ? {} : { 'Retry-After': value })
    expect(readRetryAfterMs(headers, Date.parse('2026-03-01T09:00:00Z'))).toBe(ms)
  })
})

test('an error of a proxy has no code', () => {
  const text = '<h1>Bad gateway</h1>'
  const response = { operation: 'getPet', ok: false, status: 502, headers: new Headers(), text }
  const message = 'getPet: 502 without a code: no message'
  expect(() => readBody(response, 0)).toThrow(expect.objectContaining({ message, code: undefined }))
})

test('a response of a proxy has no rate limit', () => {
  expect(readRateLimit(new Headers())).toBeUndefined()
})

test('a deprecation may have no sunset', () => {
  const headers = new Headers({ Deprecation: '@1764633600' })
  expect(readDeprecation('getPet', headers)?.sunsetAt).toBeUndefined()
})

describe('the clock of the system', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is the current time, and waits', async () => {
    vi.useFakeTimers({ now: 1_000 })
    const wait = systemClock.sleep(500)
    await vi.advanceTimersByTimeAsync(499)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await wait
    expect(systemClock.now()).toBe(1_500)
  })

  test('stops waiting when the request is aborted', async () => {
    vi.useFakeTimers()
    const abort = new AbortController()
    const wait = systemClock.sleep(500, abort.signal)
    abort.abort('left the page')
    await expect(wait).rejects.toBe('left the page')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not start waiting for an aborted request', async () => {
    vi.useFakeTimers()
    await expect(systemClock.sleep(500, AbortSignal.abort('left'))).rejects.toBe('left')
    expect(vi.getTimerCount()).toBe(0)
  })
})
