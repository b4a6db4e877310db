import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../contract/errors.js'
import type { ApiRequest, ApiResponse } from '../pipeline/message.js'
import type { Destination } from './addresses.js'
import type { HttpReplies } from './replies.js'
import { HttpRequest } from './request.js'
import { toProblemResponse } from './respond.js'

/** A request that was found well-formed, with its body. */
export interface Arrival {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Undefined for all that is below no address. */
  readonly destination: Destination | undefined
  readonly body: ApiRequest['body']
}

/** Answers a request whose body was read already; false when it is for somebody else. */
export type UserListener = (
  req: IncomingMessage,
  res: ServerResponse,
  body: Uint8Array | undefined,
) => Promise<boolean>

/** Who answers requests. */
export interface DispatchParts {
  /** The handlers that a user added, if any; they see a request first. */
  readonly userHandlers: UserListener | undefined
  /** Answers all that is below no address. */
  readonly rest: (req: IncomingMessage, res: ServerResponse) => Promise<void>
  readonly isClosing: () => boolean
}

/**
 * Hands requests to whom they are for. A call to one of the addresses is answered here, in one
 * synchronous step where it has no body and does not wait.
 */
export class Dispatcher {
  constructor(
    readonly parts: DispatchParts,
    readonly replies: HttpReplies,
  ) {}

  get hasUserHandlers(): boolean {
    return this.parts.userHandlers !== undefined
  }

  /** Answers a request. Throws only when there is a defect. */
  dispatch(arrival: Arrival): void {
    const { userHandlers } = this.parts
    const { req, res, body } = arrival
    // Fetch, which user handlers speak, does not know TRACE, and a body too large was not kept.
    if (!userHandlers || body === 'too-large' || req.method === 'TRACE') {
      this.#serve(arrival)
      return
    }
    userHandlers(req, res, body)
      .then(
        (isAnswered) => isAnswered || this.#serve(arrival),
        (cause) => this.replies.fail(res, new Error(userFailure, { cause }), userFailure),
      )
      .catch((error) => this.replies.fail(res, error))
  }

  #serve(arrival: Arrival): void {
    if (arrival.destination) this.#call(arrival, arrival.destination)
    else this.#serveRest(arrival)
  }

  #call(arrival: Arrival, { address, target }: Destination): void {
    const { req, res, body } = arrival
    const isTooLarge = body instanceof Uint8Array && body.byteLength > address.bodyLimit
    const call = new HttpRequest(req, address.id, target, isTooLarge ? 'too-large' : body)
    const answer = address.respond(call)
    const send = (one: ApiResponse) => this.replies.send(res, one, isUnread(arrival))
    if (answer instanceof Promise) {
      answer.then(send).catch((error) => this.replies.fail(res, error))
    } else {
      send(answer)
    }
  }

  #serveRest(arrival: Arrival): void {
    const { req, res } = arrival
    if (isUnread(arrival)) {
      const problem = new Problem('payload_too_large', 'nothing here takes a body of this size')
      this.replies.refuse(res, problem, true)
    } else if (req.method === 'TRACE') {
      const problem = new Problem('method_not_allowed', 'TRACE is no operation anywhere')
      this.replies.send(res, toProblemResponse(problem, ['Allow', 'GET, HEAD']), false)
    } else {
      if (this.parts.isClosing()) res.setHeader('Connection', 'close')
      this.parts.rest(req, res).catch((error) => this.replies.fail(res, error))
    }
  }
}

const userFailure = 'a handler that was added to the sandbox failed'

/** A request whose body was not read to its end is the last of its connection. */
function isUnread({ req, body }: Arrival): boolean {
  return body === 'too-large' && !req.complete
}
