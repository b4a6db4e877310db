import { describe, expect, test } from 'vitest'
import { type ControlOperationId, controlOperationIds } from '../../../src/control/operations.js'
import type { InProcessSandbox } from '../../../src/index.js'
import { addresses } from '../../../src/service/addresses.js'
import { type ErrorBody, type ErrorCode, errorCodes } from '../../../src/service/errors.js'
import type { Operation } from '../../../src/service/openapi/build.js'
import { controlOperations } from '../../support/operations.js'
import {
  document,
  findExample,
  json,
  open,
  production,
  requestExample,
  respondingIds,
} from './control-document.js'

/** Expected responses where the example has random or measured values. */
const partialExamples: Partial<Record<ControlOperationId, (example: unknown) => unknown>> = {
  listMessages: (example) => [{ ...first(example), id: expect.stringMatching(/^msg_\w{24}$/) }],
  createKey: () => ({ apiKey: expect.stringMatching(/^sbx_pro_low-stock_[0-9a-f]{34,64}$/) }),
  listRequests: (example) => [{ ...first(example), durationMs: expect.any(Number) }],
}

/** Returns the first entry of an example of a list. */
function first(example: unknown): object {
  const [entry] = example as [object] // it is not empty
  return entry
}

/** Examples have the first entries of lists. */
function shorten(body: unknown): unknown {
  const cut = (_name: string, value: unknown) => (Array.isArray(value) ? value.slice(0, 4) : value)
  return JSON.parse(JSON.stringify(body, cut))
}

describe('the example of', () => {
  test.each(respondingIds)('%s is the response of the default scenario', async (id) => {
    const example = findExample(id)
    const { body } = await requestExample(id)
    expect(shorten(body)).toEqual(partialExamples[id]?.(example) ?? example)
  })

  test('streamEvents is what the stream sends', async () => {
    const { send } = await open()
    const stream = await send(`${production}/events`, {})
    const reader = (stream.body ?? new ReadableStream()).getReader()
    await send(`${addresses.api.url}/inventory/7`, { method: 'PATCH', body: '{"quantity":25}' })
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('data:')) text += decoder.decode((await reader.read()).value)
    await reader.cancel()
    const { mediaType = '' } = controlOperations.streamEvents.response
    expect(stream.headers.get('Content-Type')).toBe(mediaType)
    const content = document.paths['/sandbox/events']?.get?.responses['200']?.content ?? {}
    expect(Object.keys(content)).toEqual([mediaType])
    const [example = '', exampleData = ''] = String(content[mediaType]?.example).split('data: ')
    const [head, data = ''] = text.split('data: ')
    expect(head).toBe(example)
    expect(Object.keys(JSON.parse(data))).toEqual(Object.keys(JSON.parse(exampleData)))
  })
})

