import { describe, expect, test } from 'vitest'
import { documentedControlErrors, isStream } from '../../../../src/control/operation.js'
import { type ControlOperationId, controlOperationIds } from '../../../../src/control/operations.js'
import type { Connection, ControlRequest } from '../../../control/support.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'
import { toExample } from './examples.js'

const isSafe = (id: ControlOperationId) => controlOperations[id].method === 'GET'
const takesBody = (id: ControlOperationId) => controlOperations[id].request !== undefined

/** The outcomes that must appear: every success and every documented error. */
export function expectedOutcomes(): `${ControlOperationId} ${string}`[] {
  return controlOperationIds.flatMap((id) => {
    const operation = controlOperations[id]
    // A stream does not end; test/control/events.test.ts tests it.
    const successes = isStream(operation) ? [] : ['success']
    // control_denied requires settings of a server; test/transport/http/access.test.ts tests it.
    const errors = documentedControlErrors(operation).filter(
      (code) => code !== 'internal_error' && code !== 'control_denied',
    )
    return [...successes, ...errors].map(
      (outcome): `${ControlOperationId} ${string}` => `${id} ${outcome}`,
    )
  })
}

/** Every error of the control API, none of which changes the world. The golden files have the messages. */
export function describeErrors({ open }: ControlSuite): void {
  /** Sends an invalid control request, and expects that the world does not change. */
  async function reject({ control, sandbox }: Connection, request: ControlRequest) {
    const before = JSON.stringify(sandbox.world.snapshot())
    const response = await control(request)
    expect(JSON.stringify(sandbox.world.snapshot()), 'the world').toBe(before)
    return response
  }

  test.each(controlOperationIds)('%s requires a valid key', async (operation) => {
    const connection = await open()
    const example = toExample(operation)
    const keyless = await reject(connection, { ...example, key: null })
    expect(keyless).toMatchObject({ status: 401, code: 'missing_api_key' })
    const unknown = await reject(connection, { ...example, key: 'guessed-key' })
    expect(unknown).toMatchObject({ status: 401, code: 'invalid_api_key' })
  })

  test.each(controlOperationIds.filter((id) => !isSafe(id)))(
    '%s receives 403 cross_origin_denied from a page of another origin',
    async (operation) => {
      const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://shop.example' }
      const response = await reject(await open(), { ...toExample(operation), headers })
      expect(response).toMatchObject({ status: 403, code: 'cross_origin_denied' })
    },
  )

  test.each(controlOperationIds)('%s rejects an unknown query parameter', async (operation) => {
    const example = toExample(operation)
    const path = `${example.path}?__proto__=1`
    const response = await reject(await open(), { ...example, path })
    expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })

  test.each(controlOperationIds.filter(takesBody))(
    '%s rejects a body that it cannot read',
    async (operation) => {
      const example = { ...toExample(operation), json: undefined }
      const connection = await open()
      const codeOf = async (request: ControlRequest) =>
        (await reject(connection, { ...example, ...request })).code
      expect(await codeOf({ body: '{"quantity":' })).toBe('invalid_json')
      expect(await codeOf({ body: '['.repeat(200_000) })).toBe('invalid_field')
      expect(await codeOf({ body: '{}', contentType: 'text/plain' })).toBe('unsupported_media_type')
      const gzip = { 'Content-Encoding': 'gzip' }
      expect(await codeOf({ body: '{}', headers: gzip })).toBe('unsupported_content_encoding')
      await codeOf({ body: '{"__proto__":{"polluted":true}}' })
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
      const body = `"${'x'.repeat(8 * 1_048_576 - 2)}" `
      expect(await codeOf({ body })).toBe('payload_too_large')
    },
  )

  test.each<[ControlOperationId, string, ControlRequest]>([
    ['addFault', 'missing_field', { json: {} }],
    ['replaceFaults', 'missing_field', { json: [{ type: 'reset' }, { type: 'status' }] }],
    ['createKey', 'invalid_scenario', { json: { scenario: 'low-stok' } }],
    ['putScenario', 'invalid_scenario', { json: { name: 'mine', pets: [{ petId: 1 }] } }],
    ['addPet', 'missing_field', { json: { petId: 77 } }],
    ['addPet', 'resource_conflict', { json: { petId: 1, name: 'Rex' } }],
    ['addOrder', 'missing_field', { json: { id: 900 } }],
    ['addOrder', 'resource_conflict', { json: { id: 1001, petId: 1 } }],
    ['changePet', 'pet_not_found', { path: '/pets/404', json: {} }],
    ['removePet', 'pet_not_found', { path: '/pets/404' }],
    ['changeOrder', 'resource_not_found', { path: '/orders/404', json: {} }],
    ['removeOrder', 'resource_not_found', { path: '/orders/404' }],
  ])('%s rejects a request with %s', async (operation, code, request) => {
    const response = await reject(await open(), { operation, ...request })
    expect(response.code).toBe(code)
  })

  test('a body with several changes, one of them invalid, makes none of them', async () => {
    const connection = await open()
    for (const [operation, json] of [
      ['changeQuota', { minute: { used: 1 }, ban: 'x' }],
      ['changeClock', { now: '9000-01-01T00:00:00Z', frozen: true }],
      ['changePet', { quantity: 1, name: null }],
      ['replaceFaults', [{ type: 'reset' }, { type: 'x' }]],
    ] as const) {
      const response = await reject(connection, { ...toExample(operation), json })
      expect(response.code, operation).toBe('invalid_field')
    }
  })

  describe('a full world', () => {
    /** The documented response. */
    const toFull = (id: ControlOperationId) => {
      const message = controlOperations[id].errorMessages?.sandbox_capacity
      return { status: 503, code: 'sandbox_capacity', message }
    }

    test('rejects the 101st fault', async () => {
      const connection = await open()
      const json = Array(100).fill({ type: 'reset' })
      expect((await connection.control({ operation: 'replaceFaults', json })).status).toBe(200)
      const response = await reject(connection, { operation: 'addFault', json: json[0] })
      expect(response).toMatchObject(toFull('addFault'))
    })

    test('rejects more than 20,000 pets and orders', async () => {
      const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1)
      const pets = numbers.map((petId) => ({ petId, name: 'Rex' }))
      const orders = numbers.map((id) => ({ id, petId: 1 }))
      const { control } = await open({ scenario: { name: 'full', pets, orders } })
      const pet = await control({ operation: 'addPet', json: { petId: 0, name: 'Rex' } })
      expect(pet).toMatchObject(toFull('addPet'))
      const order = await control({ operation: 'addOrder', json: { id: 0, petId: 1 } })
      expect(order).toMatchObject(toFull('addOrder'))
    })
  })
}
