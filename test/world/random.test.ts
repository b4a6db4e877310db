import { describe, expect, test } from 'vitest'
import { Random } from '../../src/world/random.js'

function draw(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.next())
}

describe('random', () => {
  test('continues after a number of draws', () => {
    const whole = draw(new Random(-7), 20)
    const random = new Random(-7, 12)
    expect(draw(random, 8)).toEqual(whole.slice(12))
    expect(random.draws).toBe(20)
  })

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

  test('nextString returns letters and digits in the given length', () => {
    const random = new Random(3)
    const strings = Array.from({ length: 200 }, () => random.nextString(24))
    for (const string of strings) expect(string).toMatch(/^[A-Za-z0-9]{24}$/)
    expect(new Set(strings).size).toBe(200)
    expect(random.nextString(0)).toBe('')
  })
})
