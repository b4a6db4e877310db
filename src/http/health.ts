import type { IncomingMessage } from 'node:http'
import { Problem } from '../contract/errors.js'
import { JsonText } from '../contract/json-text.js'
import type { ApiResponse } from '../pipeline/message.js'
import { toProblemResponse } from './respond.js'

const health = /^\/(healthz|readyz)(?:\?|$)/

/**
 * Responds to `/healthz` and `/readyz`, so that a busy server still responds to its load balancer.
 * Returns undefined for other requests.
 */
export function respondToHealthCheck(
  { url = '', method = 'GET' }: IncomingMessage,
  isClosing: boolean,
): ApiResponse | undefined {
  const [, name] = health.exec(url) ?? []
  if (name === undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD') {
    const message = `/${name} does not support the method ${method}; it supports GET and HEAD`
    return toProblemResponse(new Problem('method_not_allowed', message), ['Allow', 'GET, HEAD'])
  }
  if (name === 'readyz' && isClosing) {
    return toProblemResponse(new Problem('sandbox_capacity', 'the sandbox is closing', 1))
  }
  const body = JsonText.of({ status: name === 'healthz' ? 'ok' : 'ready' })
  return { status: 200, headers: toHeaders(body), body }
}

function toHeaders(body: JsonText): string[] {
  return [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.byteLength),
    'Cache-Control',
    'no-cache',
    'X-Content-Type-Options',
    'nosniff',
    'Access-Control-Allow-Origin',
    '*',
  ]
}
