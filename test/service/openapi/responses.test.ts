import { describe, expect, test } from 'vitest'
import { toOpenApi } from '../../../src/service/openapi/service.js'
import {
  commonErrors,
  documentedStatuses,
  preferableStatuses,
} from '../../../src/service/operations/operation.js'
import { operationIds, operations } from '../../../src/service/operations/operations.js'
import { errorsByOperation } from '../../support/operations.js'
import { findOperation, findResponses } from './find-operation.js'

const document = toOpenApi()
const { headers } = document.components

/** Statuses that a response has before the operation is known. The HTTP server sends them. */
const unrouted = ['408', '421', '431']

describe.each(operationIds)('the responses of %s', (id) => {
  const operation = operations[id]

  test('are those of every status that a documented request can have', () => {
    const statuses = findResponses(document, id).map(([status]) => Number(status))
    const others = id === 'sendMessage' ? [201, 202] : []
    const expected = [...documentedStatuses(operation), 400, 408, 421, 431, 503, ...others]
    expect(statuses).toEqual([...new Set(expected)].sort((a, b) => a - b))
    expect(statuses).toEqual(preferableStatuses(operation))
  })

  test('state the known codes of each error, as an open set', () => {
    for (const [status, response] of findResponses(document, id)) {
      const { examples = {} } = response.content?.['application/json'] ?? {}
      const known = Number(status) < 400 ? undefined : Object.keys(examples)
      expect(response['x-error-codes'], status).toEqual(known)
    }
  })

  test.each(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])(
    'all carry %s: "Headers on every API response" (spec §8)',
    (name) => {
      for (const [status, response] of findResponses(document, id))
        expect(name in (response.headers ?? {}), status).toBe(!unrouted.includes(status))
      expect(headers[name]).toMatchObject({ required: true, schema: { type: 'integer' } })
    },
  )

  test('all carry X-Request-Id', () => {
    for (const [status, response] of findResponses(document, id))
      expect('X-Request-Id' in (response.headers ?? {}), status).toBe(true)
    expect(headers['X-Request-Id']).toMatchObject({ required: true, schema: { type: 'string' } })
  })

  test('carry Retry-After on 429: "429 Too Many Requests with a `Retry-After` header" (spec §8)', () => {
    const required = findResponses(document, id).filter(([, { headers: own = {} }]) => {
      return '$ref' in (own['Retry-After'] ?? {})
    })
    expect(required.map(([status]) => status)).toEqual(['429'])
    expect(headers['Retry-After']).toMatchObject({ required: true })
  })

  test('carry WWW-Authenticate on 401 only (RFC 6750)', () => {
    const found = findResponses(document, id).filter(([, response]) => {
      return 'WWW-Authenticate' in (response.headers ?? {})
    })
    expect(found.map(([status]) => status)).toEqual(['401'])
  })

  test('may carry Preference-Applied', () => {
    for (const [status, response] of findResponses(document, id)) {
      expect('Preference-Applied' in (response.headers ?? {})).toBe(!unrouted.includes(status))
    }
    expect(headers['Preference-Applied']).not.toHaveProperty('required')
  })

  test.each(['Deprecation', 'Sunset', 'Link'])(
    'all carry %s if the operation is deprecated (spec §9); otherwise none does',
    (name) => {
      for (const [status, response] of findResponses(document, id)) {
        const isExpected = operation.deprecated === true && !unrouted.includes(status)
        expect(name in (response.headers ?? {}), status).toBe(isExpected)
      }
    },
  )

  test('have an example of each documented error at its status: "Every error body has the Error shape" (spec §7)', () => {
    const shown = findResponses(document, id).flatMap(([status, { content }]) => {
      const { schema, examples } = content?.['application/json'] ?? {}
      if (!examples) return []
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
      return Object.entries(examples).map(([code, { value }]) => {
        expect(value).toMatchObject({ code, status: Number(status), message: expect.any(String) })
        return code
      })
    })
    const expected = new Set([...(errorsByOperation[id] ?? []), ...commonErrors])
    expect(shown.toSorted()).toEqual([...expected].toSorted())
  })

  test('name the assumptions of the operation in x-assumption, not in the description', () => {
    const { description, 'x-assumption': named } = findOperation(document, id)
    expect(named).toEqual(operation.assumptions)
    expect(description).not.toMatch(/\bA\d\d\b/)
  })
})
