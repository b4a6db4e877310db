const encoder = new TextEncoder()
const ascii = /^[\0-\x7f]*$/

/** A body as JSON text. Its size and bytes are computed once, however often it is sent. */
export class JsonText {
  #bytes: Uint8Array | undefined

  /** @param byteLength Size in UTF-8, in bytes. */
  constructor(
    readonly text: string,
    readonly byteLength = measure(text),
  ) {}

  /** Wraps text that is known to be ASCII, so that its size need not be computed. */
  static ofAscii(text: string): JsonText {
    return new JsonText(text, text.length)
  }

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
