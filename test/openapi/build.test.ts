import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { errorSchema } from '../../src/contract/response-schemas.js'
import { buildOpenApi } from '../../src/openapi/build.js'
import type { DescribedOperation, OpenApiSource } from '../../src/openapi/source.js'

const clock = z.strictObject({ now: z.iso.datetime(), frozen: z.boolean().default(false) })

function toRow(row: Pick<DescribedOperation, 'method' | 'path'> & Partial<DescribedOperation>) {
  return {
    addresses: ['control'],
    resource: 'Clock',
    summary: 'Do it',
    section: '',
    success: 200,
    errors: ['missing_api_key'],
    assumptions: [],
    ...row,
  } as const satisfies DescribedOperation
}

const source: OpenApiSource = {
  title: 'Steering',
  version: '1.0.0',
  description: '',
  tags: { Clock: 'Time.' },
  operations: {
    getClock: toRow({ method: 'GET', path: '/clock' }),
    setClock: toRow({ method: 'PUT', path: '/clock' }),
    watchClock: toRow({ method: 'GET', path: '/clock/events' }),
    forgetClock: toRow({ method: 'DELETE', path: '/clocks/{name}', success: 204 }),
  },
  details: {
    watchClock: { description: 'Streams.', success: 'A stream.', mediaType: 'text/event-stream' },
  },
  querySchemas: {
    watchClock: z.strictObject({
      since: z.string(),
      limit: z.string().transform(Number).optional().describe('At most so many.'),
    }),
  },
  requestSchemas: { setClock: clock },
  responseSchemas: { getClock: clock, setClock: clock, watchClock: z.string() },
  components: { requests: {}, responses: { Error: errorSchema } },
  parameters: { name: { schema: z.string(), description: 'Which.', example: 'main' } },
  isRateLimited: false,
  commonErrors: ['route_not_found'],
  otherErrors: 'the request reached no operation.',
  errorMessages: { missing_api_key: 'no key', route_not_found: 'no route' },
  assumptions: {},
}

const document = buildOpenApi(source)

describe('buildOpenApi, from another table,', () => {
  test('serves it at the address of its rows', () => {
    expect(document.servers).toEqual([{ url: '/sandbox', description: 'Steering' }])
  })

  test('shows both operations of a path', () => {
    const { get, put } = document.paths['/clock'] ?? {}
    expect([get?.operationId, put?.operationId]).toEqual(['getClock', 'setClock'])
  })

  test('describes an operation without details by its summary', () => {
    expect(document.paths['/clock']?.get?.description).toBe('Do it.')
  })

  test('shows a schema that two operations share at both', () => {
    const { get, put } = document.paths['/clock'] ?? {}
    const shown = [get, put].map((one) => one?.responses['200']?.content?.['application/json'])
    expect(shown[0]?.schema.properties).toHaveProperty('now')
    expect(shown[1]).toEqual(shown[0])
  })

  test('requires of a request less than a response has: a default may be left out', () => {
    const { put } = document.paths['/clock'] ?? {}
    const request = put?.requestBody?.content['application/json']?.schema
    const response = put?.responses['200']?.content?.['application/json']?.schema
    expect(request).toMatchObject({ required: ['now'], additionalProperties: false })
    expect(response).toMatchObject({ required: ['now', 'frozen'] })
    expect(response).not.toHaveProperty('additionalProperties')
  })

  test('makes a parameter of each field of a query, and of each name in a path', () => {
    expect(document.paths['/clock/events']?.get?.parameters).toMatchObject([
      { name: 'since', in: 'query', required: true },
      { name: 'limit', in: 'query', required: false, description: 'At most so many.' },
    ])
    expect(document.paths['/clocks/{name}']?.delete?.parameters).toMatchObject([
      { name: 'name', in: 'path', required: true, example: 'main' },
    ])
  })

  test('shows a success without a body, and one of another media type', () => {
    const removed = document.paths['/clocks/{name}']?.delete?.responses['204']
    expect(removed).not.toHaveProperty('content')
    const stream = document.paths['/clock/events']?.get?.responses['200']
    expect(Object.keys(stream?.content ?? {})).toEqual(['text/event-stream'])
  })

  test('shows no rate limit and no assumptions where there are none', () => {
    expect(JSON.stringify(document.paths)).not.toContain('X-RateLimit')
    expect(document).not.toHaveProperty('x-assumptions')
  })

  test('shows the error messages of its own tables, at an operation and at any', () => {
    const responses = JSON.stringify(document.paths['/clock']?.get?.responses)
    expect(responses).toContain('"message":"no key"')
    expect(responses).toContain('"message":"no route"')
    expect(responses).toContain('"description":"Any other error: the request reached no operation."')
  })

  test('refers to what a request takes where a response is the same', () => {
    const { paths, components } = buildOpenApi({
      ...source,
      components: { requests: { ClockFile: clock }, responses: { Error: errorSchema } },
    })
    const { get, put } = paths['/clock'] ?? {}
    const reference = { $ref: '#/components/schemas/ClockFile' }
    expect(get?.responses['200']?.content?.['application/json']?.schema).toEqual(reference)
    expect(put?.requestBody?.content['application/json']?.schema).toEqual(reference)
    expect(components.schemas.ClockFile).toMatchObject({ required: ['now'] })
  })

  test('refuses tables that do not fit each other, and says what is missing', () => {
    expect(() => buildOpenApi({ ...source, parameters: {} })).toThrow(
      'the parameters must have name of /clocks/{name}, found none',
    )
  })
})
