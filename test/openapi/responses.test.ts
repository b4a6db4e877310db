import { describe, expect, test } from 'vitest'
import { toOpenApi } from '../../src/openapi/service.js'
import { operationIds, operations } from '../../src/operations/operations.js'
import { documentedStatuses } from '../../src/pipeline/inject.js'
import { errorsByOperation } from '../support/operations.js'
import { findOperation, findResponses } from './find-operation.js'

const document = toOpenApi()
const { headers } = document.components

describe.each(operationIds)('the responses of %s', (id) => {
  const operation = operations[id]

  test('are those of every documented status, and default', () => {
    const statuses = findResponses(document, id).map(([status]) => status)
    expect(statuses).toEqual([...documentedStatuses(operation).map(String), 'default'])
  })

  test.each(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])(
    'all carry %s: "Headers on every API response" (spec §8)',
    (name) => {
      for (const [, response] of findResponses(document, id))
        expect(response.headers).toHaveProperty([name])
      expect(headers[name]).toMatchObject({ required: true, schema: { type: 'integer' } })
    },
  )

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

  test('carry Allow on default, for 405 (A18)', () => {
    expect(findOperation(document, id).responses.default?.headers).toHaveProperty('Allow')
  })

  test.each(['Deprecation', 'Sunset', 'Link'])(
    'all carry %s if the operation is deprecated (spec §9); otherwise none does',
    (name) => {
      for (const [status, response] of findResponses(document, id)) {
        expect(name in (response.headers ?? {}), status).toBe(operation.deprecated === true)
      }
    },
  )

  test('have an example of each documented error at its status: "Every error body has the Error shape" (spec §7)', () => {
    const shown = findResponses(document, id).flatMap(([status, { content }]) => {
      const { schema, examples } = content?.['application/json'] ?? {}
      if (!examples || status === 'default') return []
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
      return Object.entries(examples).map(([code, { value }]) => {
        expect(value).toMatchObject({ code, status: Number(status), message: expect.any(String) })
        return code
      })
    })
    expect(shown.toSorted()).toEqual([...(errorsByOperation[id] ?? [])].toSorted())
  })

  test('name the assumptions of the operation, in x-assumption and in the description', () => {
    const { description, 'x-assumption': named } = findOperation(document, id)
    expect(named).toEqual(operation.assumptions)
    for (const assumption of operation.assumptions) expect(description).toContain(assumption)
  })
})
