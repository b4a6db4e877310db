const encoder = new TextEncoder()
const beyondAscii = /[^\0-\x7f]/

/** The text of a body: JSON, unless a fault states another one. */
export class JsonText {
  /** Size in UTF-8, in bytes. */
  readonly byteLength: number
  /** What a journal retains of the body. Set by the first response that is recorded. */
  recorded: string | undefined
  #bytes: Uint8Array | undefined

  constructor(readonly text: string) {
    this.byteLength = beyondAscii.test(text) ? this.bytes.byteLength : text.length
  }

  /** Serializes a value. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value))
  }

  /** The text in UTF-8, encoded on first use. */
  get bytes(): Uint8Array {
    this.#bytes ??= encoder.encode(this.text)
    return this.#bytes
  }
}
