import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { timestampSchema } from '../../../src/service/schemas.js'
import { suggestName } from '../../../src/service/validation/nearest-name.js'
import {
  describeMismatch,
  readValue,
  toPath,
  validate,
} from '../../../src/service/validation/validate.js'

const pets = z.strictObject({
  pets: z.array(z.strictObject({ status: z.enum(['sold', 'pending']), at: timestampSchema })),
})

function describeAll(schema: z.ZodMiniType, value: unknown): string[] {
  const result = validate(schema, value)
  return result.ok
    ? []
    : result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the body'))
}

describe('validate', () => {
  test('reports every mismatch', () => {
    expect(describeAll(pets, { pets: [{ status: 'sold' }, { at: 1 }] })).toHaveLength(3)
  })

  test('describes and reports 50 of many mismatches', () => {
    let described = 0
    const error = () => {
      described += 1
      return 'a number'
    }
    const result = validate(z.array(z.number({ error })), strings(10_000))
    expect(result).toMatchObject({ mismatches: { length: 50 } })
    expect(described).toBe(50)
  })

  test('reports 50 of many unknown fields', () => {
    const fields = Object.fromEntries(strings(100_000).map((name) => [name, 1]))
    expect(validate(pets, fields)).toMatchObject({ mismatches: { length: 50 } })
  })

  test('truncates names, and thereby bounds the length of a message', () => {
    const long = 'x'.repeat(1_000_000)
    expect(describeAll(pets, { pets: [], [long]: 1 })).toEqual([
      `${'x'.repeat(100)}… is not a known field, wanted one of pets`,
    ])
    const deep = Array.from({ length: 64 }, () => long)
    const wanted = long
    const mismatch = { path: toPath(deep), kind: 'invalid', wanted, found: '1' } as const
    expect(describeMismatch(mismatch).length).toBeLessThan(1_100)
    expect(suggestName(long, [long, long]).length).toBeLessThan(300)
  })
})

function strings(length: number): string[] {
  return Array.from({ length }, (_, index) => `field${index}`)
}

test.each([
  [10, /^(v\[\d\] must be .+?; ){9}v\[9\] must be [^;]+$/],
  [12, /^(v\[\d\] must be .+?; ){10}and 2 more$/],
])('readValue lists ten of %i mismatches, and the number of the others', (count, message) => {
  const read = () =>
    readValue(z.strictObject({ v: z.array(z.int()) }), { v: Array(count).fill('x') }, 'it')
  expect(read).toThrow(expect.objectContaining({ message: expect.stringMatching(message) }))
})
