import { describe, expect, test } from 'vitest'
import type { Suite } from '../../../support/suite.js'

/** The API key names the world. */
export function describeWorlds({ open }: Suite): void {
  describe('worlds', () => {
    test('keys with the same scenario and label share the data and have separate quotas', async () => {
      const { send } = await open()
      const free = 'sbx_free_low-stock_ci-7'
      const pro = 'sbx_pro_low-stock_ci-7'
      await send({ operation: 'updateInventory', key: free, json: { quantity: 55 } })
      const seen = await send({ operation: 'listInventory', key: pro })
      expect(seen.text).toContain('{"petId":1,"quantity":55,')
      expect(seen.rateLimit).toMatchObject({ limit: 300, remaining: 299 })
    })

    test('two labels have separate data, quota, clock and faults', async () => {
      const { send, sandbox } = await open()
      const one = 'sbx_free_default_one'
      const two = 'sbx_free_default_two'
      const world = await sandbox.worldFor(one)
      await send({ operation: 'updateInventory', key: one, json: { quantity: 55 } })
      world.clock.set('2027-01-01T00:00:00Z')
      world.faults.set([{ type: 'status', status: 503 }])
      expect((await send({ operation: 'getPet', key: one, expectsFault: true })).status).toBe(503)
      expect((await send({ operation: 'getPet', key: two })).status).toBe(200)
      const { text, rateLimit } = await send({ operation: 'listInventory', key: two })
      expect(text).toContain('{"petId":1,"quantity":4,')
      expect(rateLimit.remaining).toBe(58)
    })
  })

  describe('concurrency', () => {
    test('50 concurrent updates and reads lose nothing', async () => {
      const { send, sandbox } = await open()
      const updates = Array.from({ length: 25 }, (_, index) =>
        send({ operation: 'updateInventory', json: { quantity: 100 + index } }),
      )
      const reads = Array.from({ length: 25 }, () => send({ operation: 'listInventory' }))
      const responses = await Promise.all([...updates, ...reads])

      expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200))
      const remaining = responses.map(({ rateLimit }) => rateLimit.remaining)
      expect(new Set(remaining)).toEqual(new Set(Array.from({ length: 50 }, (_, at) => at + 10)))
      const changes = sandbox.world.journal.entries().flatMap((entry) => entry.changes)
      expect(changes).toHaveLength(25)
      let stock = 4
      for (const change of changes) {
        expect(change).toMatchObject({ type: 'quantity.set', petId: '1', from: stock })
        stock = change.type === 'quantity.set' ? change.to : stock
      }
      expect(sandbox.world.db.pets.find('1')?.quantity).toBe(stock)
    })

    test('concurrent first requests create one world', async () => {
      const { send } = await open()
      const responses = await Promise.all(
        Array.from({ length: 40 }, () =>
          send({ operation: 'listInventory', key: 'sbx_free_low-stock_new' }),
        ),
      )
      const remaining = responses.map(({ rateLimit }) => rateLimit.remaining)
      expect(new Set(remaining)).toEqual(new Set(Array.from({ length: 40 }, (_, at) => at + 20)))
    })

    test('a limit is exact for concurrent requests', async () => {
      const { send } = await open()
      const responses = await Promise.all(
        Array.from({ length: 66 }, () => send({ operation: 'listInventory' })),
      )
      const passed = responses.filter(({ status }) => status === 200)
      const rejected = responses.filter(({ status }) => status === 429)
      expect([passed.length, rejected.length]).toEqual([60, 6])
    })
  })
}
