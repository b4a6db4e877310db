import { describe, expect, test } from 'vitest'
import { assumptions } from '../../../src/service/assumptions.js'
import { errorTexts } from '../../../src/service/error-texts.js'
import { allErrorCodes, errorCodes } from '../../../src/service/errors.js'
import { toOpenApi } from '../../../src/service/openapi/service.js'
import { operationIds, operations } from '../../../src/service/operations/operations.js'
import { findOperation, findResponses } from './find-operation.js'

const document = toOpenApi()

describe('toOpenApi', () => {
  test('states version 1.0.0: "The interface description carries version 1.0.0" (spec §9)', () => {
    expect(document.info.version).toBe('1.0.0')
  })

  test('requires a bearer token by default: "The scheme applies to every operation by default" (spec §5)', () => {
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
    })
    expect(document.security).toEqual([{ bearer: [] }])
    for (const id of operationIds)
      expect(findOperation(document, id)).not.toHaveProperty('security')
  })

  test('has every operation of the table and no other, among them those of spec §4', () => {
    const found = Object.entries(document.paths).flatMap(([path, { servers: _, ...methods }]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
    )
    const defined = operationIds.map((id) => {
      const { method, path } = operations[id]
      return [id, method.toLowerCase(), path]
    })
    expect(found.toSorted()).toEqual(defined.toSorted())
    expect(found).toEqual(
      expect.arrayContaining([
        ['listInventory', 'get', '/inventory'],
        ['updateInventory', 'patch', '/inventory/{petId}'],
        ['getPet', 'get', '/pets/{petId}'],
        ['listOrders', 'get', '/store/orders'],
        ['sendMessage', 'post', '/messages'],
      ]),
    )
  })

  test.each([
    ['listInventory', 'Store'],
    ['updateInventory', 'Store'],
    ['listOrders', 'Store'],
    ['getPet', 'Pets'],
    ['sendMessage', 'Messages'],
  ] as const)('tags %s with %s, "two navigation sections, Store and Pets" (spec §1)', (id, tag) => {
    expect(findOperation(document, id).tags).toEqual([tag])
    expect(document.tags.map(({ name }) => name)).toContain(tag)
  })

  test('marks updateInventory alone: "updateInventory is `experimental`" (spec §9)', () => {
    expect(findOperation(document, 'updateInventory')['x-stability-level']).toBe('experimental')
    const marked = operationIds.filter((id) => 'x-stability-level' in findOperation(document, id))
    expect(marked).toEqual(['updateInventory'])
  })

  test('marks getPet alone: "`GET /pets/{petId}` is deprecated" (spec §9)', () => {
    expect(operationIds.filter((id) => findOperation(document, id).deprecated)).toEqual(['getPet'])
  })

  test.each(['updateInventory', 'getPet'] as const)(
    '%s takes petId: "integer int64, required" (spec §4.2)',
    (id) => {
      expect(findOperation(document, id).parameters).toMatchObject([
        { name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
      ])
    },
  )

  test.each(['listInventory', 'listOrders', 'sendMessage'] as const)(
    '%s has no parameters: "Parameters: none" (spec §4.1)',
    (id) => {
      expect(findOperation(document, id)).not.toHaveProperty('parameters')
    },
  )

  test('describes Prefer once, in the introduction and in x-preferences', () => {
    expect(document.info.description).toContain('`Prefer`')
    expect(document['x-preferences']).toMatchObject({
      code: { example: 'code=429' },
      delay: { schema: { type: 'number', minimum: 0, maximum: 60 }, example: 'delay=2' },
      handling: { schema: { enum: ['lenient', 'strict'] } },
    })
    expect(JSON.stringify(document.paths)).not.toContain('"in":"header"')
  })

  test.each([
    ['updateInventory', 'InventoryUpdate'],
    ['sendMessage', 'MessageRequest'],
  ] as const)('%s requires a body: %s (spec §4)', (id, name) => {
    expect(findOperation(document, id).requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
    })
  })

  test.each(['listInventory', 'getPet', 'listOrders'] as const)('%s takes no body', (id) => {
    expect(findOperation(document, id)).not.toHaveProperty('requestBody')
  })
})

describe('the servers', () => {
  test('are production and staging, with short descriptions', () => {
    expect(document.servers).toEqual([
      { url: '/v1', description: 'Production' },
      { url: '/staging/v1', description: 'Staging' },
    ])
  })

  test('of sendMessage are its own: "on a separate address" (spec §4.4)', () => {
    const { paths } = toOpenApi({ root: 'https://sandbox.example/petstore' })
    const quickstart = 'https://sandbox.example/petstore/quickstart'
    const own = [{ url: quickstart, description: 'Quickstart' }]
    // Some tools read the servers of a path, others those of an operation.
    expect(paths['/messages']).toMatchObject({ servers: own, post: { servers: own } })
    const others = Object.entries(paths).filter(([path]) => path !== '/messages')
    for (const [path, item] of others) expect(JSON.stringify(item), path).not.toContain('"servers"')
  })

  test('and the link to the assumptions are below the root', () => {
    const { servers, externalDocs } = toOpenApi({ root: 'https://sandbox.example/petstore' })
    expect(servers.map(({ url }) => url)).toEqual([
      'https://sandbox.example/petstore/v1',
      'https://sandbox.example/petstore/staging/v1',
    ])
    expect(externalDocs?.url).toBe('https://sandbox.example/petstore/#reference')
  })
})

describe('the tables of the document', () => {
  test.each(Object.keys(assumptions))('x-assumptions has %s', (id) => {
    expect(document['x-assumptions']).toHaveProperty([id, 'open'])
    expect(document['x-assumptions']).toHaveProperty([id, 'chosen'])
  })

  test('x-assumptions names the operations that an assumption concerns', () => {
    const { A06, A11 } = document['x-assumptions'] ?? {}
    expect(A11).toMatchObject({ operations: ['updateInventory', 'sendMessage'] })
    expect(A06).not.toHaveProperty('operations')
  })

  test('x-error-codes is the whole catalogue', () => {
    const catalogue = allErrorCodes.map((code) => {
      return [code, { status: errorCodes[code].status, meaning: errorTexts[code].meaning }]
    })
    expect(document['x-error-codes']).toEqual(Object.fromEntries(catalogue))
  })

  test('every error of the service has an example', () => {
    const shown = operationIds.flatMap((id) =>
      findResponses(document, id).flatMap(([, { content }]) => {
        return Object.keys(content?.['application/json']?.examples ?? {})
      }),
    )
    const controlCodes = [
      'control_denied',
      'cross_origin_denied',
      'invalid_scenario',
      'resource_not_found',
      'resource_conflict',
    ]
    // Requests that match no operation.
    const unmatched = ['malformed_request', 'route_not_found', 'method_not_allowed']
    expect([...new Set([...shown, ...controlCodes, ...unmatched])].toSorted()).toEqual(
      Object.keys(errorCodes).toSorted(),
    )
  })
})
