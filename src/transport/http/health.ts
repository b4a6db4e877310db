import type { IncomingMessage } from 'node:http'
import type { ApiResponse } from '../../engine/message.js'
import { createInternalProblem, Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { JsonText } from '../../service/json-text.js'
import { toProblemResponse } from './respond.js'

const health = /^\/(healthz|readyz)(?:\?|$)/

/** The state of a server that its health checks report. */
export interface HealthState {
  readonly isClosing: boolean
  /** Rejects with a problem if the worlds cannot be stored. Undefined without a store. */
  readonly checkStore?: (() => Promise<void>) | undefined
}

/**
 * Responds to `/healthz` and `/readyz`, so that a busy server still responds to its load balancer.
 * Returns undefined for other requests.
 */
export function respondToHealthCheck(
  { url = '', method = 'GET' }: IncomingMessage,
  { isClosing, checkStore }: HealthState,
): ApiResponse | Promise<ApiResponse> | undefined {
  const [, name] = health.exec(url) ?? []
  if (name === undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD') {
    const message = `/${name} does not support the method ${method}; it supports GET and HEAD`
    return toProblemResponse(new Problem('method_not_allowed', message), ['Allow', 'GET, HEAD'])
  }
  if (name === 'readyz' && isClosing) {
    return toProblemResponse(new Problem('sandbox_capacity', 'the sandbox is closing', 1))
  }
  if (name === 'healthz') return toStatusResponse('ok')
  const ready = toStatusResponse('ready')
  return checkStore ? checkStore().then(() => ready, toUnavailableResponse) : ready
}

function toStatusResponse(status: string): ApiResponse {
  const body = JsonText.of({ status })
  return { status: 200, headers: toHeaders(body), body }
}

function toUnavailableResponse(error: unknown): ApiResponse {
  return toProblemResponse(error instanceof Problem ? error : createInternalProblem())
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
    'Access-Control-Expose-Headers',
    requestIdHeader,
  ]
}
