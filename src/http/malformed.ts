import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../contract/errors.js'
import type { HttpConnections } from './connections.js'
import type { HttpLimits } from './limits.js'
import { endSocket } from './linger.js'
import { sendApiResponse, toProblemResponse } from './respond.js'

/** What Node reports of a connection on which no request, or no whole one, could be read. */
interface BrokenRequest extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/**
 * Answers what is no HTTP request, in the Error shape, and ends its connection. An answer that is
 * on its way is never written into: one that has begun is cut off, one before it is waited for.
 */
export class BrokenRequests {
  readonly #refused = new WeakSet<Socket>()

  constructor(
    readonly connections: HttpConnections,
    readonly limits: HttpLimits,
  ) {}

  /** Answers the `clientError` event of a server. */
  refuse(error: BrokenRequest, socket: Socket): void {
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const problem = toProblem(error, this.limits)
    const res = this.connections.current(socket)
    if (!res) this.#end(socket, problem)
    else if (res.req.complete) res.once('close', () => this.#end(socket, problem))
    else if (res.headersSent) socket.destroy()
    else sendApiResponse(res, toProblemResponse(problem), true, this.limits)
  }

  /** Answers the `connect` event of a server: nothing is tunnelled here. */
  refuseTunnel(socket: Socket): void {
    this.#end(socket, new Problem('method_not_allowed', 'CONNECT is no operation anywhere'))
  }

  #end(socket: Socket, problem: Problem): void {
    if (!socket.writable) return
    const allow = problem.code === 'method_not_allowed' ? ['Allow', 'GET, HEAD'] : []
    const { status, headers, body } = toProblemResponse(problem, ['Connection', 'close', ...allow])
    const lines = headers.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    const bytes = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body?.text ?? ''}`
    endSocket(socket, bytes, this.limits.lingerMs)
  }
}

function toProblem(error: BrokenRequest, limits: HttpLimits): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(
        'headers_too_large',
        `the header section must be at most ${limits.headerBytes} bytes`,
      )
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem('payload_too_large', 'the chunk extensions of the body are too long')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('request_timeout', 'the request did not arrive in time')
    case 'HPE_INVALID_METHOD':
      return toMethodProblem(error.rawPacket)
    default:
      return new Problem('malformed_request', `no HTTP/1.1 request: ${error.message}`)
  }
}

/** A method that HTTP does not have is still a method; other bytes are no request at all. */
function toMethodProblem(packet: Buffer | undefined): Problem {
  const [, method] = /^([A-Z-]{1,20}) \S/.exec(packet?.toString('latin1', 0, 64) ?? '') ?? []
  // A packet that begins with a known method has the unknown bytes behind a first request.
  if (method && !METHODS.includes(method)) {
    return new Problem('method_not_allowed', `${method} is no operation anywhere`)
  }
  return new Problem(
    'malformed_request',
    'a request must begin with a method; this address speaks plain HTTP/1.1',
  )
}
