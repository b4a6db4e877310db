/** A response as it was received, perhaps in part. */
export interface ParsedResponse {
  /** The status line and the header lines. */
  readonly head: readonly string[]
  readonly status: number
  /** By lower-case name. Repeated headers are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>
  /** The received part of the body, without the lengths of chunks. */
  readonly body: Buffer
  readonly isComplete: boolean
  /** Number of its bytes on the connection. */
  readonly length: number
}

type ParsedBody = Pick<ParsedResponse, 'body' | 'isComplete' | 'length'>

const statusLine = /^HTTP\/1\.[01] ([1-5]\d\d) [^\r\n]*$/
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([^\r\n]*)$/

/**
 * Parses the first response that a server has sent on a connection (RFC 9112). Returns undefined until
 * its head is complete.
 *
 * @param isHead Whether the response has no body, because the request is a HEAD request.
 * @param isClosed Whether the server has closed the connection, which ends a body without a length.
 * @throws {Error} If the bytes are not a response.
 */
export function parseResponse(
  bytes: Buffer,
  isHead: boolean,
  isClosed: boolean,
): ParsedResponse | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, status] = statusLine.exec(head[0] ?? '') ?? []
  if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(head[0])}`)
  const headers = readHeaders(head.slice(1))
  const rest = bytes.subarray(headEnd + 4)
  const hasBody = !isHead && !/^(1..|204|304)$/.test(status)
  const read = hasBody
    ? readBody(rest, headers, isClosed)
    : { body: Buffer.alloc(0), isComplete: true, length: 0 }
  return { head, status: Number(status), headers, ...read, length: headEnd + 4 + read.length }
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (name === undefined) throw new Error(`not a header line: ${JSON.stringify(line)}`)
    const key = name.toLowerCase()
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value)
  }
  return headers
}

function readBody(
  rest: Buffer,
  headers: ReadonlyMap<string, string>,
  isClosed: boolean,
): ParsedBody {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest)
  const stated = headers.get('content-length')
  if (stated === undefined) return { body: rest, isComplete: isClosed, length: rest.length }
  if (!/^\d+$/.test(stated)) throw new Error(`not a length: ${JSON.stringify(stated)}`)
  const body = rest.subarray(0, Number(stated))
  return { body, isComplete: body.length === Number(stated), length: body.length }
}

function readChunks(rest: Buffer): ParsedBody {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return { body: Buffer.concat(chunks), isComplete: false, length: rest.length }
    const line = rest.toString('latin1', at, lineEnd)
    if (!/^[\da-f]+$/i.test(line)) throw new Error(`not a chunk size: ${JSON.stringify(line)}`)
    const size = Number.parseInt(line, 16)
    at = lineEnd + 2 + size + 2
    chunks.push(rest.subarray(lineEnd + 2, at - 2))
    const isWhole = rest.length >= at
    if (isWhole && size > 0) continue
    return { body: Buffer.concat(chunks), isComplete: isWhole, length: Math.min(at, rest.length) }
  }
}
