import {
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'

/** The field in which Node.js keeps the header section until it is sent. Not documented. */
type UnsentHead = ServerResponse & { _header?: unknown }

/**
 * Writes the header sections of the responses of one server.
 *
 * `writeHead` of Node.js validates each name and value of each response, which takes a seventh of
 * the CPU time of a short response (measured). Most responses differ from the one before in a single
 * line. This class validates only the lines that differ, and passes the whole section to Node.js
 * with the lines that Node.js itself has added to an earlier response. Where it cannot do so, it
 * calls `writeHead`.
 */
export class HeadWriter {
  readonly #names: string[] = []
  readonly #values: string[] = []
  readonly #lines: string[] = []
  /** Number of names and values in the latest header section. */
  #length = 0
  /** Whether the names of the latest section are those of most responses. */
  #isOrdinary = false
  /**
   * What Node.js adds to a response on a connection that stays open, from `Connection` to the empty
   * line. Undefined before the first of them; null if Node.js does not keep the header section in
   * the expected field.
   */
  #end: string | null | undefined

  /**
   * Writes a header section. Returns whether the body is written too: Node.js then sends both in one
   * write when the response ends.
   *
   * @param headers Name, value, name, value.
   * @param body A whole body in ASCII; empty for none or another.
   */
  write(res: ServerResponse, status: number, headers: readonly string[], body: string): boolean {
    if (this.#end === null || !isPlain(res)) {
      writeHead(res, status, headers)
      return false
    }
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${this.#join(headers)}`
    if (!this.#isOrdinary || this.#end === undefined) {
      writeHead(res, status, headers)
      if (this.#isOrdinary) this.#end = readEnd(res, start)
      return false
    }
    res.statusCode = status
    ;(res as UnsentHead)._header = start + this.#end + body
    return body !== ''
  }

  #join(headers: readonly string[]): string {
    let section = ''
    let hasOtherNames = headers.length !== this.#length
    // After an invalid line, the next section is not compared with this one.
    this.#length = 0
    for (let at = 0; at < headers.length; at += 2) {
      const name = headers[at] ?? ''
      hasOtherNames ||= name !== this.#names[at]
      section += this.#toLine(at, name, headers[at + 1] ?? '')
    }
    this.#length = headers.length
    if (hasOtherNames) this.#isOrdinary = hasOrdinaryNames(headers)
    return section
  }

  /** Returns a header line. Validates it unless the response before has the same. */
  #toLine(at: number, name: string, value: string): string {
    const known = this.#lines[at]
    if (known !== undefined && this.#values[at] === value && this.#names[at] === name) return known
    validateHeaderName(name)
    validateHeaderValue(name, value)
    this.#names[at] = name
    this.#values[at] = value
    const line = `${name}: ${value}\r\n`
    this.#lines[at] = line
    return line
  }
}

function writeHead(res: ServerResponse, status: number, headers: readonly string[]): void {
  // The cast is safe: Node.js only reads the list.
  res.writeHead(status, headers as string[])
}

/**
 * Whether a response has no header yet, and its connection stays open. After an unanswered
 * `Expect: 100-continue`, Node.js closes the connection.
 */
function isPlain(res: ServerResponse): boolean {
  const isOpen = res.shouldKeepAlive && res.req.headers.expect === undefined
  return isOpen && res.getHeaderNames().length === 0
}

/** Whether Node.js adds the same lines to all of these responses: those with a date and a length. */
function hasOrdinaryNames(headers: readonly string[]): boolean {
  const names = headers.filter((_, at) => at % 2 === 0)
  return names.includes('Date') && names.includes('Content-Length') && !names.includes('Connection')
}

/** Returns what Node.js has added to a header section, or null if the section is not found. */
function readEnd(res: ServerResponse, start: string): string | null {
  const { _header: section } = res as UnsentHead
  if (typeof section !== 'string' || !section.startsWith(start)) return null
  return section.slice(start.length)
}
