const encoder = new TextEncoder()
const ascii = /^[\0-\x7f]*$/

/** A body as JSON. Its size and bytes are computed once and cached. */
export class JsonText {
  #bytes: Uint8Array | undefined

  /** @param byteLength Size in UTF-8, in bytes. */
  constructor(
    readonly text: string,
    readonly byteLength = measure(text),
  ) {}

  /** Wraps a string that is known to be ASCII. Its size is its length. */
  static ofAscii(text: string): JsonText {
    return new JsonText(text, text.length)
  }

  /** Serializes a value. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value))
  }

  /** The text in UTF-8; encoded on first use and cached. */
  get bytes(): Uint8Array {
    this.#bytes ??= encoder.encode(this.text)
    return this.#bytes
  }
}

function measure(text: string): number {
  return ascii.test(text) ? text.length : encoder.encode(text).byteLength
}
