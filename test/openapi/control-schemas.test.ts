import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { controlOperationDetails } from '../../src/control/operation-details.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../../src/control/operations.js'
import { respondingIds, send, document, json, open, production } from './control-document.js'

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)), int64: true },
})
ajv.addSchema(document, 'document')

/** Holds a value against a schema of the document, by its place there. */
function expectFits(value: unknown, ...place: readonly string[]): void {
  const pointer = place.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  const check = ajv.compile({ $ref: `document#/${pointer.map(encodeURIComponent).join('/')}` })
  check(value)
  expect(check.errors ?? []).toEqual([])
}

/** The way to the body's schema of an operation's response. */
function toResponsePlace(id: ControlOperationId, status: number | string): string[] {
  const { method, path } = controlOperations[id]
  const responses = ['paths', `/sandbox${path}`, method.toLowerCase(), 'responses']
  return [...responses, String(status), 'content', json, 'schema']
}

function toRequestPlace(id: ControlOperationId): string[] {
  const { method, path } = controlOperations[id]
  const operation = ['paths', `/sandbox${path}`, method.toLowerCase()]
  return [...operation, 'requestBody', 'content', json, 'schema']
}

const withBody = controlOperationIds.filter((id) => controlOperations[id].body)

describe('a body fits its schema in the document:', () => {
  test.each(respondingIds)('the response of %s', async (id) => {
    const { status, body } = await send(id)
    expect(status).toBe(controlOperations[id].status ?? 200)
    expectFits(body, ...toResponsePlace(id, status))
  })

  test.each(controlOperationIds)('the refusal of %s', async (id) => {
    const { sandbox } = await open()
    const { method, path } = controlOperations[id]
    const response = await sandbox.fetch(`${production}${path}`, { method })
    expectFits(await response.json(), ...toResponsePlace(id, 401))
  })

  test.each(withBody)('the example request of %s', (id) => {
    expectFits(controlOperationDetails[id].request, ...toRequestPlace(id))
  })

  test.each(respondingIds)('the example response of %s', (id) => {
    const { status = 200 } = controlOperations[id]
    expectFits(controlOperationDetails[id].response, ...toResponsePlace(id, status))
  })

  test.each([
    'a-name',
    { name: 'whole', pets: [{ petId: '9223372036854775807', name: 'Max', weightKg: 3 }] },
    ['default', { name: 'more', clock: { frozen: true } }],
  ])('%j as a scenario to start from', async (source) => {
    expectFits(source, ...toRequestPlace('putScenario'))
  })

  test('a whole pet and a whole order, each as a change of itself', async () => {
    for (const [list, change] of [
      ['listPets', 'changePet'],
      ['listOrders', 'changeOrder'],
    ] as const) {
      const { body } = await send(list)
      for (const record of body as unknown[]) expectFits(record, ...toRequestPlace(change))
    }
  })

  test('a snapshot of every built-in scenario, which PUT /scenario takes', async () => {
    const { send } = await open()
    const listed = await (await send(`${production}/scenarios`, {})).json()
    for (const { name } of listed as { name: string }[]) {
      await send(`${production}/scenario`, { method: 'PUT', body: JSON.stringify(name) })
      const snapshot: unknown = await (await send(`${production}/snapshot`, {})).json()
      expectFits(snapshot, ...toResponsePlace('getSnapshot', 200))
      expectFits(snapshot, ...toRequestPlace('putScenario'))
    }
  })

  test.each<[ControlOperationId, unknown]>([
    ['putScenario', 7],
    ['putScenario', { name: 'x', seed: 'one' }],
    ['putScenario', []],
    ['changeClock', { speed: 2 }],
    ['changeQuota', { minute: { used: -1 } }],
    ['replaceFaults', [{ type: 'explode' }]],
    ['addPet', { petId: 77 }],
    ['changePet', { quantity: -1 }],
    ['addOrder', { id: 7 }],
    ['changeOrder', { status: 'lost' }],
    ['createKey', { plan: 'gold' }],
  ])('but not what %s refuses: %j', async (id, body) => {
    expect(() => expectFits(body, ...toRequestPlace(id))).toThrow()
    expect(await send(id, body)).toMatchObject({ status: 400 })
  })
})
