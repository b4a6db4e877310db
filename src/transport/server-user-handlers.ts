import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import { Problem } from '../contract/errors.js'
import type { UserListener } from './server-dispatch.js'
import { sendAnswer, toProblemAnswer } from './server-reply.js'
import { runUserHandlers } from './server-user-middleware.js'
import { sendResponse } from './server-user-response.js'

/**
 * Answers with the handlers that a user added, and passes on what none of them answers. A handler
 * that throws is answered 500 `internal_error`, without a stack.
 */
export function createUserListener(
  handlers: readonly RequestHandler[],
  reportError: (error: unknown) => void,
): UserListener {
  const answer = async (
    req: IncomingMessage,
    res: ServerResponse,
    body: Uint8Array | undefined,
    next: () => void,
  ) => {
    const response = await runUserHandlers(handlers, req, body)
    if (response) await sendResponse(res, response)
    else next()
  }
  return (req, res, body, next) => {
    // msw decodes the path of a request, and throws when its percent escapes are malformed.
    if (!isDecodable(req.url ?? '')) return next()
    answer(req, res, body, next).catch((error) => {
      reportError(new Error('a handler that was added has failed', { cause: error }))
      const problem = new Problem(
        'internal_error',
        'a handler that was added to the sandbox failed',
      )
      if (res.headersSent) res.destroy()
      else sendAnswer(res, toProblemAnswer(problem), { isLast: false, lingerMs: 0 })
    })
  }
}

function isDecodable(target: string): boolean {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '')
    return true
  } catch {
    return false
  }
}
