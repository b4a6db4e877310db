import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { isStream } from '../../../src/control/operation.js'
import { type ControlOperationId, controlOperationIds } from '../../../src/control/operations.js'
import { toControlOpenApi } from '../../../src/engine/control-document.js'
import { createSandbox, type InProcessSandbox } from '../../../src/index.js'
import { addresses } from '../../../src/service/addresses.js'
import { type ErrorBody, type ErrorCode, errorCodes } from '../../../src/service/errors.js'
import type { Operation } from '../../../src/service/openapi/build.js'
import { controlOperations } from '../../support/operations.js'

const document = await toControlOpenApi()
const json = 'application/json'
const production = addresses.control.url
const params: Readonly<Record<string, string>> = { '{petId}': '7', '{id}': '1005' }

/** Opens a sandbox whose `default` world starts on 1 January 2026. Its real time does not advance. */
async function open() {
  const sandbox = await createSandbox({ now: () => Date.parse('2026-01-01T09:00:00Z') })
  const headers = { authorization: 'Bearer sbx_free', 'content-type': json }
  const send = (url: string, init: RequestInit) => sandbox.fetch(url, { headers, ...init })
  return { sandbox, send }
}

/** Sends a control request to a new sandbox; by default with the documented example body. */
async function requestExample(
  id: ControlOperationId,
  body: unknown = controlOperations[id].request?.example,
) {
  const { send } = await open()
  if (id === 'listRequests' || id === 'clearRequests') {
    await send(`${addresses.api.url}/inventory/7`, { method: 'PATCH', body: '{"quantity":25}' })
  }
  if (id === 'listMessages') {
    const message = '{"message":"Hello, pets!"}'
    await send(`${addresses.quickstart.url}/messages`, { method: 'POST', body: message })
  }
  const { method, path } = controlOperations[id]
  const below = path.replace(/\{\w+\}/, (name) => params[name] ?? name)
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await send(`${production}${below}`, { method, ...text })
  return { status: response.status, body: (await response.json()) as unknown }
}

/** Returns the example response of an operation in the document. */
function findExample(id: ControlOperationId): unknown {
  const { method, path, response } = controlOperations[id]
  const item: Readonly<Record<string, unknown>> = { ...document.paths[`/sandbox${path}`] }
  const { responses } = item[method.toLowerCase()] as Operation // a path item has operations by method
  return responses[response.status ?? 200]?.content?.[json]?.example
}

/** The operations whose response ends. */
const respondingIds = controlOperationIds.filter((id) => !isStream(controlOperations[id]))

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

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)), int64: true },
})
ajv.addSchema(document, 'document')

/** Validates a value against a schema of the document, by its path there. */
function expectValid(value: unknown, ...place: readonly string[]): void {
  const pointer = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  const check = ajv.compile({ $ref: `document#/${pointer.map(encodeURIComponent).join('/')}` })
  check(value)
  expect(check.errors ?? []).toEqual([])
}

/** Returns the path of the schema of a response body. */
function toResponsePath(id: ControlOperationId, status: number | string): string[] {
  const { method, path } = controlOperations[id]
  const responses = ['paths', `/sandbox${path}`, method.toLowerCase(), 'responses']
  return [...responses, String(status), 'content', json, 'schema']
}

/** Returns the path of the schema of a request body. */
function toRequestPath(id: ControlOperationId): string[] {
  const { method, path } = controlOperations[id]
  const operation = ['paths', `/sandbox${path}`, method.toLowerCase()]
  return [...operation, 'requestBody', 'content', json, 'schema']
}

const withBody = controlOperationIds.filter((id) => controlOperations[id].request)

describe('the document has a valid schema for', () => {
  test.each(respondingIds)(
    'the response of %s in the default scenario, its example',
    async (id) => {
      const { status = 200 } = controlOperations[id].response
      const example = findExample(id)
      const { body, ...found } = await requestExample(id)
      expect(found.status).toBe(status)
      expect(shorten(body)).toEqual(partialExamples[id]?.(example) ?? example)
      for (const each of [body, example]) expectValid(each, ...toResponsePath(id, status))
    },
  )

  test.each(controlOperationIds)('the error response of %s', async (id) => {
    const { sandbox } = await open()
    const { method, path } = controlOperations[id]
    const response = await sandbox.fetch(`${production}${path}`, { method })
    expectValid(await response.json(), ...toResponsePath(id, 401))
  })

  test.each(withBody)('the example request of %s', (id) => {
    expectValid(controlOperations[id].request?.example, ...toRequestPath(id))
  })

  test.each([
    'a-name',
    { name: 'whole', pets: [{ petId: '9223372036854775807', name: 'Max', weightKg: 3 }] },
    ['default', { name: 'more', clock: { frozen: true } }],
  ])('the scenario %j', async (source) => {
    expectValid(source, ...toRequestPath('putScenario'))
  })

  test('a whole pet and a whole order as a change', async () => {
    for (const [list, change] of [
      ['listPets', 'changePet'],
      ['listOrders', 'changeOrder'],
    ] as const) {
      const { body } = await requestExample(list)
      for (const record of body as unknown[]) expectValid(record, ...toRequestPath(change))
    }
  })

  test('a snapshot of every built-in scenario, in PUT /scenario too', async () => {
    const { send } = await open()
    const listed = await (await send(`${production}/scenarios`, {})).json()
    for (const { name } of listed as { name: string }[]) {
      await send(`${production}/scenario`, { method: 'PUT', body: JSON.stringify(name) })
      const snapshot: unknown = await (await send(`${production}/snapshot`, {})).json()
      expectValid(snapshot, ...toResponsePath('getSnapshot', 200))
      expectValid(snapshot, ...toRequestPath('putScenario'))
    }
  })

  test.each<[ControlOperationId, unknown]>([
    ['putScenario', 7],
    ['putScenario', { name: 'x', seed: 'one' }],
    ['changeClock', { speed: 2 }],
    ['changeQuota', { minute: { used: -1 } }],
    ['addFault', { type: 'delay', delayMs: 1, rate: 10 }],
    ['addPet', { petId: 77 }],
    ['addOrder', { id: 7 }],
    ['createKey', { plan: 'gold' }],
  ])('%s that rejects %j, as the operation does', async (id, body) => {
    expect(() => expectValid(body, ...toRequestPath(id))).toThrow()
    expect(await requestExample(id, body)).toMatchObject({ status: 400 })
  })
})
