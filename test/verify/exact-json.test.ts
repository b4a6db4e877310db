import { describe, expect, test } from 'vitest'
import { isInteger, parseExactJson } from '../../src/verify/exact-json.js'

describe('parseExactJson', () => {
  test('keeps all digits of integers, which JSON.parse rounds', () => {
    const text = '{"petId":9223372036854775807,"other":-9007199254740993}'
    expect(JSON.parse(text).petId).toBe(2 ** 63)
    expect(parseExactJson(text)).toEqual({
      petId: 9_223_372_036_854_775_807n,
      other: -9_007_199_254_740_993n,
    })
  })

  test.each([
    '{"a":[1,2.5,-3e2,9007199254740991,"9223372036854775807",null,true]}',
    '"1234567890123456 \\" 1234567890123456"',
    '["\\u00011234567890123456","\\u0001s12","1234567890123456",1234567890123456]',
    '[1234567890123456.5,1234567890123456e3,0.1234567890123456789]',
  ])('returns what JSON.parse returns for %s', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  test.each(['', '{"a":', '[1234567890123456', `"${'\\"1234567890123456'.repeat(100_000)}`])(
    'returns undefined for text that is not JSON',
    (text) => {
      expect(parseExactJson(text)).toBeUndefined()
    },
  )

  test('returns undefined for JSON that is nested too deeply to revive', () => {
    const depth = 1_000_000
    const text = `${'['.repeat(depth)}1234567890123456${']'.repeat(depth)}`
    expect(parseExactJson(text)).toBeUndefined()
  })
})

test.each([
  [1, true],
  [1n, true],
  [1.5, false],
  ['1', false],
  [undefined, false],
])('isInteger(%s) is %s', (value, expected) => {
  expect(isInteger(value)).toBe(expected)
})
