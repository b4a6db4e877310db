const encoder = new TextEncoder()
const ascii = /^[\0-\x7f]*$/

/** A body as JSON text. Its size and bytes are computed once, however often it is sent. */
export class JsonText {
  #byteLength: number | undefined
  #bytes: Uint8Array | undefined

  constructor(readonly text: string) {}

  /** Wraps text that is known to be ASCII, which makes its size known. */
  static ofAscii(text: string): JsonText {
    const json = new JsonText(text)
    json.#byteLength = text.length
    return json
  }

  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value))
  }

  /** Size in UTF-8, in bytes. */
  get byteLength(): number {
    this.#byteLength ??= ascii.test(this.text)
      ? this.text.length
      : encoder.encode(this.text).byteLength
    return this.#byteLength
  }

  /** The text in UTF-8; encoded on first use and cached. */
  get bytes(): Uint8Array {
    this.#bytes ??= encoder.encode(this.text)
    return this.#bytes
  }
}
