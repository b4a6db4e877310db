const encoder = new TextEncoder()
const decoder = new TextDecoder()
const ascii = /^[\0-\x7f]*$/

/** Maximum number of bytes of one UTF-16 code unit in UTF-8. */
const maximumUnitBytes = 3

/**
 * A body as JSON. Created from a string, from UTF-8, or from parts that follow each other. The other
 * forms are created on first use and cached.
 */
export class JsonText {
  #text: string | undefined
  #bytes: Uint8Array | undefined
  #parts: readonly JsonText[] | undefined
  /** What a journal retains of the body. Set by the first response that is recorded. */
  recorded: string | undefined

  /** @param byteLength Size in UTF-8, in bytes. */
  constructor(
    text: string,
    readonly byteLength = measure(text),
  ) {
    this.#text = text
  }

  /** Wraps a string that is known to be ASCII. Its size is its length. */
  static ofAscii(text: string): JsonText {
    return new JsonText(text, text.length)
  }

  /** Serializes a value. */
  static of(value: unknown): JsonText {
    return new JsonText(JSON.stringify(value))
  }

  /** Wraps valid UTF-8. The bytes must not change afterwards. */
  static ofBytes(bytes: Uint8Array): JsonText {
    const body = new JsonText('', bytes.byteLength)
    body.#text = undefined
    body.#bytes = bytes
    return body
  }

  /** Joins parts without copying them. */
  static join(parts: readonly JsonText[]): JsonText {
    const body = new JsonText(
      '',
      parts.reduce((total, part) => total + part.byteLength, 0),
    )
    body.#text = undefined
    body.#parts = parts
    return body
  }

  get text(): string {
    this.#text ??= this.#parts
      ? this.#parts.map(({ text }) => text).join('')
      : decoder.decode(this.#bytes)
    return this.#text
  }

  /** The text in UTF-8. */
  get bytes(): Uint8Array {
    this.#bytes ??= this.#parts ? concat(this.#parts, this.byteLength) : encoder.encode(this.text)
    return this.#bytes
  }

  /** The parts, or the whole text as one part. */
  get parts(): readonly JsonText[] {
    return this.#parts ?? [this]
  }

  /** Returns the text up to a length. Decodes no more than that. */
  head(length: number): string {
    if (this.#text !== undefined) return this.#text.slice(0, length)
    if (!this.#parts) {
      return decoder.decode(this.bytes.subarray(0, length * maximumUnitBytes)).slice(0, length)
    }
    let head = ''
    for (const part of this.#parts) {
      if (head.length >= length) break
      head += part.head(length - head.length)
    }
    return head
  }
}

function measure(text: string): number {
  return ascii.test(text) ? text.length : encoder.encode(text).byteLength
}

function concat(parts: readonly JsonText[], byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength)
  let at = 0
  for (const part of parts) {
    bytes.set(part.bytes, at)
    at += part.byteLength
  }
  return bytes
}
