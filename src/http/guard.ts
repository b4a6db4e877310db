import type { IncomingMessage } from 'node:http'
import { Problem } from '../contract/errors.js'
import { describeValue } from '../validation/validate.js'
import type { HttpLimits } from './limits.js'

/** A host name or address with an optional port; a list, user or path is none. */
const host = /^(?:[\w.~-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/
const visibleAscii = /^[\x21-\x7e]+$/
const continueOnly = /^100-continue$/i

/** What is wrong with a request before anyone looks at where it leads; undefined for nothing. */
export function findFlaw(req: IncomingMessage, limits: HttpLimits): Problem | undefined {
  const { url = '', headers, rawHeaders } = req
  return (
    findTargetFlaw(url, limits) ??
    findHostFlaw(headers.host, req.httpVersion) ??
    findExpectFlaw(headers.expect) ??
    findHeaderFlaw(rawHeaders.length / 2, limits)
  )
}

function findTargetFlaw(target: string, limits: HttpLimits): Problem | undefined {
  if (target.length > limits.targetLength) {
    const wanted = `at most ${limits.targetLength} characters`
    return malformed(`the request target must be ${wanted}, found ${target.length}`)
  }
  if (!target.startsWith('/') || target.startsWith('//')) {
    const wanted = 'a path that begins with one slash'
    return malformed(`the request target must be ${wanted}, found ${describeValue(target)}`)
  }
  if (visibleAscii.test(target)) return undefined
  const wanted = 'visible ASCII, all else percent-encoded'
  return malformed(`the request target must be ${wanted}, found ${describeValue(target)}`)
}

/** Several Host headers arrive joined by a comma, which no host has (RFC 9112, section 3.2). */
function findHostFlaw(found: string | undefined, version: string): Problem | undefined {
  if (found === undefined && version === '1.0') return undefined
  if (found !== undefined && host.test(found)) return undefined
  const wanted = 'one host with an optional port'
  return malformed(`the Host header must be ${wanted}, found ${describeValue(found)}`)
}

function findExpectFlaw(found: string | undefined): Problem | undefined {
  if (found === undefined || continueOnly.test(found)) return undefined
  return malformed(`the Expect header must be 100-continue, found ${describeValue(found)}`)
}

/** Node drops the header lines past its limit in silence, so that limit is set one higher. */
function findHeaderFlaw(count: number, limits: HttpLimits): Problem | undefined {
  if (count <= limits.headerCount) return undefined
  return new Problem('headers_too_large', `a request may have ${limits.headerCount} header lines`)
}

function malformed(message: string): Problem {
  return new Problem('malformed_request', message)
}
