/**
 * Repeatable numbers from a seed. The n-th draw depends on the seed and n alone (splitmix32), so
 * that the count of draws is all that a snapshot has to keep.
 */
export class Random {
  #draws: number

  constructor(
    readonly seed: number,
    draws = 0,
  ) {
    this.#draws = draws
  }

  /** How many numbers were drawn since the seed was set. */
  get draws(): number {
    return this.#draws
  }

  /** The next number, from 0 up to but not including 1. */
  next(): number {
    this.#draws += 1
    let state = (this.seed + Math.imul(this.#draws, 0x9e3779b9)) | 0
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    state = Math.imul(state ^ (state >>> 15), 0x735a2d97)
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32
  }

  /** A text of so many letters and digits. */
  nextText(length: number): string {
    let text = ''
    while (text.length < length) text += alphabet[Math.floor(this.next() * alphabet.length)]
    return text
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
