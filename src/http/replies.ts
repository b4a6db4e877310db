import type { ServerResponse } from 'node:http'
import { Problem } from '../contract/errors.js'
import type { ApiResponse } from '../pipeline/message.js'
import type { HttpConnections } from './connections.js'
import type { HttpLimits } from './limits.js'
import { sendApiResponse, toProblemResponse } from './respond.js'

/** What a server knows when it replies. */
export interface ReplyParts {
  readonly connections: HttpConnections
  readonly limits: HttpLimits
  readonly isClosing: () => boolean
  readonly reportError: (error: unknown) => void
}

/** How one server replies: it knows when a reply is the last of its connection. */
export class HttpReplies {
  constructor(readonly parts: ReplyParts) {}

  /** @param isLast Whether no further request may follow on the connection. */
  send(res: ServerResponse, answer: ApiResponse, isLast: boolean): void {
    const { connections, limits, isClosing } = this.parts
    if (answer.stream) connections.beginEndless(res)
    sendApiResponse(res, answer, isLast || isClosing(), limits)
  }

  /** Sends a problem that lies outside all worlds. */
  refuse(res: ServerResponse, problem: Problem, isLast: boolean): void {
    this.send(res, toProblemResponse(problem), isLast)
  }

  /** Reports an error and answers 500; an answer that has begun is cut off. */
  fail(res: ServerResponse, error: unknown, what = 'a defect of the sandbox'): void {
    this.parts.reportError(error)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const problem = new Problem('internal_error', `${what}; its log has the details`)
    this.refuse(res, problem, !res.req.complete)
  }
}
