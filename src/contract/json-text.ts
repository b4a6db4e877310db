const encoder = new TextEncoder()
// Text of ASCII alone is as many bytes as characters.
const ascii = /^[\0-\x7f]*$/

/** A body as JSON text: written once, its size counted once, however often it is sent. */
export class JsonText {
  #byteLength: number | undefined
  #bytes: Uint8Array | undefined

  constructor(readonly text: string) {}

  /** Text that is known to be ASCII alone, so that nobody has to look through it. */
  static ofAscii(text: string): JsonText {
    const json = new JsonText(text)
    json.#byteLength = text.length
    return json
  }

  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value))
  }

  /** Bytes in UTF-8. */
  get byteLength(): number {
    this.#byteLength ??= ascii.test(this.text)
      ? this.text.length
      : encoder.encode(this.text).byteLength
    return this.#byteLength
  }

  /** The text in UTF-8, made when it is first asked for and kept. */
  get bytes(): Uint8Array {
    this.#bytes ??= encoder.encode(this.text)
    return this.#bytes
  }
}
