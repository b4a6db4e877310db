/**
 * Pseudorandom number generator (splitmix32). The n-th number depends only on the seed and n, so a
 * snapshot contains only the seed and the number of draws.
 */
export class Random {
  #draws: number

  constructor(
    readonly seed: number,
    draws = 0,
  ) {
    this.#draws = draws
  }

  /** Number of values drawn from the seed: a safe integer, after which it continues from 0. */
  get draws(): number {
    return this.#draws
  }

  /** Returns the next number: at least 0 and less than 1. */
  next(): number {
    // The sequence repeats after 2^32 draws, of which 2^53 is a multiple.
    this.#draws = this.#draws === Number.MAX_SAFE_INTEGER ? 0 : this.#draws + 1
    let state = (this.seed + Math.imul(this.#draws, 0x9e3779b9)) | 0
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

/**
 * Returns a hash of a string: 106 bits of two runs of cyrb53 (public domain), and the length. Not for
 * secrets.
 */
export function hashText(text: string): string {
  let [high0, low0] = start(0)
  let [high1, low1] = start(1)
  // One loop for both runs: a page executes it before the code is optimized.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high0 = Math.imul(high0 ^ code, 2_654_435_761)
    low0 = Math.imul(low0 ^ code, 1_597_334_677)
    high1 = Math.imul(high1 ^ code, 2_654_435_761)
    low1 = Math.imul(low1 ^ code, 1_597_334_677)
  }
  return `${finish(high0, low0)}${finish(high1, low1)}${text.length.toString(36)}`
}

function start(seed: number): [high: number, low: number] {
  return [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
}

/** Returns 53 bits in base 36. */
function finish(high: number, low: number): string {
  const mixedHigh =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const mixedLow =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^
    Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & mixedLow) + (mixedHigh >>> 0)).toString(36).padStart(11, '0')
}
