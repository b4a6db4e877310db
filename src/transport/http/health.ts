import type { IncomingMessage } from 'node:http'
import type { ApiResponse } from '../../engine/message.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { createInternalProblem, Problem } from '../../service/errors.js'
import { requestIdHeader } from '../../service/headers.js'
import { JsonText } from '../../service/json-text.js'
import { toProblemResponse } from './respond.js'

type HealthCheck = 'healthz' | 'readyz'

/** Returns the name of the health check that a request is for, if any. */
export function findHealthCheck({ url = '' }: IncomingMessage): HealthCheck | undefined {
  const [, name] = /^\/(healthz|readyz)(?:\?|$)/.exec(url) ?? []
  return name as HealthCheck | undefined // the pattern has two names
}

/** Responds to a health check, which needs no page, so that a busy server responds too. */
export async function respondToHealthCheck(
  name: HealthCheck,
  { method = 'GET' }: IncomingMessage,
  isClosing: boolean,
  core: Sandbox,
): Promise<ApiResponse> {
  if (method !== 'GET' && method !== 'HEAD') {
    const message = `/${name} does not support the method ${method}; it supports GET and HEAD`
    return toProblemResponse(new Problem('method_not_allowed', message), ['Allow', 'GET, HEAD'])
  }
  if (name === 'healthz') return toStatusResponse('ok')
  if (isClosing) {
    return toProblemResponse(new Problem('sandbox_capacity', 'the sandbox is closing', 1))
  }
  try {
    await core.check()
    return toStatusResponse('ready')
  } catch (error) {
    return toProblemResponse(error instanceof Problem ? error : createInternalProblem())
  }
}

function toStatusResponse(status: string): ApiResponse {
  const body = JsonText.of({ status })
  const headers = [
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
  return { status: 200, headers, body }
}
