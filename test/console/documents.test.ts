import { describe, expect, it } from 'vitest'
import { readDocuments } from '../../src/console/documents/documents.js'
import { findOperation } from '../../src/console/documents/service.js'
import { toControlOpenApi } from '../../src/engine/control-document.js'
import type { AddressId } from '../../src/service/addresses.js'
import { toOpenApi } from '../../src/service/openapi/service.js'
import {
  type OperationId,
  operationIds,
  operations,
} from '../../src/service/operations/operations.js'
import { origin, readServed, toServed } from './support.js'

const { service } = readServed()

describe('the service in the console', () => {
  it('has the operations of the OpenAPI document in its order', () => {
    const documented = Object.entries(toOpenApi().paths).flatMap(
      ([path, { servers: _, ...item }]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(service.operations.map(({ method, path }) => `${method} ${path}`)).toEqual(documented)
    expect(service.operations.map(({ id }) => id).toSorted()).toEqual(operationIds.toSorted())
  })

  it('has the stability, parameters, example, responses and assumptions of an operation', () => {
    const operation = findOperation(service, 'updateInventory')
    expect(operation).toMatchObject({
      summary: 'Update stock level',
      description: [expect.stringMatching(/^Sets/), expect.stringMatching(/^Experimental/)],
      stability: 'experimental',
      isDeprecated: false,
      parameters: [{ name: 'petId', in: 'path', isRequired: true, example: '7' }],
      requestExample: { quantity: 25 },
      success: { status: 200, description: 'The updated entry.' },
      assumptions: expect.arrayContaining(['A02']),
    })
    expect(operation?.preferableStatuses).toEqual([
      200, 400, 401, 404, 408, 413, 415, 421, 429, 431, 500, 503,
    ])
    expect(findOperation(service, 'getPet')?.isDeprecated).toBe(true)
    expect(findOperation(service, 'listOrders')?.requestExample).toBeUndefined()
  })

  it('has the error catalogue and the assumptions', () => {
    expect(service.errors).toContainEqual(
      expect.objectContaining({ code: 'pet_not_found', status: 404 }),
    )
    expect(service.assumptions.A02).toMatchObject({ change: 'rules.quantity' })
  })
})

describe('the base URLs of the console', () => {
  const publicUrl = 'https://sandbox.example/staging'

  it.each([
    ['at an origin', origin, {}],
    ['below a path prefix', 'https://proxy.example/petstore', {}],
    ['below a public URL that the documents name', publicUrl, { root: publicUrl }],
    ['at another URL than the documents name', 'http://127.0.0.1:4010', { root: publicUrl }],
  ])('are below the address of the page: %s', async (_, root, options) => {
    const control = toServed(await toControlOpenApi(options))
    const read = readDocuments(root, toServed(toOpenApi(options)), control)
    const urls: Partial<Record<AddressId, readonly [string, string]>> = {
      api: ['production', `${root}/v1`],
      staging: ['staging', `${root}/staging/v1`],
      quickstart: ['production', `${root}/quickstart`],
    }
    expect(read.service.operations).toHaveLength(operationIds.length)
    for (const { id, bases } of read.service.operations) {
      const expected = operations[id as OperationId].addresses.map((address) => urls[address]) // an id of the table
      expect(bases.map(({ url, environment }) => [environment, url])).toEqual(expected)
    }
    expect(read.control.controlUrls).toEqual({
      production: `${root}/sandbox`,
      staging: `${root}/staging/sandbox`,
    })
  })
})
