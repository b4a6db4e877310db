import { describe, expect, test } from 'vitest'
import { controlOperationIds, controlOperations } from '../../../src/control/operations.js'
import type { Scenario } from '../../../src/index.js'
import type { ControlSuite } from '../suite.js'

const reading = controlOperationIds.filter((id) => controlOperations[id].method === 'GET')
const answering = reading.filter((id) => id !== 'streamEvents')

/** Control calls touch nothing that they do not name, and nothing of the service touches them. */
export function describeIndependence({ open }: ControlSuite): void {
  describe('a control call', () => {
    test('is never charged to the quota', async () => {
      const { steer, call } = await open()
      for (let round = 0; round < 10; round++) {
        for (const operation of answering) await steer({ operation })
        await steer({ operation: 'changeClock', json: {} })
        await steer({ operation: 'clearRequests', key: null })
      }
      const { rateLimit } = await call({ operation: 'listInventory' })
      expect(rateLimit.remaining).toBe(59)
    })

    test.each<[string, Partial<Scenario>]>([
      [
        'an exhausted quota',
        { quota: { free: { minute: { remaining: 0 }, day: { remaining: 0 } } } },
      ],
      ['a ban', { quota: { free: { ban: { seconds: 600 } } } }],
      ['a status fault', { faults: [{ type: 'status', status: 503 }] }],
      ['a delay', { faults: [{ type: 'delay', delayMs: 60_000 }] }],
      ['a broken connection', { faults: [{ type: 'reset' }] }],
      ['a truncated body', { faults: [{ type: 'truncate', share: 0 }] }],
    ])('is not touched by %s, and uses none of it up', async (_, state) => {
      const sleep = () => Promise.reject(new Error('a control call waited'))
      const { steer, sandbox } = await open({ scenario: { name: 'hard', ...state }, sleep })
      const before = sandbox.world.snapshot()
      for (const operation of answering) expect((await steer({ operation })).status).toBe(200)
      expect(sandbox.world.snapshot()).toEqual(before)
      const changed = await steer({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
      expect(changed.status).toBe(201)
      expect((await steer({ operation: 'resetWorld' })).status).toBe(200)
    })

    test('asks for no preference and no sunset', async () => {
      const { steer } = await open({ scenario: 'sunset-passed' })
      const headers = { Prefer: 'code=404' }
      expect((await steer({ operation: 'listPets', headers })).status).toBe(200)
    })
  })

  describe('reading changes nothing', () => {
    test.each(answering)('GET and HEAD of %s leave the world as it was', async (operation) => {
      const { steer, call, sandbox } = await open({
        scenario: { name: 'mine', extends: 'default', quota: { '*': { ban: { seconds: 60 } } } },
      })
      await call({ operation: 'sendMessage', key: 'sbx_pro' })
      const { path } = controlOperations[operation]
      const before = JSON.stringify(sandbox.world.snapshot())
      const journal = sandbox.world.journal.entries()
      for (const method of ['GET', 'HEAD']) {
        expect((await steer({ method, path })).status).toBe(200)
        expect((await steer({ method, path, key: 'sbx_business' })).status).toBe(200)
      }
      expect(JSON.stringify(sandbox.world.snapshot())).toBe(before)
      expect(sandbox.world.journal.entries()).toEqual(journal)
    })

    test('looking at the quota opens no window: it begins with the first request', async () => {
      const { steer, call, pass } = await open()
      await steer({ operation: 'getQuota' })
      await steer({ operation: 'getOverview' })
      pass(30_000)
      const { rateLimit } = await call({ operation: 'listInventory' })
      expect(rateLimit.reset).toBe(Math.ceil(Date.UTC(2026, 0, 15, 9, 1, 30, 250) / 1000))
    })

    test('every operation that changes something has another method than GET', () => {
      const changing = controlOperationIds.filter((id) => !reading.includes(id))
      expect(changing).toEqual([
        ...['putScenario', 'resetWorld', 'changeClock', 'changeQuota', 'replaceFaults'],
        ...['clearFaults', 'clearRequests', 'addPet', 'changePet', 'removePet'],
        ...['addOrder', 'changeOrder', 'removeOrder', 'createKey'],
      ])
    })
  })
}
