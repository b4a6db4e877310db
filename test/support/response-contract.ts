import { expect } from 'vitest'
import { type ErrorCode, errorCodes } from '../../src/service/errors.js'
import { documentedHeaders } from '../../src/service/headers.js'
import { commonErrors } from '../../src/service/operations/operation.js'
import { type OperationId, operations } from '../../src/service/operations/operations.js'
import { errorSchema } from '../../src/service/schemas.js'
import { errorsByOperation } from './operations.js'
import type { ReceivedResponse } from './transport.js'

/** The part of a request that the check uses. */
export interface CheckedRequest {
  readonly method: string
  readonly operation: OperationId | undefined
  /** Whether the request had a Prefer header. */
  readonly prefers: boolean
  /** Whether a fault may respond, with any status and code. */
  readonly expectsFault: boolean
}

/** Validates a response against everything that the contract states of every response. */
export function checkResponse(request: CheckedRequest, response: ReceivedResponse): void {
  checkRateLimit(response)
  checkHeadersOfStatus(request, response)
  checkDeprecation(request, response)
  checkCommonHeaders(response)
  if (request.method === 'HEAD' || response.status === 204) {
    expect(response.text, 'a response without a body').toBe('')
  } else if (!response.isCutOff) {
    checkBody(request, response)
  }
}

/** Spec §8: the three headers are on every API response. */
function checkRateLimit({ headers, status }: ReceivedResponse): void {
  const [limit, remaining] = ['Limit', 'Remaining', 'Reset'].map((name) => {
    const value = headers.get(`X-RateLimit-${name}`)
    expect(value, `X-RateLimit-${name} on ${status}`).toMatch(/^\d+$/)
    return Number(value)
  })
  expect(limit, 'X-RateLimit-Limit').toBeGreaterThan(0)
  expect(remaining, 'X-RateLimit-Remaining').toBeLessThanOrEqual(limit ?? 0)
}

function checkHeadersOfStatus({ prefers }: CheckedRequest, response: ReceivedResponse): void {
  const { status, headers } = response
  const retryAfter = headers.get('Retry-After')
  if (status === 429) expect(retryAfter, 'Retry-After on 429').toMatch(/^[1-9]\d*$/)
  if (status < 400) expect(retryAfter, `Retry-After on ${status}`).toBeNull()
  const challenge = headers.get('WWW-Authenticate')
  if (status === 401) expect(challenge, 'WWW-Authenticate on 401').toMatch(/^Bearer\b/)
  else expect(challenge, `WWW-Authenticate on ${status}`).toBeNull()
  const allow = headers.get('Allow')
  if (status === 405) expect(allow, 'Allow on 405').toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  if (!prefers) expect(headers.get('Preference-Applied'), 'no preference').toBeNull()
}

/** Spec §9: every response of a deprecated operation states its dates; no other response does. */
function checkDeprecation({ operation }: CheckedRequest, { headers }: ReceivedResponse): void {
  const [deprecation, sunset, link] = ['Deprecation', 'Sunset', 'Link'].map((name) =>
    headers.get(name),
  )
  if (!operation || !operations[operation].deprecated) {
    expect([deprecation, sunset, link], 'deprecation headers').toEqual([null, null, null])
    return
  }
  expect(deprecation, 'Deprecation (RFC 9745)').toMatch(/^@\d+$/)
  expect(new Date(sunset ?? '').toUTCString(), 'Sunset (RFC 8594)').toBe(sunset)
  expect(link, 'Link').toMatch(/^<[^<>\s]+>; rel="deprecation"/)
}

/** Checks the headers for CORS and caches, and the Date header. */
function checkCommonHeaders({ headers }: ReceivedResponse): void {
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ')
  expect(exposed).toEqual([...documentedHeaders, 'Date'])
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('X-Request-Id'), 'X-Request-Id').toMatch(/^[\w.:/+=@-]{1,128}$/)
  checkDate(headers)
}

/** RFC 9110, section 6.6.1: one Date header with an HTTP date. */
export function checkDate(headers: Headers): void {
  const date = headers.get('Date')
  expect(new Date(date ?? '').toUTCString(), 'Date').toBe(date)
}

function checkBody(request: CheckedRequest, response: ReceivedResponse): void {
  const { status, headers, text } = response
  expect(headers.get('Content-Type'), 'Content-Type').toBe('application/json')
  const length = headers.get('Content-Length')
  if (length !== null) expect(Number(length), 'Content-Length').toBe(new Blob([text]).size)
  const body: unknown = JSON.parse(text)
  if (status >= 400) checkError(request, status, body)
  else checkSuccess(request, status, body)
}

function checkError(request: CheckedRequest, status: number, body: unknown): void {
  const { operation, prefers, expectsFault } = request
  const documented = operation
    ? errorsByOperation[operation]
    : (['route_not_found', 'method_not_allowed'] as const)
  const codes = [...(documented ?? []), ...(prefers ? commonErrors : [])]
  checkErrorBody(body, status, expectsFault ? undefined : codes, operation)
}

/**
 * Spec §7: every error body has the Error shape, and `status` repeats the HTTP status.
 *
 * @param documented The codes that the operation documents. Default: any code.
 */
export function checkErrorBody(
  body: unknown,
  status: number,
  documented: readonly ErrorCode[] | undefined,
  operation = 'no operation',
): void {
  const error = errorSchema.parse(body)
  expect(error.status, 'status repeats the HTTP status').toBe(status)
  expect(error.message, 'message').not.toBe('')
  if (documented === undefined) return
  expect(documented, `codes of ${operation}`).toContain(error.code)
  expect(errorCodes[error.code as ErrorCode].status, 'the status of the code').toBe(status)
}

function checkSuccess({ operation }: CheckedRequest, status: number, body: unknown): void {
  expect(operation, `an operation that responds with ${status}`).toBeDefined()
  if (!operation) return
  const { status: documented = 200, body: contract } = operations[operation].response
  // A scenario may set the status of sendMessage (A10).
  const statuses = operation === 'sendMessage' ? [200, 201, 202] : [documented]
  expect(statuses, 'status of success').toContain(status)
  expect(contract, 'a documented body').toBeDefined()
  contract?.schema.parse(body)
}
