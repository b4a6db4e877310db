import { describe, expect, test } from 'vitest'
import { addresses } from '../../src/contract/addresses.js'
import { errorMessages } from '../../src/contract/error-messages.js'
import type { ErrorCode } from '../../src/contract/errors.js'
import {
  controlErrorMessages,
  controlOperationDetails,
} from '../../src/control/operation-details.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../src/control/operations.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { maximumEntries } from '../../src/scenario/plain-data.js'
import { respondingIds, send, document, json, open, production } from './control-document.js'

/** What differs from response to response, or of which an example shows a part. */
const examplesInPart: Partial<Record<ControlOperationId, (example: unknown) => unknown>> = {
  listScenarios: toContaining,
  listPets: toContaining,
  listOrders: toContaining,
  listMessages: (example) => [{ ...first(example), id: expect.stringMatching(/^msg_\w{24}$/) }],
  createKey: () => ({ apiKey: expect.stringMatching(/^sbx_pro_low-stock_[0-9a-f]{34,64}$/) }),
  listRequests: (example) => [
    {
      ...first(example),
      durationMs: expect.any(Number),
      response: {
        ...first(example).response,
        headers: expect.objectContaining(first(example).response.headers),
      },
    },
  ],
}

function toContaining(example: unknown): unknown {
  return expect.arrayContaining(example as unknown[])
}

/** The first entry of the example of a journal. */
function first(example: unknown): { response: { headers: object } } {
  const [entry] = example as [{ response: { headers: object } }] // as its detail is written
  return entry
}

describe('the example of', () => {
  test.each(respondingIds.filter((id) => id !== 'getSnapshot'))(
    '%s is what the default scenario responses',
    async (id) => {
      const { response } = controlOperationDetails[id]
      const { body } = await send(id)
      expect(body).toEqual(examplesInPart[id]?.(response) ?? response)
    },
  )

  test('streamEvents is what the stream sends', async () => {
    const { send } = await open()
    const stream = await send(`${production}/events`, {})
    const reader = (stream.body ?? new ReadableStream()).getReader()
    await send(`${addresses.api.url}/inventory/7`, { method: 'PATCH', body: '{"quantity":25}' })
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('data:')) text += decoder.decode((await reader.read()).value)
    await reader.cancel()
    const { response, mediaType } = controlOperationDetails.streamEvents
    expect(stream.headers.get('Content-Type')).toBe(mediaType)
    const [example = '', exampleData = ''] = String(response).split('data: ')
    const [head, data = ''] = text.split('data: ')
    expect(head).toBe(example)
    expect(Object.keys(JSON.parse(data))).toEqual(Object.keys(JSON.parse(exampleData)))
    const content = document.paths['/sandbox/events']?.get?.responses['200']?.content ?? {}
    expect(Object.keys(content)).toEqual(['text/event-stream'])
  })
})

interface Refusal {
  readonly body?: unknown
  /** Below the steering address. */
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

const text = { 'content-type': 'text/plain' }
const page = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }

const refusals: readonly [ErrorCode, ControlOperationId, Refusal][] = [
  ['missing_api_key', 'getClock', { headers: { authorization: '' } }],
  ['invalid_api_key', 'getClock', { headers: { authorization: 'Bearer sbx_revoked' } }],
  ['route_not_found', 'getClock', { path: '/clocks' }],
  ['method_not_allowed', 'getClock', { method: 'POST' }],
  ['invalid_parameter', 'getClock', { path: '/clock?verbose=1' }],
  ['invalid_parameter', 'listRequests', { path: '/requests?status=teapot' }],
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

/** The message that the document shows of an error at an operation. */
function toShown(code: ErrorCode, id: ControlOperationId): string {
  const own = controlOperationDetails[id].errorMessages ?? {}
  return own[code] ?? controlErrorMessages[code] ?? errorMessages[code]
}

async function refuse(
  sandbox: InProcessSandbox,
  id: ControlOperationId,
  { path, method, body, headers }: Refusal,
): Promise<unknown> {
  const row = controlOperations[id]
  const response = await sandbox.fetch(`${production}${path ?? row.path}`, {
    method: method ?? row.method,
    headers: { authorization: 'Bearer sbx_free', 'content-type': json, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

describe('the error messages of the document', () => {
  test.each(refusals)('%s of %s is what the sandbox says: %j', async (code, id, refusal) => {
    const { sandbox } = await open()
    expect(await refuse(sandbox, id, refusal)).toMatchObject({ code, message: toShown(code, id) })
  })

  test('sandbox_capacity of addPet and addOrder is what a full world says', async () => {
    const numbers = Array.from({ length: maximumEntries }, (_, index) => index + 1)
    const pets = numbers.map((petId) => ({ petId, name: 'Rex' }))
    const orders = numbers.map((id) => ({ id, petId: 1 }))
    const sandbox = await createSandbox({ scenario: { name: 'full', pets, orders } })
    const [petId, id, name] = [maximumEntries + 1, maximumEntries + 1, 'Rex']
    for (const operation of ['addPet', 'addOrder'] as const) {
      const body = operation === 'addPet' ? { petId, name } : { id, petId: 1 }
      const message = toShown('sandbox_capacity', operation)
      expect(await refuse(sandbox, operation, { body })).toMatchObject({ message })
    }
  })

  test('are all tried that an operation words on its own', () => {
    const own = controlOperationIds.flatMap((id) =>
      Object.keys(controlOperationDetails[id].errorMessages ?? {}).map((code) => `${code} ${id}`),
    )
    const tried = refusals.map(([code, id]) => `${code} ${id}`)
    tried.push('sandbox_capacity addPet', 'sandbox_capacity addOrder')
    expect(own.filter((one) => !tried.includes(one))).toEqual([])
  })
})
