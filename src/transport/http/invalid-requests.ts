import { METHODS, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import type { Middleware } from './middleware.js'
import { endSocket, toProblemResponse } from './respond.js'

/** The error of a `clientError` event: Node could not read a complete request. */
interface ClientError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

/** Error codes if a client disconnects, before or in the middle of a request. */
const disconnections: readonly string[] = ['ECONNRESET', 'HPE_INVALID_EOF_STATE']

/** Responds to bytes that are not a valid HTTP request, and closes their connection. */
export class InvalidRequests {
  readonly #rejected = new WeakSet<Socket>()

  constructor(readonly middleware: Middleware) {}

  /**
   * Handles a `clientError` event. Does not write into the response of another request: waits until
   * this response is sent, or closes the connection if the other request is incomplete or waits for
   * earlier responses.
   */
  reject(error: ClientError, socket: Socket): void {
    if (this.#rejected.has(socket)) return
    this.#rejected.add(socket)
    if (!socket.writable || disconnections.includes(error.code ?? '')) {
      socket.destroy()
      return
    }
    const { clients, connections, responder } = this.middleware
    const problem = toProblem(error, clients.limits)
    const res = connections.latest(socket)
    if (!res) this.#end(socket, problem)
    else if (res.req.complete) res.once('close', () => this.#end(socket, problem))
    else if (res.headersSent || !res.socket) socket.destroy()
    else responder.sendProblem(res, problem, true)
  }

  /** Handles a `connect` event. Tunnels are not supported. */
  rejectTunnel(socket: Socket): void {
    this.#end(socket, new Problem('method_not_allowed', 'no operation has the method CONNECT'))
  }

  #end(socket: Socket, problem: Problem): void {
    if (!socket.writable) return
    const { sandbox, limits } = this.middleware.clients
    const { status, headers, body } = toProblemResponse(problem, ['Connection', 'close'])
    const all = [...headers, requestIdHeader, sandbox.createRequestId()]
    const lines = all.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')
    const bytes = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body?.text ?? ''}`
    endSocket(socket, bytes, limits.lingerMs)
  }
}

function toProblem(error: ClientError, limits: HttpLimits): Problem {
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
      return new Problem('malformed_request', `not a valid HTTP/1.1 request: ${error.message}`)
  }
}

/** Distinguishes an unknown method from bytes that are not HTTP. */
function toMethodProblem(packet: Buffer | undefined): Problem {
  const [, method] = /^([A-Z-]{1,20}) \S/.exec(packet?.toString('latin1', 0, 64) ?? '') ?? []
  // If the method is known, the packet contains a valid request before the invalid bytes.
  if (method && !METHODS.includes(method)) {
    return new Problem('method_not_allowed', `no operation has the method ${method}`)
  }
  return new Problem(
    'malformed_request',
    'a request must begin with a method; this address accepts plain HTTP/1.1',
  )
}
