import { describe, expect, test } from 'vitest'
import { readPreference } from '../../src/engine/preference.js'

const statuses = [200, 401, 404, 429]

describe('readPreference', () => {
  test.each([
    ['code=404', 404, 0, 'code=404'],
    ['wait=2', undefined, 2_000, 'wait=2'],
    ['wait=0', undefined, 0, 'wait=0'],
    ['wait=1.5', undefined, 1_500, 'wait=1.5'],
    ['wait=60', undefined, 60_000, 'wait=60'],
    ['code=404, wait=2', 404, 2_000, 'code=404, wait=2'],
    ['wait=2;code=404', 404, 2_000, 'code=404, wait=2'],
    ['  Code = "404" ', 404, 0, 'code=404'],
    ['code=404, code=200', 404, 0, 'code=404'],
    ['respond-async, return=minimal', undefined, 0, ''],
    ['', undefined, 0, ''],
    [',;=, ;', undefined, 0, ''],
  ])('reads "%s" as status %s after %i ms', (header, code, waitMs, applied) => {
    expect(readPreference(header, statuses)).toEqual({ code, waitMs, applied })
  })

  test.each(['418', '', '0404', '404.0', '40 4', 'x', '-404', '4e2', "'404'"])(
    'rejects the code %s',
    (code) => {
      expect(() => readPreference(`code=${code}`, statuses)).toThrow(
        /Prefer: code must be one of 200, 401, 404, 429 at this operation, found/,
      )
    },
  )

  test.each(['', 'soon', '-1', '60.001', '61', '1e1', '.5', '5.', 'NaN', '0x5', '1 2'])(
    'rejects the wait %s',
    (wait) => {
      expect(() => readPreference(`wait=${wait}`, statuses)).toThrow(
        /Prefer: wait must be seconds from 0 to 60, found/,
      )
    },
  )

  test('shows only the start of a long invalid value', () => {
    const long = 'x'.repeat(5_000)
    expect(() => readPreference(`code=${long}`, statuses)).toThrow(/^.{1,120}$/)
  })
})
