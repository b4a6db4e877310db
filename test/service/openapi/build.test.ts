import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { buildOpenApi } from '../../../src/service/openapi/build.js'
import type { DescribedOperation, OpenApiSource } from '../../../src/service/openapi/source.js'
import { errorSchema } from '../../../src/service/schemas.js'

const clock = z.strictObject({ now: z.iso.datetime(), frozen: z._default(z.boolean(), false) })

const errors = ['missing_api_key', 'request_timeout'] as const

function describeOperation(
  operation: Pick<DescribedOperation, 'method' | 'path'> & Partial<DescribedOperation>,
): DescribedOperation {
  return {
    addresses: ['control'],
    tag: 'Clock',
    summary: 'Do it',
    description: 'Does it.',
    response: { description: 'Done.' },
    errorMessages: { missing_api_key: 'no key', request_timeout: 'too late' },
    allErrors: errors,
    ...operation,
  }
}

const clockResponse = { description: 'The clock.', body: { schema: clock } }

const source: OpenApiSource = {
  title: 'Control',
  description: '',
  tags: [{ name: 'Clock', description: 'Time.' }],
  operations: {
    getClock: describeOperation({ method: 'GET', path: '/clock', response: clockResponse }),
    setClock: describeOperation({
      method: 'PUT',
      path: '/clock',
      request: { schema: clock },
      response: clockResponse,
    }),
    watchClock: describeOperation({
      method: 'GET',
      path: '/clock/events',
      description: 'Streams.',
      query: z.strictObject({
        since: z.string(),
        limit: z
          .optional(z.pipe(z.string(), z.transform(Number)))
          .check(z.describe('Maximum number.')),
      }),
      response: {
        description: 'A stream.',
        mediaType: 'text/event-stream',
        body: { schema: z.string() },
      },
    }),
    removeClock: describeOperation({
      method: 'DELETE',
      path: '/clocks/{name}',
      pathParameter: { description: 'Number.', example: 7 },
      response: { status: 204, description: 'Removed.' },
    }),
  },
  components: { request: {}, response: { Error: errorSchema } },
}

const document = buildOpenApi(source)

describe('buildOpenApi', () => {
  test('states the addresses of the operations', () => {
    expect(document.servers).toEqual([{ url: '/sandbox', description: 'Control API' }])
  })

  test('describes both operations of a path', () => {
    const { get, put } = document.paths['/clock'] ?? {}
    expect([get?.operationId, put?.operationId]).toEqual(['getClock', 'setClock'])
  })

  test('states the summary, description and tag of an operation', () => {
    expect(document.paths['/clock/events']?.get).toMatchObject({
      summary: 'Do it',
      description: 'Streams.',
      tags: ['Clock'],
    })
  })

  test('repeats an unnamed schema of two operations at both', () => {
    const { get, put } = document.paths['/clock'] ?? {}
    const shown = [get, put].map(
      (operation) => operation?.responses['200']?.content?.['application/json'],
    )
    expect(shown[0]?.schema.properties).toHaveProperty('now')
    expect(shown[1]).toEqual(shown[0])
  })

  test('requires a field with a default in responses only', () => {
    const { put } = document.paths['/clock'] ?? {}
    const request = put?.requestBody?.content['application/json']?.schema
    const response = put?.responses['200']?.content?.['application/json']?.schema
    expect(request).toMatchObject({ required: ['now'], additionalProperties: false })
    expect(response).toMatchObject({ required: ['now', 'frozen'] })
    expect(response).not.toHaveProperty('additionalProperties')
  })

  test('derives a parameter from each field of a query and each name in a path', () => {
    expect(document.paths['/clock/events']?.get?.parameters).toMatchObject([
      { name: 'since', in: 'query', required: true },
      { name: 'limit', in: 'query', required: false, description: 'Maximum number.' },
    ])
    expect(document.paths['/clocks/{name}']?.delete?.parameters).toMatchObject([
      { name: 'name', in: 'path', required: true, example: 7 },
    ])
  })

  test('describes a 204 response without content', () => {
    const { responses = {} } = document.paths['/clocks/{name}']?.delete ?? {}
    expect(Object.keys(responses)).toEqual(['204', '401', '408'])
    expect(responses['204']).toEqual({
      description: 'Removed.',
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        'Sandbox-World-Generation': { $ref: '#/components/headers/Sandbox-World-Generation' },
      },
    })
  })

  test('describes a response of another media type', () => {
    const stream = document.paths['/clock/events']?.get?.responses['200']
    expect(Object.keys(stream?.content ?? {})).toEqual(['text/event-stream'])
  })

  test('states no rate limit and no assumptions if there are none', () => {
    expect(JSON.stringify(document.paths)).not.toContain('X-RateLimit')
    expect(document).not.toHaveProperty('x-assumptions')
  })

  test('states the error messages of the source', () => {
    const responses = JSON.stringify(document.paths['/clock']?.get?.responses)
    expect(responses).toContain('"message":"no key"')
    expect(responses).toContain('"message":"too late"')
  })

  test('refers to a named request schema in a response with the same schema', () => {
    const { paths, components } = buildOpenApi({
      ...source,
      components: { request: { ClockFile: clock }, response: { Error: errorSchema } },
    })
    const { get, put } = paths['/clock'] ?? {}
    const reference = { $ref: '#/components/schemas/ClockFile' }
    expect(get?.responses['200']?.content?.['application/json']?.schema).toEqual(reference)
    expect(put?.requestBody?.content['application/json']?.schema).toEqual(reference)
    expect(components.schemas.ClockFile).toMatchObject({ required: ['now'] })
  })

  test('throws for a path parameter without description', () => {
    const operations = {
      removeClock: describeOperation({ method: 'DELETE', path: '/clocks/{name}' }),
    }
    expect(() => buildOpenApi({ ...source, operations })).toThrow(
      '/clocks/{name} must have a pathParameter, found none',
    )
  })
})
