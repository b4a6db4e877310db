import { describe, expect, test } from 'vitest'
import { Random } from '../../src/world/random.js'

function draw(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.next())
}

describe('random', () => {
  test('the same seed results in the same numbers, another seed in others', () => {
    expect(draw(new Random(42), 50)).toEqual(draw(new Random(42), 50))
    expect(draw(new Random(42), 50)).not.toEqual(draw(new Random(43), 50))
  })

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

  test('distributes numbers evenly from 0 to 1, excluding 1', () => {
    const numbers = draw(new Random(1), 10_000)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const number of numbers) {
      expect(number).toBeGreaterThanOrEqual(0)
      expect(number).toBeLessThan(1)
      const tenth = Math.floor(number * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) {
      expect(count).toBeGreaterThan(850)
      expect(count).toBeLessThan(1_150)
    }
  })

  test.each([0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'accepts the seed %d',
    (seed) => {
      expect(new Set(draw(new Random(seed), 100)).size).toBeGreaterThan(95)
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
