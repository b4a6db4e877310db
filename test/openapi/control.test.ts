import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { addresses } from '../../src/contract/addresses.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../src/control/operations.js'
import { toControlOpenApi } from '../../src/openapi/control.js'
import type { Operation } from '../../src/openapi/document.js'
import { interfaceVersion } from '../../src/openapi/service.js'
import { createSandboxServer } from '../../src/server.js'
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
  test('makes a document that the meta-schema of OpenAPI 3.1 takes', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('makes a document that is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('has every row of the table, at its method and path, and no other', () => {
    const found = shown.map(({ operation, method, path }) => [operation.operationId, method, path])
    const rows = controlOperationIds.map((id) => {
      const { method, path } = controlOperations[id]
      return [id, method, `/sandbox${path}`]
    })
    expect(found.toSorted()).toEqual(rows.toSorted())
  })

  test('has the version of the service, and a bearer token by default', () => {
    expect(document.info.version).toBe(interfaceVersion)
    expect(document.security).toEqual([{ bearer: [] }])
    for (const { operation } of shown) expect(operation).not.toHaveProperty('security')
  })

  test('describes every group that a row belongs to, and no other', () => {
    const groups = controlOperationIds.map((id) => controlOperations[id].resource)
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(groups)].toSorted(),
    )
    for (const id of controlOperationIds) {
      expect(find(id).tags).toEqual([controlOperations[id].resource])
    }
  })

  test.each(['PetChange', 'OrderChange'])(
    '%s shows no default: what is not given stays',
    (name) => {
      const schema = document.components.schemas[name]
      expect(schema).toHaveProperty('properties.quantity')
      expect(JSON.stringify(schema)).not.toMatch(/"(default|required)"/)
    },
  )

  test('shows no rate limit, as a control request is never charged', () => {
    expect(Object.keys(document.components.headers)).toEqual(['WWW-Authenticate'])
    for (const { operation } of shown) {
      expect(operation.responses).not.toHaveProperty('429')
      expect(Object.keys(operation.responses.default?.headers ?? {})).toEqual(['Allow'])
    }
  })
})

describe('the servers', () => {
  test('are those of the HTTP sandbox, which a path of the document follows', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/', '/staging'])
  })

  test('are those that the caller names', () => {
    const { servers } = toControlOpenApi({
      servers: { control: addresses.control.url, stagingControl: addresses.stagingControl.url },
    })
    expect(servers.map(({ url }) => url)).toEqual([
      'https://api.petstore.example',
      'https://staging.api.petstore.example',
    ])
  })

  test('are refused when they do not end in /sandbox, as every path begins with it', () => {
    expect(() => toControlOpenApi({ servers: { control: '/control' } })).toThrow(
      'the sandbox address must end in /sandbox, found /control',
    )
  })
})

describe('the errors of', () => {
  test.each(controlOperationIds)('%s are its own and those of every control operation', (id) => {
    const { method, body, errors = [] } = controlOperations[id]
    const statuses = Object.keys(find(id).responses)
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '500', 'default']))
    expect(statuses.includes('403')).toBe(method !== 'GET')
    expect(statuses.includes('413')).toBe(body !== undefined)
    const codes = Object.values(find(id).responses).flatMap(({ content }) =>
      Object.keys(content?.[json]?.examples ?? {}),
    )
    expect(codes).toEqual(expect.arrayContaining([...errors, 'route_not_found']))
  })
})

test('the HTTP sandbox serves the document at /openapi.sandbox.json, and its paths as they stand', async () => {
  const server = await createSandboxServer()
  const origin = await server.listen({ port: 0 })
  const served = await fetch(`${origin}/openapi.sandbox.json`)
  expect(await served.json()).toEqual(document)
  const headers = { authorization: 'Bearer sbx_free' }
  for (const { url } of document.servers) {
    const base = origin + url.replace(/\/$/, '')
    expect((await fetch(`${base}/sandbox`, { headers })).status).toBe(200)
    expect((await fetch(`${base}/sandbox/`, { headers })).status).toBe(404)
    expect((await fetch(`${base}/sandbox/clock`, { headers })).status).toBe(200)
  }
  await server.close()
})
