import { describe, expect, test } from 'vitest'
import { documentedHeaders } from '../../src/service/headers.js'
import { type CheckedRequest, checkResponse } from './response-contract.js'

const request: CheckedRequest = {
  method: 'GET',
  operation: 'getPet',
  prefers: false,
  expectsFault: false,
}

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': [...documentedHeaders, 'Date'].join(', '),
  Date: 'Thu, 15 Jan 2026 09:00:00 GMT',
  'X-Request-Id': '1xzwr05-1',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1768467660',
  Deprecation: '@1765843200',
  Sunset: 'Wed, 15 Apr 2026 00:00:00 GMT',
  Link: '</#getPet>; rel="deprecation"',
}

const exposed = documentedHeaders.join(', ')

const pet = {
  petId: 1,
  name: 'Bella',
  status: 'available',
  category: 'dog',
  photoUrls: [],
  tags: [],
}
const notFound = { code: 'pet_not_found', message: 'no such pet', status: 404 }
const limited = { code: 'rate_limit_exceeded', message: 'too many', status: 429 }
const tooLarge = { code: 'payload_too_large', message: 'too large', status: 413 }
const unauthorized = { code: 'missing_api_key', message: 'no key', status: 401 }

/** Checks a response with some headers replaced; undefined omits the header. */
function check(
  status: number,
  body: unknown,
  changed: Record<string, string | undefined> = {},
  requested: Partial<CheckedRequest> = {},
): void {
  const all = Object.entries({ ...headers, ...changed })
  const present = all.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = { status, statusText: '', headers: new Headers(present), text, isCutOff: false }
  checkResponse({ ...request, ...requested }, response)
}

describe('checkResponse', () => {
  test('accepts responses that the contract allows', () => {
    check(200, pet)
    check(404, notFound)
    check(429, limited, { 'Retry-After': '60' })
    check(401, unauthorized, { 'WWW-Authenticate': 'Bearer realm="petstore"' })
    check(200, '', {}, { method: 'HEAD' })
    check(503, { code: 'maintenance', message: 'later', status: 503 }, {}, { expectsFault: true })
  })

  const otherHeaders = { Deprecation: undefined, Sunset: undefined, Link: undefined }

  test.each([
    ['a limit header that is missing', 200, pet, { 'X-RateLimit-Limit': undefined }],
    ['more remaining requests than the limit', 200, pet, { 'X-RateLimit-Remaining': '61' }],
    ['a 429 without Retry-After', 429, limited, {}],
    ['a Retry-After with a fraction', 429, limited, { 'Retry-After': '0.5' }],
    ['a 401 without WWW-Authenticate', 401, unauthorized, {}],
    ['a challenge on another status', 404, notFound, { 'WWW-Authenticate': 'Bearer' }],
    ['a deprecated operation without its dates', 404, notFound, otherHeaders],
    ['a Sunset that is not an HTTP date', 200, pet, { Sunset: '2026-04-15' }],
    ['a preference that was not requested', 200, pet, { 'Preference-Applied': 'code=200' }],
    ['a response that no page can read', 200, pet, { 'Access-Control-Allow-Origin': undefined }],
    ['two Dates', 200, pet, { Date: `${headers.Date}, ${headers.Date}` }],
    ['a Date that is not exposed', 200, pet, { 'Access-Control-Expose-Headers': exposed }],
    ['another Content-Length', 200, pet, { 'Content-Length': '5' }],
    ['a pet without its name', 200, { ...pet, name: undefined }, {}],
    ['an error whose body has another status', 404, { ...notFound, status: 400 }, {}],
    ['an error with an additional field', 404, { ...notFound, stack: 'at' }, {}],
    ['a code that is not in the catalogue', 404, { ...notFound, code: 'gone_fishing' }, {}],
    ['a code that the operation does not document', 413, tooLarge, {}],
    ['a success status that is not documented', 201, pet, {}],
  ] as const)('rejects %s', (_, status, body, changed) => {
    expect(() => check(status, body, changed)).toThrow()
  })

  test('rejects a body in the response to HEAD, and a success without an operation', () => {
    expect(() => check(200, pet, {}, { method: 'HEAD' })).toThrow()
    expect(() => check(200, pet, otherHeaders, { operation: undefined })).toThrow()
  })
})
