import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maximumJsonValues, readJson } from '../../src/engine/json.js'
import { complete } from '../../src/service/validation/slices.js'

const encoder = new TextEncoder()

function parse(text: string): unknown {
  return complete(readJson(encoder.encode(text)))
}

/** Returns the number of parts in which a body is checked, decoded and parsed. */
function countParts(text: string): number {
  const work = readJson(encoder.encode(text))
  let parts = 1
  while (!work.next().done) parts += 1
  return parts
}

/** Returns JSON that is larger than a part and contains the value. */
function embed(json: string): string {
  const padding = `"${'x'.repeat(70_000)}"`
  return `[${padding}, ${json} ,{"a":[${json}],"b" : {"c":\t${json}}},${'1,'.repeat(3_000)}${json}\n]`
}

const rejected = { code: 'invalid_json', message: expect.stringContaining('must be JSON, found') }

describe('readJson', () => {
  test('returns what JSON.parse returns, for small and large bodies', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        expect(parse(json)).toEqual(JSON.parse(json))
        const large = embed(json)
        expect(parse(large)).toEqual(JSON.parse(large))
      }),
      { numRuns: 200 },
    )
  })

  test('rejects a large body exactly if JSON.parse rejects it', () => {
    const character = fc.constantFrom(...'[]{},:"\\ 1-eE.tn\u0000\n')
    const piece = fc.oneof(fc.string({ unit: character, maxLength: 12 }), fc.json({ maxDepth: 2 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const large = embed(pieces.join(''))
        const accept = (read: (text: string) => unknown) => {
          try {
            return { value: read(large) }
          } catch {
            return 'rejected'
          }
        }
        expect(accept(parse)).toEqual(accept(JSON.parse))
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['an empty array with much white space', `[${' '.repeat(70_000)}]`],
    ['an empty object with much white space', `{${' '.repeat(70_000)}}`],
    [
      'a large object',
      `{${Array.from({ length: 3_000 }, (_, i) => `"k${i % 2_000}":${i}`).join()}}`,
    ],
    ['a field __proto__', `{"__proto__":{"a":1},"b":[${'1,'.repeat(3_000)}1]}`],
    ['a long number', `[1${'0'.repeat(200)}.${'5'.repeat(70_000)}]`],
    ['a long string with escapes', `"${'\\"\\\\\\u00e9'.repeat(20_000)}"`],
    ['characters of two, three and four bytes', `["${'aé€😀'.repeat(20_000)}"]`],
  ])('returns what JSON.parse returns for %s', (_, text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
    expect(Object.prototype).not.toHaveProperty('a')
  })

  test.each(['', ' ', '[', '[1', '{"a"', '{"a":1', '"a', '1 2', '[1]]', '{a:1}'])(
    'rejects %j, small and large',
    (text) => {
      const large = `${' '.repeat(70_000)}${text}`
      for (const body of [text, large])
        expect(() => parse(body)).toThrow(expect.objectContaining(rejected))
    },
  )

  test('rejects invalid UTF-8, also at the border of two chunks', () => {
    const bytes = encoder.encode(`["${'x'.repeat(65_533)}€"]`)
    expect(complete(readJson(bytes))).toEqual([`${'x'.repeat(65_533)}€`])
    bytes[65_537] = 0x78
    expect(() => complete(readJson(bytes))).toThrow('the body must be UTF-8, found invalid bytes')
    expect(() => complete(readJson(bytes.subarray(0, 65_536)))).toThrow('must be UTF-8')
  })

  test('accepts 64 levels of nesting and rejects more, before parsing', () => {
    const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(parse(nest(64))).toEqual(JSON.parse(nest(64)))
    expect(parse(`["${nest(100)}"]`)).toEqual([nest(100)])
    const reason = 'the body must be at most 64 levels of nesting, found more'
    for (const text of [nest(65), '['.repeat(8 * 1_048_576)]) {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ code: 'invalid_field', message: reason }),
      )
    }
  })

  test('rejects more values than the limit, before parsing', () => {
    const list = (length: number) => `[${Array.from({ length }, () => '1').join()}]`
    expect(parse(list(maximumJsonValues))).toHaveLength(maximumJsonValues)
    const reason = 'the body must be at most 500000 values, found more'
    expect(() => parse(list(maximumJsonValues + 1))).toThrow(reason)
    expect(() => parse(`[${'{},'.repeat(2_000_000)}`)).toThrow(reason)
  })

  test('rejects an object with more fields than the limit, before parsing', () => {
    const object = (length: number) =>
      `{"list":[${'1,'.repeat(20_000)}1],${Array.from({ length }, (_, i) => `"k${i}":1`).join()}}`
    expect(Object.keys(Object(parse(object(9_999))))).toHaveLength(10_000)
    const reason = 'the body must be objects of at most 10000 fields, found more'
    for (const text of [object(10_000), `[${object(10_000)}]`]) {
      expect(() => parse(text)).toThrow(reason)
    }
  })

  test('parses a large body in parts of about 1,000 values or 64 KiB', () => {
    expect(countParts(`[${'1,'.repeat(99_999)}1]`)).toBeGreaterThan(100)
    expect(countParts(`[${'{"a":[{}]},'.repeat(30_000)}1]`)).toBeGreaterThan(90)
  })

  test.each([
    ['a string', `["${'x'.repeat(1_000_000)}"]`],
    ['escaped characters', `["${'\\\\'.repeat(500_000)}"]`],
    ['the name of a field', `{"${'x'.repeat(1_000_000)}":1}`],
    ['a number', `[${'1'.repeat(1_000_000)}]`],
    ['white space', `[${' '.repeat(1_000_000)}]`],
  ])('checks, decodes and parses %s of 1 MB in parts of 64 KiB', (_, text) => {
    expect(countParts(text)).toBeGreaterThan(45)
  })
})
