import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import type { SendRequest } from '../../support/client.js'
import { allowOf } from '../../support/operations.js'
import type { Suite } from '../../support/suite.js'

type Fault = NonNullable<Scenario['faults']>[number]

/** The faults of a scenario. */
export function describeFaults({ open }: Suite): void {
  describe('faults', () => {
    test('a status fault responds with its Error body and Retry-After', async () => {
      const fault: Fault = {
        type: 'status',
        status: 503,
        code: 'maintenance',
        message: 'back soon',
        retryAfterSeconds: 7,
      }
      const { send } = await open({ scenario: withFaults(fault) })
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response.json).toEqual({ code: 'maintenance', message: 'back soon', status: 503 })
      expect(response.retryAfter).toBe(7)
    })

    test.each([
      [400, 'invalid_json'],
      [401, 'invalid_api_key'],
      [404, 'pet_not_found'],
      [405, 'method_not_allowed'],
      [418, 'simulated_fault'],
      [429, 'rate_limit_exceeded'],
      [500, 'internal_error'],
      [502, 'bad_gateway'],
      [503, 'service_unavailable'],
      [504, 'gateway_timeout'],
      [599, 'simulated_fault'],
    ])('a status fault of %i without a code responds with the code %s', async (status, code) => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status }) })
      expect(await send({ operation: 'listInventory', expectsFault: true })).toMatchObject({
        status,
        code,
      })
    })

    test('spec §8 rule 1: a 429 fault has Retry-After', async () => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 429 }) })
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response).toMatchObject({ retryAfter: 60, rateLimit: { remaining: 0 } })
    })

    test('RFC 6750: the challenge of a 401 fault has error="invalid_token" by default', async () => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 401 }) })
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response).toMatchObject({ status: 401, code: 'invalid_api_key' })
      expect(response.headers.get('WWW-Authenticate')).toBe(
        'Bearer realm="petstore", error="invalid_token"',
      )
    })

    test('RFC 6750: the challenge of a 401 fault missing_api_key has no error', async () => {
      const fault: Fault = { type: 'status', status: 401, code: 'missing_api_key' }
      const { send } = await open({ scenario: withFaults(fault) })
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response).toMatchObject({ status: 401, code: 'missing_api_key' })
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"')
    })

    test.each([
      ['listInventory', 'GET, HEAD, OPTIONS'],
      ['updateInventory', allowOf('/inventory/{petId}')],
      ['sendMessage', 'POST, OPTIONS'],
    ] as const)('RFC 9110: a 405 fault of %s has Allow: %s', async (operation, allow) => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 405 }) })
      const response = await send({ operation, expectsFault: true })
      expect(response).toMatchObject({ status: 405, code: 'method_not_allowed' })
      expect(response.headers.get('Allow')).toBe(allow)
    })

    test('a status fault changes nothing and does not replace authentication', async () => {
      const { send, sandbox } = await open({
        scenario: withFaults({ type: 'status', status: 500 }),
      })
      await send({ operation: 'updateInventory', expectsFault: true, json: { quantity: 999 } })
      expect(sandbox.world.db.findItem('1')?.quantity).toBe(4)
      expect((await send({ operation: 'listInventory', key: null })).status).toBe(401)
    })

    test('a delay delays the response, and delays add up', async () => {
      const scenario = withFaults({ type: 'delay', delayMs: 800 }, { type: 'delay', delayMs: 50 })
      const { send, delays } = await open({ scenario })
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
      const headers = { Prefer: 'wait=1' }
      expect((await send({ operation: 'listInventory', headers })).status).toBe(200)
      expect(delays).toEqual([850, 1_850])
    })

    test('a reset closes the connection before any response', async () => {
      const { send, sandbox } = await open({ scenario: withFaults({ type: 'reset', times: 1 }) })
      await expect(send({ operation: 'updateInventory' })).rejects.toThrow()
      expect((await send({ operation: 'updateInventory' })).status).toBe(200)
      expect(sandbox.world.journal.entries().map(({ status }) => status)).toEqual([0, 200])
    })

    test.each([0, 0.25, 0.5, 0.99])('a truncation sends %f of the body', async (share) => {
      const { send } = await open({ scenario: withFaults({ type: 'truncate', share, times: 1 }) })
      const broken = await send({ operation: 'listInventory' })
      const whole = await send({ operation: 'listInventory' })
      expect(broken).toMatchObject({ status: 200, isCutOff: true })
      expect(broken.text).toBe(whole.text.slice(0, Math.floor(whole.text.length * share)))
    })

    test('a fault of one operation does not affect the others', async () => {
      const fault: Fault = { type: 'status', status: 503, operation: 'listOrders' }
      const { send } = await open({ scenario: withFaults(fault) })
      expect((await send({ operation: 'listOrders', expectsFault: true })).status).toBe(503)
      for (const operation of [
        'listInventory',
        'updateInventory',
        'getPet',
        'sendMessage',
      ] as const) {
        expect((await send({ operation })).status, operation).toBe(200)
      }
    })

    test('a fault is removed after its number of times', async () => {
      const { send } = await open({
        scenario: withFaults({ type: 'status', status: 500, times: 2 }),
      })
      expect(await statuses(send, 5)).toEqual([500, 500, 200, 200, 200])
    })

    test('a fault with a rate affects its share of the requests, the same ones for the same seed', async () => {
      const statusesOf = async (seed: number) => {
        const fault: Fault = { type: 'status', status: 503, rate: 0.3 }
        const { send } = await open({ scenario: { ...withFaults(fault), seed } })
        return statuses(send, 60)
      }
      const first = await statusesOf(7)
      const affected = first.filter((status) => status === 503).length
      expect(affected).toBeGreaterThan(6)
      expect(affected).toBeLessThan(32)
      expect(await statusesOf(7)).toEqual(first)
      expect(await statusesOf(8)).not.toEqual(first)
    })

    test('a fault after one that responds remains for a later request', async () => {
      const { send } = await open({
        scenario: withFaults(
          { type: 'status', status: 503, times: 2 },
          { type: 'status', status: 500, times: 1 },
        ),
      })
      expect(await statuses(send, 5)).toEqual([503, 503, 500, 200, 200])
    })

    test('the first of two status faults responds', async () => {
      const { send } = await open({
        scenario: withFaults({ type: 'status', status: 502 }, { type: 'status', status: 504 }),
      })
      expect((await send({ operation: 'listInventory', expectsFault: true })).status).toBe(502)
    })

    test('a preferred status takes precedence over the faults', async () => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 500 }) })
      const headers = { Prefer: 'code=404' }
      expect((await send({ operation: 'getPet', headers })).status).toBe(404)
    })

    test('a request that receives a fault is charged', async () => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 500 }) })
      await statuses(send, 3)
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response.rateLimit.remaining).toBe(56)
    })

    test('the scenario slow delays every response', async () => {
      const { send, delays } = await open({ scenario: 'slow' })
      await send({ operation: 'listInventory' })
      expect(delays).toHaveLength(1)
      expect(delays[0]).toBeGreaterThanOrEqual(800)
    })
  })
}

function withFaults(...faults: Fault[]): Scenario {
  return { name: 'faulty', extends: ['default'], faults }
}

async function statuses(send: SendRequest, times: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < times) {
    found.push((await send({ operation: 'listInventory', expectsFault: true })).status)
  }
  return found
}
