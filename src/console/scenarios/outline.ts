/** A value of a JSON document and where it is. */
export interface JsonNode {
  /** Offset of the value, or of its name if it is a field. */
  readonly start: number
  /** Offset after the value. */
  end: number
  /** Fields by name. Of fields with the same name, the last one, which `JSON.parse` keeps. */
  fields?: Map<string, JsonNode>
  items?: JsonNode[]
}

/** The structure of a JSON document. */
export interface JsonOutline {
  readonly root: JsonNode
  /** Names that an object has already, with the offset of the later one. */
  readonly repeated: readonly { readonly name: string; readonly start: number }[]
}

/** Thrown for a string that is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError'

  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

/** Maximum nesting; the sandbox accepts fewer levels. */
const maximumDepth = 500

/**
 * Returns where the values of a JSON document are. Accepts what `JSON.parse` accepts, up to a
 * nesting of 500. Does not convert numbers, so that their size does not matter.
 *
 * @throws {JsonSyntaxError} If it is not JSON.
 */
export function outlineJson(text: string): JsonOutline {
  return new Scanner(text).scan()
}

class Scanner {
  #at = 0
  #depth = 0
  readonly #repeated: { name: string; start: number }[] = []

  constructor(readonly text: string) {}

  scan(): JsonOutline {
    this.#skipSpace()
    const root = this.#readValue(this.#at)
    this.#skipSpace()
    if (this.#at < this.text.length) throw this.#unexpected('the end of the document')
    return { root, repeated: this.#repeated }
  }

  /** @param start Offset of the node. */
  #readValue(start: number): JsonNode {
    const node: JsonNode = { start, end: start }
    const first = this.text[this.#at]
    if (first === '{') node.fields = this.#readNested(() => this.#readFields())
    else if (first === '[') node.items = this.#readNested(() => this.#readItems())
    else if (first === '"') this.#readString()
    else this.#readWord()
    node.end = this.#at
    return node
  }

  #readNested<T>(read: () => T): T {
    if (this.#depth === maximumDepth) {
      throw new JsonSyntaxError(`nested in more than ${maximumDepth} levels`, this.#at)
    }
    this.#depth += 1
    const nested = read()
    this.#depth -= 1
    return nested
  }

  #readFields(): Map<string, JsonNode> {
    const fields = new Map<string, JsonNode>()
    this.#readList('}', 'a name in double quotes', () => {
      const start = this.#at
      if (this.text[start] !== '"') throw this.#unexpected('a name in double quotes')
      const name = this.#readString()
      this.#skipSpace()
      if (this.text[this.#at] !== ':') throw this.#unexpected('a colon after the name')
      this.#at += 1
      this.#skipSpace()
      if (fields.has(name)) this.#repeated.push({ name, start })
      fields.set(name, this.#readValue(start))
    })
    return fields
  }

  #readItems(): JsonNode[] {
    const items: JsonNode[] = []
    this.#readList(']', 'a value', () => items.push(this.#readValue(this.#at)))
    return items
  }

  /** Reads the entries of an array or object, with the brackets and commas. */
  #readList(close: string, entry: string, readEntry: () => void): void {
    this.#at += 1
    this.#skipSpace()
    if (this.text[this.#at] === close) {
      this.#at += 1
      return
    }
    for (;;) {
      readEntry()
      this.#skipSpace()
      const next = this.text[this.#at]
      if (next !== ',' && next !== close) throw this.#unexpected(`a comma or ${close}`)
      this.#at += 1
      if (next === close) return
      const comma = this.#at - 1
      this.#skipSpace()
      if (this.text[this.#at] === close) {
        throw new JsonSyntaxError(`expected ${entry} after the comma, found ${close}`, comma)
      }
    }
  }

  #readString(): string {
    const start = this.#at
    for (let at = start + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at)
      if (code === 0x22) {
        this.#at = at + 1
        return parseString(this.text.slice(start, at + 1), start)
      }
      if (code === 0x5c) at += 1
      else if (code < 0x20) break
    }
    throw new JsonSyntaxError('the string has no closing double quote', start)
  }

  #readWord(): void {
    const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
    word.lastIndex = this.#at
    if (!word.test(this.text)) throw this.#unexpected('a value')
    this.#at = word.lastIndex
  }

  #skipSpace(): void {
    const space = /[ \t\n\r]*/y
    space.lastIndex = this.#at
    space.test(this.text)
    this.#at = space.lastIndex
  }

  #unexpected(wanted: string): JsonSyntaxError {
    const rest = this.text.slice(this.#at, this.#at + 20)
    const word = /^[\w.+-]{1,20}|^./su.exec(rest)?.[0]
    const found = word === undefined ? 'the end of the document' : JSON.stringify(word)
    return new JsonSyntaxError(`expected ${wanted}, found ${found}`, this.#at)
  }
}

/** Converts a string with its quotes. */
function parseString(json: string, start: number): string {
  try {
    return JSON.parse(json)
  } catch {
    const at = /\\(?!["\\/bfnrt]|u[\da-fA-F]{4})/.exec(json.replace(/\\\\/g, '__'))?.index ?? 0
    const found = JSON.stringify(json.slice(at, at + 2))
    throw new JsonSyntaxError(`${found} is not an escape sequence`, start + at)
  }
}
