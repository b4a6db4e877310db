import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** A request to the server under attack. */
export interface Sent {
  /** Default: GET. */
  readonly method?: string
  readonly path: string
  /** Default: the key of the client. */
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON; a string or bytes as they are, with the content type of JSON. */
  readonly body?: unknown
  /** Closes the connection after this time in milliseconds if the response is not complete. */
  readonly abortAfterMs?: number
}

/** A response. Its status is 0 if the connection ended before the response was complete. */
export interface Reply {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** A client at a loopback address, with connections of its own. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000 })

  constructor(
    readonly port: number,
    readonly from: string,
    readonly apiKey: string | undefined,
    readonly signal: AbortSignal,
  ) {}

  /** Sends a request. Never rejects. */
  send(sent: Sent): Promise<Reply> {
    const { method = 'GET', path, apiKey = this.apiKey, headers = {}, abortAfterMs } = sent
    const body = toBytes(sent.body)
    const options = {
      host: '127.0.0.1',
      port: this.port,
      localAddress: this.from,
      agent: this.#agent,
      signal: this.signal,
      method,
      path,
      headers: {
        ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
        ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.byteLength }),
        ...headers,
      },
    }
    return new Promise((resolve) => {
      const fail = (error: Error) => resolve({ status: 0, headers: {}, text: error.message })
      const req = request(options, (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk) => chunks.push(chunk)).on('error', fail)
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: res.statusCode ?? 0, headers: toRecord(res.headers), text })
        })
      })
      // The server may have closed an idle connection while the request was on its way. Clients repeat
      // such a request.
      const repeatOrFail = (error: Error) =>
        req.reusedSocket && !this.signal?.aborted && abortAfterMs === undefined
          ? resolve(this.send(sent))
          : fail(error)
      req.on('error', repeatOrFail).end(body)
      if (abortAfterMs !== undefined) setTimeout(() => req.destroy(), abortAfterMs)
    })
  }

  /**
   * Sends a request that must succeed, for example to prepare a world.
   *
   * @throws {Error} If the status is not 2xx.
   */
  async expect(sent: Sent): Promise<Reply> {
    const reply = await this.send(sent)
    if (reply.status >= 200 && reply.status < 300) return reply
    const what = `${sent.method ?? 'GET'} ${sent.path}`
    throw new Error(`${what} responded with ${reply.status}: ${reply.text.slice(0, 200)}`)
  }

  /**
   * Asks the sandbox for a key with a random label, as a partner does. With a key secret, it accepts
   * no other keys with a label.
   *
   * @throws {Error} If the sandbox creates no key.
   */
  async createKey(plan: string, scenario: string): Promise<string> {
    const body = { plan, scenario }
    const sent = { method: 'POST', path: '/sandbox/keys', apiKey: 'sbx_free', body }
    const { text } = await this.expect(sent)
    return String(JSON.parse(text).apiKey)
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Opens a connection from a loopback address. Errors close it. */
export function openSocket(port: number, from: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from, allowHalfOpen: true })
  return socket.on('error', () => {})
}

/** Resolves when a part of a response has arrived, or the server has closed the connection. */
export function waitForResponse(socket: Socket): Promise<void> {
  return waitFor(socket, 'data', 'end', 'close')
}

/**
 * Resolves at the first of the events. Unlike `once` of node:events, does not reject on an error, which
 * closes the socket.
 */
export function waitFor(
  socket: Socket,
  ...events: ('close' | 'data' | 'drain' | 'end')[]
): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      for (const event of events) socket.off(event, finish)
      resolve()
    }
    for (const event of events) socket.on(event, finish)
  })
}

/** Formats a request with the Host header and the length of its body. */
export function toRawRequest(
  line: string,
  headers: readonly string[] = [],
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body)
  const length = bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]
  const head = [`${line} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, ...length, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** Runs an action for each index, at most `width` at the same time, until the signal is aborted. */
export async function inParallel(
  count: number,
  width: number,
  signal: AbortSignal,
  action: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count && !signal.aborted) await action(next++)
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, work))
}

function toBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function toRecord(headers: NodeJS.Dict<string | string[]>): Reply['headers'] {
  const entries = Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
}
