import { expect, test } from 'vitest'
import { Random } from '../../src/world/random.js'

test.each([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 2 ** 52, 2 ** 32, 2 ** 31])(
  'continues after %d draws with different strings, and a number of draws that is a safe integer',
  (draws) => {
    const random = new Random(1, draws)
    const strings = Array.from({ length: 100 }, () => random.nextString(24))
    expect(new Set(strings).size).toBe(100)
    expect(Number.isSafeInteger(random.draws)).toBe(true)
    const copy = new Random(1, random.draws)
    expect(copy.nextString(24)).toBe(random.nextString(24))
  },
)
