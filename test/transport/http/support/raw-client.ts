import { connect, type Socket } from 'node:net'

/** A response as it was received. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name. Repeated headers are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** A client that sends arbitrary bytes over one connection and parses the responses. */
export class RawClient {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #received = Buffer.alloc(0)
  #isClosed = false
  #wake: () => void = () => {}

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    // An invalid request may cause a reset.
    this.#socket.on('error', () => {})
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    this.#closed = new Promise((resolve) => {
      this.#socket.on('close', () => {
        this.#isClosed = true
        this.#wake()
        resolve()
      })
    })
  }

  /** Sends bytes, or a string with one byte per character. */
  send(bytes: string | Uint8Array): this {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Resolves when the connection is closed. */
  closed(): Promise<void> {
    return this.#closed
  }

  /** Closes the connection. */
  abort(): void {
    this.#socket.destroy()
  }

  /** Stops reading until `resume` is called. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** The received bytes that are not yet parsed as a response. */
  get rest(): string {
    return this.#received.toString('latin1')
  }

  /** Waits until a string has been received, and returns all unparsed bytes. */
  async until(text: string): Promise<string> {
    while (!this.rest.includes(text)) await this.#more()
    return this.rest
  }

  /** Waits for the next response. Rejects if the connection is closed before it is complete. */
  async response(method = 'GET'): Promise<RawResponse> {
    for (;;) {
      const response = this.#take(method)
      if (response) return response
      await this.#more()
    }
  }

  #take(method: string): RawResponse | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd < 0) return undefined
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n')
    const headers = new Map<string, string>()
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? []
      const key = name.toLowerCase()
      headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value)
    }
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length') ?? 0)
    const end = headEnd + 4 + length
    if (this.#received.length < end) return undefined
    const text = this.#received.toString('utf8', headEnd + 4, end)
    this.#received = this.#received.subarray(end)
    return { status: Number(statusLine.split(' ')[1]), headers, text }
  }

  #more(): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(new Error(`the connection ended after ${JSON.stringify(this.rest)}`))
    }
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}
