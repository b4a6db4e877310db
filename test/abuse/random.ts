/** A seeded generator of random values. The same seed returns the same values. */
export interface Random {
  readonly seed: number
  /** Returns an integer from 0 to `below` − 1. */
  int(below: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  /** Returns lower-case letters and digits. */
  string(length: number): string
  /** Returns the generator of one case, so that a failing case can be repeated alone. */
  fork(index: number): Random
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    seed,
    int,
    chance: (probability) => next() < probability,
    pick(values) {
      const value = values[int(values.length)]
      if (value === undefined) throw new Error('cannot pick from an empty array')
      return value
    },
    string: (length) => Array.from({ length }, () => letters[int(letters.length)]).join(''),
    fork: (index) => createRandom(Math.imul(seed ^ (index + 1), 0x9e3779b1)),
  }
}
