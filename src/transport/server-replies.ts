import type { ServerResponse } from 'node:http'
import { Problem } from '../contract/errors.js'
import type { Answer } from '../pipeline/call.js'
import type { HttpConnections } from './server-connections.js'
import type { HttpLimits } from './server-limits.js'
import { sendAnswer, toProblemAnswer } from './server-reply.js'

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
  send(res: ServerResponse, answer: Answer, isLast: boolean): void {
    const { connections, limits, isClosing } = this.parts
    if (answer.stream) connections.beginEndless(res)
    sendAnswer(res, answer, { isLast: isLast || isClosing(), lingerMs: limits.lingerMs })
  }

  /** Sends a problem that lies outside all worlds. */
  refuse(res: ServerResponse, problem: Problem, isLast: boolean): void {
    this.send(res, toProblemAnswer(problem), isLast)
  }

  /** Reports a defect and answers 500; an answer that has begun is cut off. */
  fail(res: ServerResponse, error: unknown): void {
    this.parts.reportError(error)
    if (res.headersSent) {
      res.destroy()
      return
    }
    const message = 'a defect of the sandbox; its log has the details'
    this.refuse(res, new Problem('internal_error', message), true)
  }
}
