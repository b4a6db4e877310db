/** A response as it was received. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name; repeated headers are joined. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** The responses on one connection. */
export interface ParsedResponses {
  readonly responses: readonly RawResponse[]
  /** Whether the last response is incomplete. */
  readonly isIncomplete: boolean
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [^\r\n]*$/
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([^\r\n]*)$/

/**
 * Parses everything that a server has sent on a connection (RFC 9112).
 *
 * @param isHead Whether the responses have no bodies, because the requests are HEAD requests.
 * @param isClosed Whether the server has closed the connection, which ends a body without a length.
 * @throws {Error} If the bytes are not a sequence of responses.
 */
export function parseResponses(bytes: Buffer, isHead: boolean, isClosed: boolean): ParsedResponses {
  const responses: RawResponse[] = []
  let at = 0
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return { responses, isIncomplete: true }
    const { status, headers } = parseHead(bytes.toString('latin1', at, headEnd))
    const found = readBody(bytes.subarray(headEnd + 4), status, headers, isHead, isClosed)
    if (!found) return { responses, isIncomplete: true }
    responses.push({ status, headers, body: found.body })
    at = headEnd + 4 + found.length
  }
  return { responses, isIncomplete: false }
}

function parseHead(text: string): Pick<RawResponse, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status] = statusLine.exec(first) ?? []
  if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(first)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? []
    if (name === undefined) throw new Error(`not a header line: ${JSON.stringify(line)}`)
    const key = name.toLowerCase()
    headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value)
  }
  return { status: Number(status), headers }
}

/** Returns the body and its length on the connection. Undefined if it is incomplete. */
function readBody(
  rest: Buffer,
  status: number,
  headers: RawResponse['headers'],
  isHead: boolean,
  isClosed: boolean,
): { body: Buffer; length: number } | undefined {
  if (isHead || status < 200 || status === 204 || status === 304) {
    return { body: Buffer.alloc(0), length: 0 }
  }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest)
  const stated = headers.get('content-length')
  if (stated === undefined) return isClosed ? { body: rest, length: rest.length } : undefined
  if (!/^\d+$/.test(stated)) throw new Error(`not a length: ${JSON.stringify(stated)}`)
  const length = Number(stated)
  return rest.length < length ? undefined : { body: rest.subarray(0, length), length }
}

function readChunks(rest: Buffer): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const line = rest.toString('latin1', at, lineEnd)
    if (!/^[\da-f]+$/i.test(line)) throw new Error(`not a chunk size: ${JSON.stringify(line)}`)
    const size = Number.parseInt(line, 16)
    const end = lineEnd + 2 + size + 2
    if (rest.length < end) return undefined
    chunks.push(rest.subarray(lineEnd + 2, end - 2))
    at = end
    if (size === 0) return { body: Buffer.concat(chunks), length: at }
  }
}
