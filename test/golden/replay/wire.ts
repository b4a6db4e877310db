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
  const received = await connection.receive(method)
  const { head = [], body = Buffer.from(connection.rest, 'latin1') } = received ?? {}
  return received?.isComplete ? { head, body } : { head, body, cutOff: connection.cause ?? 'ended' }
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
