import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { type ControlOperationId, controlOperationIds } from '../../../src/control/operations.js'
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
  test.each(respondingIds)('the response of %s', async (id) => {
    const { status, body } = await requestExample(id)
    expect(status).toBe(controlOperations[id].response.status ?? 200)
    expectValid(body, ...toResponsePath(id, status))
  })

  test.each(controlOperationIds)('the error response of %s', async (id) => {
    const { sandbox } = await open()
    const { method, path } = controlOperations[id]
    const response = await sandbox.fetch(`${production}${path}`, { method })
    expectValid(await response.json(), ...toResponsePath(id, 401))
  })

  test.each(withBody)('the example request of %s', (id) => {
    expectValid(controlOperations[id].request?.example, ...toRequestPath(id))
  })

  test.each(respondingIds)('the example response of %s', (id) => {
    const { status = 200 } = controlOperations[id].response
    expectValid(findExample(id), ...toResponsePath(id, status))
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
