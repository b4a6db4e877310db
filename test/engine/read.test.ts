import { expect, test } from 'vitest'
import { readJson } from '../../src/engine/read.js'
import { maximumJsonValues } from '../../src/service/bounds.js'

const encoder = new TextEncoder()

function parse(text: string): unknown {
  return readJson(encoder.encode(text))
}

const rejected = { code: 'invalid_json', message: expect.stringContaining('must be JSON, found') }

test.each(['', ' ', '[', '[1', '{"a"', '{"a":1', '"a', '1 2', '[1]]', '{a:1}'])(
  'readJson rejects %j',
  (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining(rejected))
  },
)

test('readJson rejects invalid UTF-8', () => {
  const bytes = encoder.encode('["aé€😀"]')
  expect(readJson(bytes)).toEqual(['aé€😀'])
  bytes[4] = 0x78
  expect(() => readJson(bytes)).toThrow('the body must be UTF-8, found invalid bytes')
})

test('readJson accepts 64 levels of nesting and rejects more, before parsing', () => {
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(parse(nest(64))).toEqual(JSON.parse(nest(64)))
  expect(parse(`["${nest(100)}"]`)).toEqual([nest(100)])
  const reason = 'the body must be at most 64 levels of nesting, found more'
  expect(parse(`[${'[],'.repeat(70)}0]`)).toHaveLength(71)
  for (const text of [nest(65), '[1,{"a":'.repeat(33), '['.repeat(8 * 1_048_576)]) {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'invalid_field', message: reason }),
    )
  }
})

test('readJson rejects more values than the limit, before parsing', () => {
  const list = (length: number) => `[${Array.from({ length }, () => '1').join()}]`
  expect(parse(list(maximumJsonValues))).toHaveLength(maximumJsonValues)
  const reason = 'the body must be at most 500000 values, found more'
  expect(() => parse(list(maximumJsonValues + 1))).toThrow(reason)
  expect(() => parse(`[${'{},'.repeat(maximumJsonValues / 2 + 1)}`)).toThrow(reason)
})

test('readJson rejects more field names than the limit, before parsing', () => {
  const object = (length: number, from = 0) =>
    `{${Array.from({ length }, (_, i) => `"k${from + i}":1`).join()}}`
  expect(Object.keys(Object(parse(object(10_000))))).toHaveLength(10_000)
  expect(parse(`[${object(10_000)},${object(10_000)}]`)).toHaveLength(2)
  const reason = 'the body must be at most 10000 different field names, found more'
  const escaped = object(10_001).replaceAll('"k', '"\\"k')
  for (const text of [object(10_001), `[${object(6_000)},${object(6_000, 6_000)}]`, escaped]) {
    expect(() => parse(text)).toThrow(reason)
  }
})
