import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { int64Schema, isInt64, toInt64Json } from '../../src/service/int64.js'
import { validate } from '../../src/service/validation/validate.js'

const largest = '9223372036854775807'
const smallest = '-9223372036854775808'

describe('isInt64', () => {
  // Assumption A15 in test/conformance/service/cases/update-inventory.ts has the other forms.
  test.each(['', '-', '-0', '-01', ' 1', '1\n', '1_000', '١'])('rejects %j', (text) => {
    expect(isInt64(text)).toBe(false)
  })

  test('accepts the canonical decimal of every int64 and of no other integer', () => {
    const range = { min: -(2n ** 65n), max: 2n ** 65n }
    fc.assert(
      fc.property(fc.bigInt(range), (number) => {
        expect(isInt64(String(number))).toBe(BigInt.asIntN(64, number) === number)
      }),
    )
  })
})

describe('int64Schema', () => {
  test.each([
    [-1, '-1'],
    [9007199254740991, '9007199254740991'],
    ['7', '7'],
    [largest, largest],
    [smallest, smallest],
  ])('reads %j as %j', (written, id) => {
    expect(int64Schema.parse(written)).toBe(id)
  })

  test.each([2 ** 53, 1.5, '9223372036854775808', '01', '', null, true])(
    'rejects %j',
    (written) => {
      expect(validate(int64Schema, written)).toMatchObject({
        ok: false,
        mismatches: [{ wanted: 'an int64 (beyond 2^53-1 as a string of digits)' }],
      })
    },
  )
})

describe('toInt64Json', () => {
  test.each([
    ['-7', -7],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9007199254740992', '-9007199254740992'],
  ])('writes %j as %j', (id, written) => {
    expect(toInt64Json(id)).toBe(written)
  })
})
