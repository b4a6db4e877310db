import { RawClient } from '../../support/raw-client.js'
import type { SentRequest } from '../../support/transport.js'

/** A response as its bytes. */
export interface WireResponse {
  /** The status line and the header lines; empty if the connection closed before them. */
  readonly head: readonly string[]
  /** The received part of the body, without the lengths of chunks. */
  readonly body: Buffer
  /** How the connection closed, if that cut the response off. */
  readonly cutOff?: 'ended' | 'reset'
}

/** A client that sends requests over one connection, and opens another one if that closes. */
export class WireClient {
  readonly #port: number
  #connection: RawClient | undefined

  constructor(port: number) {
    this.#port = port
  }

  async send(request: SentRequest): Promise<WireResponse> {
    const connection = this.#connection ?? new RawClient(this.#port)
    this.#connection = connection
    connection.send(toHead(request))
    if (request.body) connection.send(request.body)
    const response = await readResponse(connection, request.method)
    const closes = response.head.some((line) => /^connection: *close$/i.test(line))
    if (closes) await connection.closed()
    if (closes || response.cutOff) this.#connection = undefined
    return response
  }

  close(): void {
    this.#connection?.abort()
  }
}

async function readResponse(connection: RawClient, method: string): Promise<WireResponse> {
  const toResponse = (head: readonly string[], body: Buffer, isComplete: boolean) =>
    isComplete ? { head, body } : { head, body, cutOff: connection.cause ?? 'ended' }
  const head = (await readLine(connection, '\r\n\r\n'))?.split('\r\n')
  if (!head) return toResponse([], connection.take(Infinity), false)
  if (!hasBody(method, head)) return toResponse(head, Buffer.alloc(0), true)
  if (!head.some((line) => /^transfer-encoding: *chunked$/i.test(line))) {
    const length = readLength(head)
    const body = await readBytes(connection, length)
    return toResponse(head, body, body.length === length)
  }
  const parts: Buffer[] = []
  for (;;) {
    const line = await readLine(connection, '\r\n')
    if (line === undefined) return toResponse(head, Buffer.concat(parts), false)
    const length = Number.parseInt(line, 16)
    const chunk = await readBytes(connection, length + 2)
    parts.push(chunk.subarray(0, length))
    const isWhole = chunk.length === length + 2
    if (!isWhole || length === 0) return toResponse(head, Buffer.concat(parts), isWhole)
  }
}

/** Reads the text before a separator, and removes both. Undefined if the connection closes before. */
async function readLine(connection: RawClient, end: string): Promise<string | undefined> {
  while (!connection.rest.includes(end)) if (!(await connection.more())) return undefined
  const line = connection.take(connection.rest.indexOf(end)).toString('latin1')
  connection.take(end.length)
  return line
}

/** Reads a number of bytes; fewer if the connection closes before. */
async function readBytes(connection: RawClient, length: number): Promise<Buffer> {
  while (connection.rest.length < length && (await connection.more()));
  return connection.take(length)
}

/** Returns the request line and the headers that every client of HTTP/1.1 adds. */
function toHead({ method, url, headers, body }: SentRequest): string {
  const { host } = new URL(url)
  const target = url.slice(url.indexOf(host) + host.length).replace(/#.*/, '')
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
  if (!hasHost) lines.unshift(`Host: ${host}`)
  if (body) lines.push(`Content-Length: ${body.byteLength}`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

function hasBody(method: string, [statusLine = '']: readonly string[]): boolean {
  return method !== 'HEAD' && !['204', '304'].includes(statusLine.split(' ')[1] ?? '')
}

function readLength(head: readonly string[]): number {
  const line = head.find((candidate) => /^content-length:/i.test(candidate))
  return line === undefined
    ? Number.POSITIVE_INFINITY
    : Number(line.slice('content-length:'.length))
}
