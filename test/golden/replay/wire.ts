import { connect, type Socket } from 'node:net'
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
  #connection: Connection | undefined

  constructor(port: number) {
    this.#port = port
  }

  async send(request: SentRequest): Promise<WireResponse> {
    const connection = this.#connection ?? new Connection(this.#port)
    this.#connection = connection
    const response = await connection.exchange(request)
    const closes = response.head.some((line) => /^connection: *close$/i.test(line))
    if (closes) await connection.ended()
    if (closes || response.cutOff) this.#connection = undefined
    return response
  }

  close(): void {
    this.#connection?.close()
  }
}

class Connection {
  readonly #socket: Socket
  readonly #chunks: AsyncIterator<Buffer>
  #received = Buffer.alloc(0)
  #closed: 'ended' | 'reset' | undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    // A reset is also the end of the iterator. This one is for a request that is still being sent.
    this.#socket.on('error', () => {})
    this.#chunks = this.#socket[Symbol.asyncIterator]()
  }

  async exchange(request: SentRequest): Promise<WireResponse> {
    this.#socket.write(toHead(request), 'latin1')
    if (request.body) this.#socket.write(request.body)
    while (!this.#received.includes('\r\n\r\n')) {
      if (!(await this.#more())) return this.#toResponse([], this.#take(Infinity), false)
    }
    const head = this.#takeLine('\r\n\r\n').split('\r\n')
    if (!hasBody(request.method, head)) return this.#toResponse(head, this.#take(0), true)
    if (head.some((line) => /^transfer-encoding: *chunked$/i.test(line))) {
      return this.#readChunks(head)
    }
    const length = readLength(head)
    while (this.#received.length < length && (await this.#more()));
    const body = this.#take(length)
    return this.#toResponse(head, body, body.length === length)
  }

  /** Waits until the server closes the connection. */
  async ended(): Promise<void> {
    while (await this.#more());
  }

  close(): void {
    this.#socket.destroy()
  }

  async #readChunks(head: readonly string[]): Promise<WireResponse> {
    const parts: Buffer[] = []
    for (;;) {
      while (!this.#received.includes('\r\n')) {
        if (!(await this.#more())) return this.#toResponse(head, Buffer.concat(parts), false)
      }
      const length = Number.parseInt(this.#takeLine('\r\n'), 16)
      while (this.#received.length < length + 2 && (await this.#more()));
      const isWhole = this.#received.length >= length + 2
      parts.push(this.#take(length))
      if (!isWhole || length === 0) {
        this.#take(2)
        return this.#toResponse(head, Buffer.concat(parts), isWhole)
      }
      this.#take(2)
    }
  }

  #toResponse(head: readonly string[], body: Buffer, isComplete: boolean): WireResponse {
    return isComplete ? { head, body } : { head, body, cutOff: this.#closed ?? 'ended' }
  }

  /** Waits for more bytes. Returns whether there are any. */
  async #more(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next()
      if (done) this.#closed = 'ended'
      else this.#received = Buffer.concat([this.#received, value])
      return !done
    } catch {
      this.#closed = 'reset'
      return false
    }
  }

  #take(length: number): Buffer {
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }

  #takeLine(end: string): string {
    const line = this.#take(this.#received.indexOf(end)).toString('latin1')
    this.#take(end.length)
    return line
  }
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
