import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import { passTurns } from '../../../../src/service/timers.js'
import type { SendRequest } from '../../../support/client.js'
import type { Suite } from '../../../support/suite.js'

type Fault = NonNullable<Scenario['faults']>[number]

/**
 * Faults with a body of their own, and delays in the time of a world. The golden file service-faults has
 * all others.
 */
export function describeFaults({ open }: Suite): void {
  describe('faults', () => {
    test('a status fault responds with the page of a proxy', async () => {
      const headers = {
        Via: ['1.1 first', '1.1 second'],
        'X-RateLimit-Limit': [],
        'X-Key': 'sbx_free_default_a-long-label',
      }
      const fault = {
        type: 'status',
        status: 502,
        body: '<h1>Bad Gateway – 猫</h1>',
        headers,
      } as const
      const { send, sandbox } = await open({ scenario: withFaults(fault) })
      const response = await send({ operation: 'getPet', expectsFault: 'raw' })
      expect(response).toMatchObject({ status: 502, text: fault.body })
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('Via')).toBe('1.1 first, 1.1 second')
      expect(response.headers.has('X-RateLimit-Limit')).toBe(false)
      expect(response.headers.get('X-RateLimit-Remaining')).toBe('59')
      const [entry] = sandbox.world.requests.find()
      expect(entry).toMatchObject({ status: 502, responseBody: fault.body })
      expect(entry?.code).toBeUndefined()
      expect(entry?.response.headers).toMatchObject({ 'x-key': 'sbx_free_def…' })
      expect(entry?.explanation).toContain('fault: responds with 502 and a body of its own')
    })

    const slowInWorld = { type: 'delay', delayMs: 5_000, clock: 'world' } as const satisfies Fault

    /** Opens a sandbox whose frozen clock delays a request, and sends it. */
    const openDelayed = async (fault: Fault = slowInWorld) => {
      const scenario = { ...withFaults(fault), clock: { frozen: true } }
      const { send, sandbox, delays, countWaits, save } = await open({ scenario })
      let isDone = false
      const response = update(send, 77).finally(() => (isDone = true))
      await expect.poll(countWaits).toBe(1)
      await save()
      const change = async (run: (clock: typeof sandbox.world.clock) => void) => {
        run(sandbox.world.clock)
        await save()
        await passTurns(10)
      }
      return { sandbox, delays, change, save, response, isDone: () => isDone }
    }

    test.each([
      ['before', slowInWorld, 4] as const,
      ['after', { ...slowInWorld, phase: 'after' }, 77] as const,
    ])(
      'a delay %s the operation ends when a frozen clock has passed it',
      async (_, fault, found) => {
        const { sandbox, change, delays, response, isDone } = await openDelayed(fault)
        await change((clock) => clock.advance(4_999))
        expect(isDone()).toBe(false)
        const { quantity } = { ...(await sandbox.worldFor('sbx_free')).db.pets.find('1') }
        expect(quantity).toBe(found)
        await change((clock) => clock.advance(1))
        expect((await response).status).toBe(200)
        expect(delays).toEqual([])
        const [entry] = sandbox.world.requests.find()
        expect(entry?.explanation.join()).toContain('fault: waits 5000 ms of world time')
      },
    )

    test('a move back does not lengthen a delay, and set ends it', async () => {
      const { change, response, isDone } = await openDelayed()
      await change((clock) => clock.advance(4_000))
      await change((clock) => clock.advance('-PT1H'))
      expect(isDone()).toBe(false)
      await change((clock) => clock.set(clock.now() + 1_000))
      expect((await response).status).toBe(200)
    })

    test('the rest of a delay passes by itself when a frozen clock runs again', async () => {
      const { change, delays, response } = await openDelayed()
      await change((clock) => clock.advance(2_000))
      await change((clock) => clock.run())
      expect((await response).status).toBe(200)
      expect(delays).toEqual([3_000])
    })

    test.each(['reset', 'use'] as const)('%s ends a delay', async (way) => {
      const { sandbox, save, response } = await openDelayed()
      if (way === 'use') await sandbox.use('low-stock')
      else sandbox.reset()
      await save()
      expect((await response).status).toBe(200)
    })
  })
}

function withFaults(...faults: Fault[]): Scenario {
  return { name: 'faulty', extends: ['default'], faults }
}

function update(send: SendRequest, quantity: number) {
  return send({ operation: 'updateInventory', json: { quantity }, expectsFault: true })
}
