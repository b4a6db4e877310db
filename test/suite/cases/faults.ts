import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import type { Call } from '../../support/client.js'
import type { Suite } from '../../support/suite.js'

type Fault = NonNullable<Scenario['faults']>[number]

/** What a scenario lets go wrong. */
export function describeFaults({ open }: Suite): void {
  describe('faults', () => {
    test('a status fault answers an Error body of its own, with Retry-After', async () => {
      const fault: Fault = {
        type: 'status',
        status: 503,
        code: 'maintenance',
        message: 'back soon',
        retryAfterSeconds: 7,
      }
      const { call } = await open({ scenario: withFaults(fault) })
      const answer = await call({ operation: 'listInventory', isStruck: true })
      expect(answer.json).toEqual({ code: 'maintenance', message: 'back soon', status: 503 })
      expect(answer.retryAfter).toBe(7)
    })

    test.each([
      [400, 'invalid_json'],
      [404, 'pet_not_found'],
      [418, 'simulated_fault'],
      [429, 'rate_limit_exceeded'],
      [500, 'internal_error'],
      [502, 'bad_gateway'],
      [503, 'service_unavailable'],
      [504, 'gateway_timeout'],
      [599, 'simulated_fault'],
    ])('a status fault of %i without a code answers %s', async (status, code) => {
      const { call } = await open({ scenario: withFaults({ type: 'status', status }) })
      expect(await call({ operation: 'listInventory', isStruck: true })).toMatchObject({
        status,
        code,
      })
    })

    test('spec §8 rule 1: a 429 of a fault has a Retry-After too', async () => {
      const { call } = await open({ scenario: withFaults({ type: 'status', status: 429 }) })
      const answer = await call({ operation: 'listInventory', isStruck: true })
      expect(answer.retryAfter).toBeGreaterThanOrEqual(1)
    })

    test('a status fault changes nothing, and does not get past the key', async () => {
      const { call, sandbox } = await open({
        scenario: withFaults({ type: 'status', status: 500 }),
      })
      await call({ operation: 'updateInventory', isStruck: true, json: { quantity: 999 } })
      expect(sandbox.world.db.findItem('1')?.quantity).toBe(4)
      expect((await call({ operation: 'listInventory', key: null })).status).toBe(401)
    })

    test('a delay answers later, and delays add up', async () => {
      const scenario = withFaults({ type: 'delay', delayMs: 800 }, { type: 'delay', delayMs: 50 })
      const { call, delays } = await open({ scenario })
      expect((await call({ operation: 'listInventory' })).status).toBe(200)
      const headers = { Prefer: 'wait=1' }
      expect((await call({ operation: 'listInventory', headers })).status).toBe(200)
      expect(delays).toEqual([850, 1_850])
    })

    test('a reset breaks the connection before any answer', async () => {
      const { call, sandbox } = await open({ scenario: withFaults({ type: 'reset', times: 1 }) })
      await expect(call({ operation: 'updateInventory' })).rejects.toThrow()
      expect((await call({ operation: 'updateInventory' })).status).toBe(200)
      expect(sandbox.world.journal.entries().map(({ status }) => status)).toEqual([0, 200])
    })

    test.each([0, 0.25, 0.5, 0.99])('a truncation lets %f of the body through', async (share) => {
      const { call } = await open({ scenario: withFaults({ type: 'truncate', share, times: 1 }) })
      const broken = await call({ operation: 'listInventory' })
      const whole = await call({ operation: 'listInventory' })
      expect(broken).toMatchObject({ status: 200, isCutOff: true })
      expect(broken.text).toBe(whole.text.slice(0, Math.floor(whole.text.length * share)))
    })

    test('a fault of one operation leaves the others alone', async () => {
      const fault: Fault = { type: 'status', status: 503, operation: 'listOrders' }
      const { call } = await open({ scenario: withFaults(fault) })
      expect((await call({ operation: 'listOrders', isStruck: true })).status).toBe(503)
      for (const operation of [
        'listInventory',
        'updateInventory',
        'getPet',
        'sendMessage',
      ] as const) {
        expect((await call({ operation })).status, operation).toBe(200)
      }
    })

    test('a fault of so many times is over after them', async () => {
      const { call } = await open({
        scenario: withFaults({ type: 'status', status: 500, times: 2 }),
      })
      expect(await statuses(call, 5)).toEqual([500, 500, 200, 200, 200])
    })

    test('a fault with a rate strikes its share of the calls, the same ones with the same seed', async () => {
      const strike = async (seed: number) => {
        const fault: Fault = { type: 'status', status: 503, rate: 0.3 }
        const { call } = await open({ scenario: { ...withFaults(fault), seed } })
        return statuses(call, 60)
      }
      const first = await strike(7)
      const struck = first.filter((status) => status === 503).length
      expect(struck).toBeGreaterThan(6)
      expect(struck).toBeLessThan(32)
      expect(await strike(7)).toEqual(first)
      expect(await strike(8)).not.toEqual(first)
    })

    test('a fault that an earlier one forestalls is left for another call', async () => {
      const { call } = await open({
        scenario: withFaults(
          { type: 'status', status: 503, times: 2 },
          { type: 'status', status: 500, times: 1 },
        ),
      })
      expect(await statuses(call, 5)).toEqual([503, 503, 500, 200, 200])
    })

    test('of two faults the first ends the call', async () => {
      const { call } = await open({
        scenario: withFaults({ type: 'status', status: 502 }, { type: 'status', status: 504 }),
      })
      expect((await call({ operation: 'listInventory', isStruck: true })).status).toBe(502)
    })

    test('a preferred status wins over the faults', async () => {
      const { call } = await open({ scenario: withFaults({ type: 'status', status: 500 }) })
      const headers = { Prefer: 'code=404' }
      expect((await call({ operation: 'getPet', headers })).status).toBe(404)
    })

    test('a struck call is charged as any other', async () => {
      const { call } = await open({ scenario: withFaults({ type: 'status', status: 500 }) })
      await statuses(call, 3)
      const answer = await call({ operation: 'listInventory', isStruck: true })
      expect(answer.rateLimit.remaining).toBe(56)
    })

    test('the scenario slow delays every answer', async () => {
      const { call, delays } = await open({ scenario: 'slow' })
      await call({ operation: 'listInventory' })
      expect(delays).toHaveLength(1)
      expect(delays[0]).toBeGreaterThanOrEqual(800)
    })
  })
}

function withFaults(...faults: Fault[]): Scenario {
  return { name: 'faulty', extends: ['default'], faults }
}

async function statuses(call: Call, times: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < times) {
    found.push((await call({ operation: 'listInventory', isStruck: true })).status)
  }
  return found
}
