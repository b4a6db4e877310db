import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../contract/errors.js'
import { type Destination, findDestination, type ServedAddress } from './addresses.js'
import { type BodyBounds, BodyReader, hasBody, type ReadBody } from './body.js'
import type { HttpConnections } from './connections.js'
import type { Dispatcher } from './dispatch.js'
import { findFlaw } from './guard.js'
import type { HttpLimits } from './limits.js'
import type { HttpReplies } from './replies.js'

/** What the front needs of its server. */
export interface FrontParts {
  readonly addresses: readonly ServedAddress[]
  readonly limits: HttpLimits
  readonly connections: HttpConnections
  readonly replies: HttpReplies
  readonly dispatcher: Dispatcher
}

/** The front of the HTTP sandbox: it refuses what is malformed, reads the rest and hands it on. */
export class HttpFront {
  readonly #bodies: BodyReader

  constructor(readonly parts: FrontParts) {
    this.#bodies = new BodyReader(parts.limits.heldBodyBytes)
  }

  /** Answers a request. Never throws. */
  readonly answer = (req: IncomingMessage, res: ServerResponse): void => {
    try {
      this.#admit(req, res)
    } catch (error) {
      this.parts.replies.fail(res, error)
    }
  }

  #admit(req: IncomingMessage, res: ServerResponse): void {
    const { connections, limits, replies, addresses, dispatcher } = this.parts
    connections.begin(req.socket, res)
    const isExcess = connections.isExcess(req.socket)
    const flaw = isExcess ? outOfRoom(`${limits.connections} connections`) : findFlaw(req, limits)
    if (flaw) {
      replies.refuse(res, flaw, isExcess || hasBody(req))
      return
    }
    const destination = findDestination(addresses, req.url ?? '')
    if (hasBody(req)) this.#read(req, res, destination)
    else dispatcher.dispatch({ req, res, destination, body: undefined })
  }

  #read(req: IncomingMessage, res: ServerResponse, destination: Destination | undefined): void {
    this.#bodies.read(req, res, this.#toBounds(destination), (body) => {
      try {
        this.#handOn(req, res, destination, body)
      } catch (error) {
        this.parts.replies.fail(res, error)
      }
    })
  }

  #handOn(
    req: IncomingMessage,
    res: ServerResponse,
    destination: Destination | undefined,
    body: ReadBody,
  ): void {
    const { replies, limits, dispatcher } = this.parts
    if (body !== 'no-room') dispatcher.dispatch({ req, res, destination, body })
    else replies.refuse(res, outOfRoom(`${limits.heldBodyBytes} bytes of bodies at once`), true)
  }

  /** What nobody looks at is read, so that the connection stays usable, but not kept. */
  #toBounds(destination: Destination | undefined): BodyBounds {
    const { limits, dispatcher } = this.parts
    const taken = destination?.address.bodyLimit ?? 0
    const read = Math.max(limits.bodyBytes, taken)
    return { kept: dispatcher.hasUserHandlers ? read : taken, read }
  }
}

function outOfRoom(what: string): Problem {
  const message = `the sandbox itself is full: it takes ${what}; this is no limit of the service`
  return new Problem('sandbox_capacity', message)
}
