import { describe, expect, test } from 'vitest'
import { type OperationContract, operationIds, operations } from '../../src/operations/operations.js'
import { toOpenApi } from '../../src/openapi/service.js'
import { documentedStatuses } from '../../src/pipeline/inject.js'
import { findOperation, findResponses } from './find-operation.js'

const document = toOpenApi()
const { headers } = document.components

describe.each(operationIds)('the responses of %s', (id) => {
  const contract: OperationContract = operations[id]

  test('are every status that the contract documents, and default for all else', () => {
    const statuses = findResponses(document, id).map(([status]) => status)
    expect(statuses).toEqual([...documentedStatuses(contract).map(String), 'default'])
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

  test('carry WWW-Authenticate on 401 alone (RFC 6750)', () => {
    const found = findResponses(document, id).filter(([, response]) => {
      return 'WWW-Authenticate' in (response.headers ?? {})
    })
    expect(found.map(([status]) => status)).toEqual(['401'])
  })

  test('show Allow, which a 405 carries (A18)', () => {
    expect(findOperation(document, id).responses.default?.headers).toHaveProperty('Allow')
  })

  test.each(['Deprecation', 'Sunset', 'Link'])(
    'carry %s on each when the operation is deprecated (spec §9), else on none',
    (name) => {
      for (const [status, response] of findResponses(document, id)) {
        expect(name in (response.headers ?? {}), status).toBe(contract.deprecated === true)
      }
    },
  )

  test('show each documented error by an example of its status: "Every error body has the Error shape" (spec §7)', () => {
    const shown = findResponses(document, id).flatMap(([status, { content }]) => {
      const { schema, examples } = content?.['application/json'] ?? {}
      if (!examples || status === 'default') return []
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
      return Object.entries(examples).map(([code, { value }]) => {
        expect(value).toMatchObject({ code, status: Number(status), message: expect.any(String) })
        return code
      })
    })
    expect(shown.toSorted()).toEqual([...contract.errors].toSorted())
  })

  test('name the assumptions of the operation, in x-assumption and in the description', () => {
    const { description, 'x-assumption': named } = findOperation(document, id)
    expect(named).toEqual(contract.assumptions)
    for (const assumption of contract.assumptions) expect(description).toContain(assumption)
  })
})
