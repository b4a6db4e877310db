/**
 * Pseudorandom number generator (splitmix32). The n-th number depends only on the seed and n, so a
 * snapshot contains only the seed and the number of draws.
 */
export class Random {
  /** @param draws Number of values drawn from the seed. 0 follows the largest safe integer. */
  constructor(
    readonly seed: number,
    public draws = 0,
  ) {}

  /** Returns the next number: at least 0 and less than 1. */
  next(): number {
    // The sequence repeats after 2^32 draws, of which 2^53 is a multiple.
    this.draws = this.draws === Number.MAX_SAFE_INTEGER ? 0 : this.draws + 1
    let state = (this.seed + Math.imul(this.draws, 0x9e3779b9)) | 0
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32
  }

  /** Returns a string of ASCII letters and digits. */
  nextString(length: number): string {
    let result = ''
    while (result.length < length) result += alphabet[Math.floor(this.next() * alphabet.length)]
    return result
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Returns a hash of a text (FNV-1a), in base 36. */
export function hashName(text: string): string {
  let hash = 0x811c9dc5
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
