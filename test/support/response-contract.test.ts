import { describe, expect, test } from 'vitest'
import { type AnsweredRequest, checkAnswer } from './response-contract.js'

const request: AnsweredRequest = {
  method: 'GET',
  operation: 'getPet',
  prefers: false,
  isStruck: false,
}

const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-RateLimit-Remaining',
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1768467660',
  Deprecation: '@1765843200',
  Sunset: 'Wed, 15 Apr 2026 00:00:00 GMT',
  Link: '</#getPet>; rel="deprecation"',
}

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
const stranger = { code: 'missing_api_key', message: 'no key', status: 401 }

/** Checks an answer with some of its headers replaced, or left out where undefined is given. */
function check(
  status: number,
  body: unknown,
  changed: Record<string, string | undefined> = {},
  asked: Partial<AnsweredRequest> = {},
): void {
  const all = Object.entries({ ...headers, ...changed })
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = { status, statusText: '', headers: new Headers(kept), text, isCutOff: false }
  checkAnswer({ ...request, ...asked }, answer)
}

describe('the check of every answer', () => {
  test('takes answers that keep the contract', () => {
    check(200, pet)
    check(404, notFound)
    check(429, limited, { 'Retry-After': '60' })
    check(401, stranger, { 'WWW-Authenticate': 'Bearer realm="petstore"' })
    check(200, '', {}, { method: 'HEAD' })
    check(503, { code: 'maintenance', message: 'later', status: 503 }, {}, { isStruck: true })
  })

  test.each([
    ['a limit header that is missing', 200, pet, { 'X-RateLimit-Limit': undefined }],
    ['a reset that is no whole number', 200, pet, { 'X-RateLimit-Reset': '1768467660.25' }],
    ['more left than the limit', 200, pet, { 'X-RateLimit-Remaining': '61' }],
    ['a 429 without Retry-After', 429, limited, {}],
    ['a Retry-After of no time', 429, limited, { 'Retry-After': '0' }],
    ['a Retry-After with a fraction', 429, limited, { 'Retry-After': '0.5' }],
    ['a success with Retry-After', 200, pet, { 'Retry-After': '5' }],
    ['a 401 without WWW-Authenticate', 401, stranger, {}],
    ['a challenge on another status', 404, notFound, { 'WWW-Authenticate': 'Bearer' }],
    ['the deprecated operation without Deprecation', 404, notFound, { Deprecation: undefined }],
    ['a Deprecation of another form', 200, pet, { Deprecation: 'true' }],
    ['a Sunset that is no HTTP date', 200, pet, { Sunset: '2026-04-15' }],
    ['a Link of another relation', 200, pet, { Link: '</>; rel="next"' }],
    ['a preference nobody asked for', 200, pet, { 'Preference-Applied': 'code=200' }],
    ['an answer no page may read', 200, pet, { 'Access-Control-Allow-Origin': undefined }],
    ['another Content-Type', 200, pet, { 'Content-Type': 'text/html' }],
    ['another Content-Length', 200, pet, { 'Content-Length': '5' }],
    ['a body that is no JSON', 200, '{', {}],
    ['a pet without its name', 200, { ...pet, name: undefined }, {}],
    ['a pet with another status', 200, { ...pet, status: 'lost' }, {}],
    ['an error with another status in it', 404, { ...notFound, status: 400 }, {}],
    ['an error with a further field', 404, { ...notFound, stack: 'at' }, {}],
    ['an error without a message', 404, { ...notFound, message: '' }, {}],
    ['a code that no catalogue has', 404, { ...notFound, code: 'gone_fishing' }, {}],
    ['a code under the status of another', 400, { ...notFound, status: 400 }, {}],
    ['a code that the operation does not document', 413, tooLarge(), {}],
    ['a status of success that is not documented', 201, pet, {}],
  ] as const)('refuses %s', (_, status, body, changed) => {
    expect(() => check(status, body, changed)).toThrow()
  })

  test('refuses deprecation headers on an operation that is not deprecated', () => {
    const item = { petId: 1, quantity: 5, status: 'available' }
    const asked = { operation: 'updateInventory' } as const
    const none = { Deprecation: undefined, Sunset: undefined, Link: undefined }
    expect(() => check(200, item, none, asked)).not.toThrow()
    for (const name of Object.keys(none)) {
      expect(() => check(200, item, { ...none, [name]: headers.Link }, asked)).toThrow()
    }
  })

  test('refuses a body in the answer to HEAD, and a success without an operation', () => {
    expect(() => check(200, pet, {}, { method: 'HEAD' })).toThrow()
    const none = { Deprecation: undefined, Sunset: undefined, Link: undefined }
    expect(() => check(200, pet, none, { operation: undefined })).toThrow()
  })
})

function tooLarge() {
  return { code: 'payload_too_large', message: 'too large', status: 413 }
}
