import { describe, expect, test } from 'vitest'
import { readPreference } from '../../src/engine/inject.js'

const statuses = [200, 401, 404, 429]

/** Returns what is applied of a header. */
function read(header: string) {
  const { code, delayMs, applied } = readPreference(header, statuses)
  return { code, delayMs, applied }
}

test.each([
  ['code=404', 404, 0, 'code=404'],
  ['delay=2', undefined, 2_000, 'delay=2'],
  ['delay=0', undefined, 0, 'delay=0'],
  ['delay=1.25', undefined, 1_250, 'delay=1.25'],
  ['delay=60', undefined, 60_000, 'delay=60'],
  ['code=404, delay=2', 404, 2_000, 'code=404, delay=2'],
  ['delay=2,code=404;x=1', 404, 2_000, 'code=404, delay=2'],
  ['  Code = "404" ', 404, 0, 'code=404'],
  ['code="4\\04"', 404, 0, 'code=404'],
  ['code=404, code=200', 404, 0, 'code=404'],
  ['code=404, handling=strict', 404, 0, 'code=404, handling=strict'],
  ['handling=strict, ,code=404', 404, 0, 'code=404, handling=strict'],
  ['delay=2;code=404', undefined, 2_000, 'delay=2'],
  ['respond-async, return=minimal', undefined, 0, ''],
  ['wait=10', undefined, 0, ''],
  ['note="a, code=404"', undefined, 0, ''],
  ['', undefined, 0, ''],
  [',;=, ;', undefined, 0, ''],
])('reads "%s" as status %s after %i ms', (header, code, delayMs, applied) => {
  expect(read(header)).toEqual({ code, delayMs, applied })
})

describe.each([
  ...['418', '', '0404', '404.0', '40 4', 'x', '-404', '4e2', "'404'"].map((c) => `code=${c}`),
  ...['', 'soon', '-1', '60.001', '61', '1e1', '.5', '5.', 'NaN', '0x5'].map((d) => `delay=${d}`),
  ...['soon', '-1', '1.5', ''].map((wait) => `wait=${wait}`),
  'handling=rough',
  'foo',
  'return=minimal',
  '"',
  '=5',
])('%s', (preference) => {
  test('is ignored', () => {
    expect(read(`${preference}, delay=1`).applied).toMatch(/^$|^delay=1$/)
    expect(read(preference)).toEqual({ code: undefined, delayMs: 0, applied: '' })
  })

  test('is rejected with handling=strict', () => {
    const wrong = preference.startsWith('handling') ? 'foo' : preference
    const found = JSON.stringify(wrong.replace(/=$/, ''))
    expect(() => readPreference(`handling=strict; x=1, ${wrong}`, statuses)).toThrow(
      `with handling=strict, Prefer accepts only code (one of 200, 401, 404, 429 at this operation), delay (seconds from 0 to 60), wait (whole seconds), handling (strict or lenient), found ${found}`,
    )
  })
})

test('shows only the start of a long invalid value', () => {
  const header = `handling=strict, code=${'x'.repeat(5_000)}`
  expect(() => readPreference(header, statuses)).toThrow(/^.{1,230}$/)
})

test('reads a long header in one pass', () => {
  for (const part of ['"\\', 'a;', 'a="b', ' \t', 'a =', '\\"']) {
    expect(read(part.repeat(8_000)).applied).toBe('')
  }
})
