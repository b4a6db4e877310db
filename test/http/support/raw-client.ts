import { connect, type Socket } from 'node:net'

/** An answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number
  /** By lower-case name; several are joined by `, `. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** A client that sends any bytes over one connection and reads what comes back. */
export class RawClient {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #received = Buffer.alloc(0)
  #isClosed = false
  #wake: () => void = () => {}

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    // Hostile requests may well end in a reset.
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

  /** Sends text as one byte for each character, or bytes. */
  send(bytes: string | Uint8Array): this {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
    return this
  }

  /** Resolves when the server has ended the connection. */
  closed(): Promise<void> {
    return this.#closed
  }

  /** Breaks the connection off. */
  abort(): void {
    this.#socket.destroy()
  }

  /** Reads no more until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** What was received and not read as an answer. */
  get rest(): string {
    return this.#received.toString('latin1')
  }

  /** Reads until a text has arrived. */
  async until(text: string): Promise<string> {
    while (!this.rest.includes(text)) await this.#more()
    return this.rest
  }

  /** Reads the next answer. Rejects when the connection ends before it is whole. */
  async answer(method = 'GET'): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take(method)
      if (answer) return answer
      await this.#more()
    }
  }

  #take(method: string): RawAnswer | undefined {
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