interface Rejected {
  readonly body?: unknown
  /** Path below the control address. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

const text = { 'content-type': 'text/plain' }
const page = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }

const errors: readonly [ErrorCode, ControlOperationId, Rejected][] = [
  ['missing_api_key', 'getClock', { headers: { authorization: '' } }],
  ['invalid_api_key', 'getClock', { headers: { authorization: 'Bearer sbx_revoked' } }],
  ['invalid_parameter', 'getClock', { path: '/clock?verbose=1' }],
  ['invalid_parameter', 'listRequests', { path: '/requests?status=teapot' }],
  ['invalid_parameter', 'listPets', { path: '/pets?limit=0' }],
  ['invalid_parameter', 'listOrders', { path: '/orders?limit=0' }],
  ['invalid_parameter', 'listMessages', { path: '/messages?limit=0' }],
  ['invalid_parameter', 'listScenarios', { path: '/scenarios?limit=0' }],
  ['invalid_parameter', 'getSnapshot', { path: '/snapshot?name=Out%20of%20Nemo' }],
  ['invalid_parameter', 'removePet', { path: '/pets/seven' }],
  ['invalid_parameter', 'changePet', { path: '/pets/seven', body: {} }],
  ['invalid_parameter', 'removeOrder', { path: '/orders/seven' }],
  ['invalid_parameter', 'changeOrder', { path: '/orders/seven', body: {} }],
  ['cross_origin_denied', 'resetWorld', { headers: page }],
  ['unsupported_media_type', 'changeClock', { headers: text, body: {} }],
  ['invalid_field', 'changeClock', { body: { frozen: 'yes' } }],
  ['invalid_field', 'putScenario', { body: 7 }],
  ['invalid_scenario', 'putScenario', { body: { name: 'x', seed: 'one' } }],
  ['invalid_field', 'changeQuota', { body: { minute: { used: -1 } } }],
  ['invalid_field', 'replaceFaults', { body: [{ type: 'explode' }] }],
  ['missing_field', 'replaceFaults', { body: [{ type: 'status' }] }],
  ['invalid_field', 'addFault', { body: { type: 'delay', delayMs: 1, rate: 10 } }],
  ['missing_field', 'addFault', { body: { type: 'delay' } }],
  ['missing_field', 'addPet', { body: { petId: 77 } }],
  ['invalid_field', 'addPet', { body: { petId: 77, name: 'Rex', quantity: '5' } }],
  ['resource_conflict', 'addPet', { body: { petId: 7, name: 'Rex' } }],
  ['pet_not_found', 'changePet', { path: '/pets/404', body: {} }],
  ['invalid_field', 'changePet', { path: '/pets/7', body: { quantity: '5' } }],
  ['pet_not_found', 'removePet', { path: '/pets/404' }],
  ['missing_field', 'addOrder', { body: { id: 7 } }],
  ['invalid_field', 'addOrder', { body: { id: 7, petId: 7, quantity: '5' } }],
  ['resource_conflict', 'addOrder', { body: { id: 1001, petId: 7 } }],
  ['resource_not_found', 'changeOrder', { path: '/orders/404', body: {} }],
  ['invalid_field', 'changeOrder', { path: '/orders/1005', body: { status: 'lost' } }],
  ['resource_not_found', 'removeOrder', { path: '/orders/404' }],
  ['invalid_field', 'createKey', { body: { plan: 'gold' } }],
  ['invalid_scenario', 'createKey', { body: { scenario: 'low-stok' } }],
]

/** Returns the message of an error in the document. */
function documentedMessage(code: ErrorCode, id: ControlOperationId): string {
  const { method, path } = controlOperations[id]
  const item: Readonly<Record<string, unknown>> = { ...document.paths[`/sandbox${path}`] }
  const { responses } = item[method.toLowerCase()] as Operation // a path item has operations by method
  const { content } = responses[errorCodes[code].status] ?? {}
  const example = content?.[json]?.examples?.[code]
  if (!example) throw new Error(`the document has no example of ${code} at ${id}`)
  return (example.value as ErrorBody).message // the examples of errors are Error bodies
}

async function request(
  sandbox: InProcessSandbox,
  id: ControlOperationId,
  { path, body, headers }: Rejected,
): Promise<unknown> {
  const operation = controlOperations[id]
  const response = await sandbox.fetch(`${production}${path ?? operation.path}`, {
    method: operation.method,
    headers: { authorization: 'Bearer sbx_free', 'content-type': json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

describe('the error messages of the document', () => {
  test.each(errors)('%s of %s is what the sandbox sends: %j', async (code, id, rejected) => {
    const { sandbox } = await open()
    expect(await request(sandbox, id, rejected)).toMatchObject({
      code,
      message: documentedMessage(code, id),
    })
  })

  test('of every operation are tested', () => {
    const own = controlOperationIds.flatMap((id) =>
      Object.keys(controlOperations[id].errorMessages ?? {}).map((code) => `${code} ${id}`),
    )
    const tested = errors.map(([code, id]) => `${code} ${id}`)
    // test/conformance/control/cases/errors.ts has the messages of a full world.
    const untested = own.filter((message) => !tested.includes(message))
    expect(untested.filter((message) => !message.startsWith('sandbox_capacity'))).toEqual([])
  })
})
