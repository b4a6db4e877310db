import { connect, type Socket } from 'node:net'
import { type ParsedResponse, parseResponse } from './raw-response.js'

/** A complete response. */
export interface RawResponse extends Pick<ParsedResponse, 'status' | 'headers'> {
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
    while (!this.rest.includes(text)) if (!(await this.more())) throw this.#createError()
    return this.rest
  }

  /** Waits for the next response. Rejects if the connection is closed before it is complete. */
  async response(method = 'GET'): Promise<RawResponse> {
    const received = await this.receive(method)
    if (!received?.isComplete) throw this.#createError()
    const { status, headers, body } = received
    return { status, headers, text: body.toString('utf8') }
  }

  /**
   * Waits for the next response, or for the end of the connection. Returns what has arrived of the
   * response; undefined if its head is incomplete.
   */
  async receive(method = 'GET'): Promise<ParsedResponse | undefined> {
    for (;;) {
      const isClosed = this.#cause !== undefined
      const parsed = parseResponse(this.#received, method === 'HEAD', isClosed)
      if (parsed?.isComplete) this.#received = this.#received.subarray(parsed.length)
      if (parsed?.isComplete || isClosed) return parsed
      await this.more()
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

  #createError(): Error {
    return new Error(`the connection ended after ${JSON.stringify(this.rest)}`)
  }
}
