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
  readonly #ended: Promise<void>
  #received = Buffer.alloc(0)
  #cause: 'ended' | 'reset' | undefined
  #wake: () => void = () => {}

  /** @param localAddress Address from which the client connects. */
  constructor(port: number, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    // An invalid request may cause a reset.
    this.#socket.on('error', () => {
      this.#cause = 'reset'
    })
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    this.#ended = new Promise((resolve) => {
      this.#socket.on('close', () => {
        this.#cause ??= 'ended'
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
    return this.#ended
  }

  /** Closes the connection. */
  abort(): void {
    this.#socket.destroy()
  }

  /** Closes the side of the client, which can still receive. */
  end(): void {
    this.#socket.end()
  }

  /** Stops reading until `resume` is called. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** How the connection has closed; undefined while it is open. */
  get cause(): 'ended' | 'reset' | undefined {
    return this.#cause
  }

  /** The received bytes that are not yet parsed as a response. */
  get rest(): string {
    return this.#received.toString('latin1')
  }

  /** Waits until a string has been received, and returns all unparsed bytes. */
  async until(text: string): Promise<string> {
    while (!this.rest.includes(text)) await this.#require()
    return this.rest
  }

  /** Waits for the next response. Rejects if the connection is closed before it is complete. */
  async response(method = 'GET'): Promise<RawResponse> {
    for (;;) {
      const response = this.#parse(method)
      if (response) return response
      await this.#require()
    }
  }

  /** Waits for more bytes. Resolves to false if the connection has closed. */
  async more(): Promise<boolean> {
    const { length } = this.#received
    if (this.#cause === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#received.length > length
  }

  /** Removes the first of the received bytes, and returns them. */
  take(length: number): Buffer {
    const taken = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return taken
  }

  #parse(method: string): RawResponse | undefined {
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
    if (this.#received.length < headEnd + 4 + length) return undefined
    this.take(headEnd + 4)
    const text = this.take(length).toString('utf8')
    return { status: Number(statusLine.split(' ')[1]), headers, text }
  }

  async #require(): Promise<void> {
    if (await this.more()) return
    throw new Error(`the connection ended after ${JSON.stringify(this.rest)}`)
  }
}
