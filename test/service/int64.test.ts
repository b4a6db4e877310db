import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInt64 } from '../../src/service/int64.js'

const _largest = '9223372036854775807'
const _smallest = '-9223372036854775808'

// Assumption A15 in test/conformance/service/cases/update-inventory.ts has the other forms.
test.each(['', '-', '-0', '-01', ' 1', '1\n', '1_000', '١'])('isInt64 rejects %j', (text) => {
  expect(isInt64(text)).toBe(false)
})

test('isInt64 accepts the canonical decimal of every int64 and of no other integer', () => {
  const range = { min: -(2n ** 65n), max: 2n ** 65n }
  fc.assert(
    fc.property(fc.bigInt(range), (number) => {
      expect(isInt64(String(number))).toBe(BigInt.asIntN(64, number) === number)
    }),
  )
})
