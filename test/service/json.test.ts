import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/service/json.js'
import { formatExactJson } from '../../src/verify/response.js'

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
    '["1234567890123456",1234567890123456]',
    '[12345678901234567890.5,12345678901234567890e3,0.12345678901234567890]',
    `[${'9'.repeat(1_001)}]`,
  ])('returns what JSON.parse returns for %s', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text))
  })

  test('keeps strings and names that look like what it marks', () => {
    const text =
      '{"\\u00019223372036854775807":"\\u00019223372036854775807","a":["\\u0001s12",9223372036854775807]}'
    expect(parseExactJson(text)).toEqual({
      '\u00019223372036854775807': '\u00019223372036854775807',
      a: ['\u0001s12', 9_223_372_036_854_775_807n],
    })
  })

  test.each(['\\\\', 'x', '\\u0001'])('reads a string of 4 million times %s', (part) => {
    const text = `["\\u0001${part.repeat(4_000_000)}",9223372036854775807]`
    const [string, integer] = parseExactJson(text) as [string, bigint] // as the text has it
    expect(string === JSON.parse(text)[0]).toBe(true)
    expect(integer).toBe(9_223_372_036_854_775_807n)
  })

  test('defines __proto__ as a field', () => {
    const value = parseExactJson('{"__proto__":{"a":9223372036854775807}}')
    expect(Object.keys(Object(value))).toEqual(['__proto__'])
    expect(Object(value).a).toBeUndefined()
  })

  test.each([
    '',
    '{"a":',
    '[1234567890123456',
    '[01]',
    '{9223372036854775807:1}',
    '[\u0001]',
    '{"a":-}',
  ])('returns undefined for %j', (text) => {
    expect(parseExactJson(text)).toBeUndefined()
  })

  test('accepts 64 levels of nesting, and returns undefined for more', () => {
    const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(formatExactJson(parseExactJson(nest(64)))).toBe(nest(64))
    expect(parseExactJson(nest(65))).toBeUndefined()
    // JSON.parse with a reviver overflows its stack.
    expect(parseExactJson(nest(100_000))).toBeUndefined()
  })
})

test.each([
  ['{"petId":9223372036854775807,"tags":["a",null,1.5,true],"":{}}'],
  ['[{"a":"\\u0001\\"9223372036854775807"}]'],
  ['-9223372036854775808'],
])('formatExactJson returns the text of the value of %s', (text) => {
  expect(formatExactJson(parseExactJson(text))).toBe(text)
})

test('formatExactJson returns nothing for undefined', () => {
  expect(formatExactJson(undefined)).toBe('nothing')
})
