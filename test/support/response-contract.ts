import { expect } from 'vitest'
import { type ErrorCode, errorCodes } from '../../src/contract/errors.js'
import { type OperationId, operations } from '../../src/operations/operations.js'
import { errorSchema, responseSchemas } from '../../src/contract/response-schemas.js'
import type { ReceivedAnswer } from './transport.js'

/** What the check has to know of the request. */
export interface AnsweredRequest {
  readonly method: string
  readonly operation: OperationId | undefined
  /** Whether it carried a Prefer header. */
  readonly prefers: boolean
  /** Whether a fault of the scenario may answer, with a status and code of its own. */
  readonly isStruck: boolean
}

/** Holds an answer against all that the contract promises of every answer. */
export function checkAnswer(request: AnsweredRequest, answer: ReceivedAnswer): void {
  checkRateLimit(answer)
  checkHeadersOfStatus(request, answer)
  checkDeprecation(request, answer)
  checkOpenness(answer)
  if (request.method === 'HEAD' || answer.status === 204) {
    expect(answer.text, 'an answer without a body').toBe('')
  } else if (!answer.isCutOff) {
    checkBody(request, answer)
  }
}

/** Spec §8: the three headers are on every API response. */
function checkRateLimit({ headers, status }: ReceivedAnswer): void {
  const [limit, remaining] = ['Limit', 'Remaining', 'Reset'].map((name) => {
    const value = headers.get(`X-RateLimit-${name}`)
    expect(value, `X-RateLimit-${name} on ${status}`).toMatch(/^\d+$/)
    return Number(value)
  })
  expect(limit, 'X-RateLimit-Limit').toBeGreaterThan(0)
  expect(remaining, 'X-RateLimit-Remaining').toBeLessThanOrEqual(limit ?? 0)
}

function checkHeadersOfStatus({ prefers }: AnsweredRequest, answer: ReceivedAnswer): void {
  const { status, headers } = answer
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

/** Spec §9: the deprecated operation says so on every response, and no other does. */
function checkDeprecation({ operation }: AnsweredRequest, { headers }: ReceivedAnswer): void {
  const [deprecation, sunset, link] = ['Deprecation', 'Sunset', 'Link'].map((name) =>
    headers.get(name),
  )
  if (operation !== 'getPet') {
    expect([deprecation, sunset, link], 'deprecation headers').toEqual([null, null, null])
    return
  }
  expect(deprecation, 'Deprecation (RFC 9745)').toMatch(/^@\d+$/)
  expect(new Date(sunset ?? '').toUTCString(), 'Sunset (RFC 8594)').toBe(sunset)
  expect(link, 'Link').toMatch(/^<[^<>\s]+>; rel="deprecation"/)
}

/** Any page may read any answer, and nobody keeps it. */
function checkOpenness({ headers }: ReceivedAnswer): void {
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(headers.get('Access-Control-Expose-Headers')).toContain('X-RateLimit-Remaining')
  expect(headers.get('Cache-Control')).toBe('no-store')
}

function checkBody(request: AnsweredRequest, answer: ReceivedAnswer): void {
  const { status, headers, text } = answer
  expect(headers.get('Content-Type'), 'Content-Type').toBe('application/json')
  const length = headers.get('Content-Length')
  if (length !== null) expect(Number(length), 'Content-Length').toBe(new Blob([text]).size)
  const body: unknown = JSON.parse(text)
  if (status >= 400) checkError(request, status, body)
  else checkSuccess(request, status, body)
}

/** Spec §7: every error body has the Error shape, and `status` repeats the HTTP status. */
function checkError(request: AnsweredRequest, status: number, body: unknown): void {
  const error = errorSchema.parse(body)
  expect(error.status, 'status repeats the HTTP status').toBe(status)
  expect(error.message, 'message').not.toBe('')
  if (request.isStruck) return
  expect(Object.keys(errorCodes), 'a code of the catalogue').toContain(error.code)
  expect(errorCodes[error.code as ErrorCode].status, 'the status of the code').toBe(status)
  if (request.prefers && error.code === 'invalid_parameter') return
  const documented = request.operation
    ? operations[request.operation].errors
    : ['route_not_found', 'method_not_allowed']
  expect(documented, `codes of ${request.operation ?? 'no operation'}`).toContain(error.code)
}

function checkSuccess({ operation }: AnsweredRequest, status: number, body: unknown): void {
  expect(operation, `an operation behind ${status}`).toBeDefined()
  if (!operation) return
  const statuses = operation === 'sendMessage' ? [200, 201, 202] : [200]
  expect(statuses, 'status of success').toContain(status)
  responseSchemas[operation].parse(body)
}
