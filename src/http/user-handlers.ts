import type { RequestHandler } from 'msw'
import type { UserListener } from './dispatch.js'
import { runUserHandlers } from './user-middleware.js'
import { sendResponse } from './user-response.js'

/** Answers with the handlers that a user added. It rejects with whatever one of them throws. */
export function createUserListener(handlers: readonly RequestHandler[]): UserListener {
  return async (req, res, body) => {
    // msw decodes the path of a request, and throws when its percent escapes are malformed.
    if (!isDecodable(req.url ?? '')) return false
    const response = await runUserHandlers(handlers, req, body)
    if (!response) return false
    await sendResponse(res, response)
    return true
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
