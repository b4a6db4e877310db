import { describe, expect, test } from 'vitest'
import { documentedControlErrors } from '../../../src/control/operation.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlResources,
} from '../../../src/control/operations.js'
import { toControlOpenApi } from '../../../src/engine/control-document.js'
import { createSandboxServer } from '../../../src/server.js'
import type { OpenApiDocument, Operation } from '../../../src/service/openapi/build.js'
import { interfaceVersion } from '../../../src/service/openapi/build.js'
import { unroutedErrors } from '../../../src/service/operations/operation.js'
import { controlOperations } from '../../support/operations.js'
import { document, json } from './control-document.js'

/** Every operation of the document with its method and path. */
const shown = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation,
  })),
)

function find(id: ControlOperationId): Operation {
  const found = shown.find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`${id} is not in the document`)
  return found.operation
}

describe('toControlOpenApi', () => {
  test('has every control operation with its method and path, and no other', () => {
    const found = shown.map(({ operation, method, path }) => [operation.operationId, method, path])
    const rows = controlOperationIds.map((id) => {
      const { method, path } = controlOperations[id]
      return [id, method, `/sandbox${path}`]
    })
    expect(found.toSorted()).toEqual(rows.toSorted())
  })

  test('has the version of the service, and bearer authentication by default, or with a token', () => {
    expect(document.info.version).toBe(interfaceVersion)
    expect(document.security).toEqual([{ bearer: [] }, { bearer: [], token: [] }])
    expect(document.components.securitySchemes.token).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'Sandbox-Token',
    })
    for (const { operation } of shown) expect(operation).not.toHaveProperty('security')
  })

  test('has one tag per resource, which its operations have', () => {
    const [first, ...others] = document.tags.map(({ name }) => name)
    expect(first).toBe('Overview')
    expect(others).toEqual(others.toSorted())
    expect(document.tags).toHaveLength(controlResources.length)
    for (const { title, description, operations } of controlResources) {
      expect(document.tags).toContainEqual({ name: title, description })
      for (const id of Object.keys(operations)) {
        expect(find(id as ControlOperationId).tags).toEqual([title]) // the ids of the table
      }
    }
  })

  test.each(['PetChange', 'OrderChange'])('%s has no default and no required field', (name) => {
    const schema = document.components.schemas[name]
    expect(schema).toHaveProperty('properties.quantity')
    expect(JSON.stringify(schema)).not.toMatch(/"(default|required)"/)
  })

  test('has no rate limit, because control requests are never charged', () => {
    expect(Object.keys(document.components.headers)).toEqual([
      'WWW-Authenticate',
      'X-Request-Id',
      'Sandbox-World-Generation',
    ])
    for (const { operation } of shown) {
      expect(operation.responses).not.toHaveProperty('429')
      expect(operation.responses).not.toHaveProperty('default')
    }
  })
})

describe('Sandbox-World-Generation', () => {
  test('is on each response that only a request with a valid key receives', () => {
    for (const { operation } of shown) {
      for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
        const isWorldKnown = !['401', '403', '408', '421', '431', '500', '503'].includes(status)
        const found = 'Sandbox-World-Generation' in headers
        expect(found, `${operation.operationId} ${status}`).toBe(isWorldKnown)
      }
    }
  })

  test('is a required integer', () => {
    expect(document.components.headers['Sandbox-World-Generation']).toMatchObject({
      required: true,
      schema: { type: 'integer' },
    })
  })
})

describe('the servers', () => {
  test('are those of the HTTP sandbox, to which the paths are appended', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/', '/staging'])
  })

  test('are below the root', async () => {
    const { servers } = await toControlOpenApi({ root: 'https://sandbox.example/petstore' })
    expect(servers.map(({ url }) => url)).toEqual([
      'https://sandbox.example/petstore',
      'https://sandbox.example/petstore/staging',
    ])
  })
})

describe('the errors of', () => {
  test.each(controlOperationIds)('%s are those of its definition', (id) => {
    const { request } = controlOperations[id]
    const statuses = Object.keys(find(id).responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '500', '503']))
    expect(statuses.includes('413')).toBe(request !== undefined)
    expect(statuses.includes('415')).toBe(request !== undefined)
    const codes = Object.values(find(id).responses).flatMap(({ content }) =>
      Object.keys(content?.[json]?.examples ?? {}),
    )
    const documented = [...documentedControlErrors(controlOperations[id]), ...unroutedErrors]
    expect(codes.toSorted()).toEqual([...new Set(documented)].toSorted())
  })
})

test('the HTTP sandbox serves the document at /openapi.sandbox.json, and its paths', async () => {
  const server = await createSandboxServer()
  const origin = await server.listen({ port: 0 })
  const served = await fetch(`${origin}/openapi.sandbox.json`)
  const { servers, ...rest }: OpenApiDocument = await served.json()
  const { servers: _, ...expected } = document
  expect(rest).toEqual(expected)
  expect(servers.map(({ url }) => url)).toEqual([origin, `${origin}/staging`])
  const headers = { authorization: 'Bearer sbx_free' }
  for (const { url: base } of servers) {
    expect((await fetch(`${base}/sandbox`, { headers })).status).toBe(200)
    expect((await fetch(`${base}/sandbox/`, { headers })).status).toBe(404)
    expect((await fetch(`${base}/sandbox/clock`, { headers })).status).toBe(200)
  }
  await server.close()
})
