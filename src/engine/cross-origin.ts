import { Problem } from '../service/errors.js'
import { truncate } from '../service/validation/message.js'
import type { ApiRequest } from './message.js'

/** Methods that change nothing. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Rejects a state-changing request from a page of another origin, by the rules of Go's
 * CrossOriginProtection. Browsers send `Sec-Fetch-Site` or `Origin`; other clients send neither.
 *
 * @throws {Problem} cross_origin_denied
 */
export function rejectCrossOrigin(request: ApiRequest): void {
  if (safeMethods.includes(request.method)) return
  const site = request.header('sec-fetch-site') ?? ''
  const origin = request.header('origin') ?? ''
  if (site === 'same-origin' || site === 'none') return
  if (site === '' && (origin === '' || isHost(origin, request.header('host')))) return
  const from = truncate(origin || site)
  const message = `a page of another origin may not control a world, found a request from ${from}`
  throw new Problem('cross_origin_denied', message)
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}
