import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import { passTurns } from '../../../../src/service/timers.js'
import type { SendRequest } from '../../../support/client.js'
import type { Suite } from '../../../support/suite.js'

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

    test('a status fault changes nothing and does not replace authentication', async () => {
      const { send, sandbox } = await open({
        scenario: withFaults({ type: 'status', status: 500 }),
      })
      await send({ operation: 'updateInventory', expectsFault: true, json: { quantity: 999 } })
      expect(sandbox.world.db.pets.find('1')?.quantity).toBe(4)
      expect((await send({ operation: 'listInventory', key: null })).status).toBe(401)
    })

    test('a delay delays the response, and delays add up', async () => {
      const scenario = withFaults({ type: 'delay', delayMs: 800 }, { type: 'delay', delayMs: 50 })
      const { send, delays } = await open({ scenario })
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
      const headers = { Prefer: 'delay=1' }
      expect((await send({ operation: 'listInventory', headers })).status).toBe(200)
      expect(delays).toEqual([850, 1_850])
    })

    test('delays add up to at most 60 seconds, before and after the operation together', async () => {
      const before = { type: 'delay', delayMs: 40_000 } as const
      const after = { ...before, phase: 'after' } as const
      const { send, delays, sandbox } = await open({ scenario: withFaults(before, after, before) })
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
      expect(delays).toEqual([60_000])
      sandbox.world.faults.set([before, after])
      const headers = { Prefer: 'delay=10' }
      expect((await send({ operation: 'listInventory', headers })).status).toBe(200)
      expect(delays).toEqual([60_000, 50_000, 10_000])
      const { explanation = [] } = sandbox.world.requests.find().at(-1) ?? {}
      expect(explanation).toContain('the delays are limited to 60000 ms in all')
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

    test('a reset closes the connection before any response', async () => {
      const { send, sandbox } = await open({ scenario: withFaults({ type: 'reset', atMost: 1 }) })
      await expect(send({ operation: 'updateInventory' })).rejects.toThrow()
      expect((await send({ operation: 'updateInventory' })).status).toBe(200)
      expect(sandbox.world.journal.entries().map(({ status }) => status)).toEqual([0, 200])
    })

    test.each([0, 0.25, 0.5, 0.99])('a truncation sends %f of the body', async (share) => {
      const { send } = await open({ scenario: withFaults({ type: 'truncate', share, atMost: 1 }) })
      const broken = await send({ operation: 'listInventory' })
      const whole = await send({ operation: 'listInventory' })
      expect(broken).toMatchObject({ status: 200, isCutOff: true })
      expect(broken.text).toBe(whole.text.slice(0, Math.floor(whole.text.length * share)))
    })

    test('a fault is removed after its number of uses', async () => {
      const { send } = await open({
        scenario: withFaults({ type: 'status', status: 500, atMost: 2 }),
      })
      expect(await statuses(send, 5)).toEqual([500, 500, 200, 200, 200])
    })

    test('a request that receives a fault is charged', async () => {
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 500 }) })
      await statuses(send, 3)
      const response = await send({ operation: 'listInventory', expectsFault: true })
      expect(response.rateLimit.remaining).toBe(56)
    })

    test('a sequence has another effect on each request, and is then removed', async () => {
      const sequence = [{ status: 503 }, 'pass', { delayMs: 200 }] as const
      const { send, delays, sandbox } = await open({ scenario: withFaults({ sequence }) })
      expect(await statuses(send, 4)).toEqual([503, 200, 200, 200])
      expect(delays).toEqual([200])
      expect(sandbox.world.faults.list()).toEqual([])
      const explanations = sandbox.world.journal.entries().map(({ explanation }) => explanation)
      expect(explanations.flat().filter((line) => line.startsWith('fault'))).toEqual([
        'fault: responds with 503 (step 1 of a sequence)',
        'fault: lets the request pass (step 2 of a sequence)',
        'fault: waits 200 ms (step 3 of a sequence)',
      ])
    })

    test('a fault with match affects the requests with that petId, body and headers', async () => {
      const match = { petId: 7, body: { quantity: 5 }, headers: { 'X-Client': 'shop' } }
      const { send } = await open({ scenario: withFaults({ type: 'status', status: 503, match }) })
      const affected = { petId: '7', json: { quantity: 5 }, headers: { 'x-client': 'shop' } }
      const statusOf = async (change: object) =>
        (await send({ operation: 'updateInventory', expectsFault: true, ...affected, ...change }))
          .status
      expect(await statusOf({})).toBe(503)
      expect(await statusOf({ petId: '8' })).toBe(200)
      expect(await statusOf({ json: { quantity: 6 } })).toBe(200)
      expect(await statusOf({ headers: { 'x-client': 'other' } })).toBe(200)
      expect(await statusOf({ headers: {} })).toBe(200)
      expect(await statusOf({ operation: 'getPet', json: undefined })).toBe(200)
    })

    test('a reset after the operation applies the change and loses the response', async () => {
      const fault: Fault = { type: 'reset', phase: 'after', atMost: 1 }
      const { send, sandbox } = await open({ scenario: withFaults(fault) })
      await expect(update(send, 77)).rejects.toThrow()
      expect(await readQuantity(send)).toBe(77)
      const [entry] = sandbox.world.journal.entries()
      expect(entry).toMatchObject({
        status: 0,
        aborted: false,
        changes: [{ type: 'quantity.set', petId: '1', to: 77 }],
      })
      expect(entry?.explanation.slice(-3)).toEqual([
        'fault: resets the connection after the operation',
        'updateInventory responds with 200',
        'the change was applied before the fault',
      ])
    })
  })
}

function withFaults(...faults: Fault[]): Scenario {
  return { name: 'faulty', extends: ['default'], faults }
}

function update(send: SendRequest, quantity: number) {
  return send({ operation: 'updateInventory', json: { quantity }, expectsFault: true })
}

/** Returns the quantity of pet 1. */
async function readQuantity(send: SendRequest): Promise<unknown> {
  const { json } = await send({ operation: 'listInventory', expectsFault: true })
  const items: readonly { petId: number; quantity: number }[] = Array.isArray(json) ? json : []
  return items.find(({ petId }) => petId === 1)?.quantity
}

async function statuses(send: SendRequest, times: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < times) {
    found.push((await send({ operation: 'listInventory', expectsFault: true })).status)
  }
  return found
}
