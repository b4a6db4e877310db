import { describe, expect, test } from 'vitest'
import { isStream } from '../../../../src/control/operation.js'
import { controlOperationIds } from '../../../../src/control/operations.js'
import type { Scenario } from '../../../../src/index.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'

const reading = controlOperationIds.filter((id) => controlOperations[id].method === 'GET')
const responding = reading.filter((id) => !isStream(controlOperations[id]))

/** Control requests are independent of quota, bans, faults and preferences, and change nothing else. */
export function describeIndependence({ open }: ControlSuite): void {
  describe('a control request', () => {
    test('is never charged to the quota', async () => {
      const { control, send } = await open()
      for (let round = 0; round < 10; round++) {
        for (const operation of responding) await control({ operation })
        await control({ operation: 'changeClock', json: {} })
        await control({ operation: 'clearRequests', key: null })
      }
      const { rateLimit } = await send({ operation: 'listInventory' })
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
      ['a connection reset', { faults: [{ type: 'reset' }] }],
      ['a truncated body', { faults: [{ type: 'truncate', share: 0 }] }],
    ])('is not affected by %s, and consumes none of it', async (_, state) => {
      const sleep = () => Promise.reject(new Error('a control request was delayed'))
      const { control, sandbox } = await open({ scenario: { name: 'hard', ...state }, sleep })
      const before = sandbox.world.snapshot()
      for (const operation of responding) expect((await control({ operation })).status).toBe(200)
      expect(sandbox.world.snapshot()).toEqual(before)
      const changed = await control({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
      expect(changed.status).toBe(201)
      expect((await control({ operation: 'resetWorld' })).status).toBe(200)
    })

    test('ignores Prefer headers and the sunset', async () => {
      const { control } = await open({ scenario: 'sunset-passed' })
      const headers = { Prefer: 'code=404' }
      expect((await control({ operation: 'listPets', headers })).status).toBe(200)
    })
  })

  describe('GET and HEAD change nothing', () => {
    test.each(responding)('GET and HEAD of %s leave the world unchanged', async (operation) => {
      const { control, send, sandbox } = await open({
        scenario: { name: 'mine', extends: 'default', quota: { '*': { ban: { seconds: 60 } } } },
      })
      await send({ operation: 'sendMessage', key: 'sbx_pro' })
      const { path } = controlOperations[operation]
      const before = JSON.stringify(sandbox.world.snapshot())
      const journal = sandbox.world.journal.entries()
      for (const method of ['GET', 'HEAD']) {
        expect((await control({ method, path })).status).toBe(200)
        expect((await control({ method, path, key: 'sbx_business' })).status).toBe(200)
      }
      expect(JSON.stringify(sandbox.world.snapshot())).toBe(before)
      expect(sandbox.world.journal.entries()).toEqual(journal)
    })

    test('getQuota and getOverview open no window: it starts with the first request', async () => {
      const { control, send, pass } = await open()
      await control({ operation: 'getQuota' })
      await control({ operation: 'getOverview' })
      pass(30_000)
      const { rateLimit } = await send({ operation: 'listInventory' })
      expect(rateLimit.reset).toBe(Math.ceil(Date.UTC(2026, 0, 15, 9, 1, 30, 250) / 1000))
    })

    test('every operation that changes something has a method other than GET', () => {
      const changing = controlOperationIds.filter((id) => !reading.includes(id))
      expect(changing).toEqual([
        ...['changeClock', 'addFault', 'replaceFaults', 'clearFaults', 'createKey'],
        ...['addOrder', 'changeOrder', 'removeOrder', 'addPet', 'changePet', 'removePet'],
        ...['changeQuota', 'clearRequests', 'putScenario', 'resetWorld'],
      ])
    })
  })
}
