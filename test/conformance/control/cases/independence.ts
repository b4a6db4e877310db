import { describe, expect, test } from 'vitest'
import { isStream } from '../../../../src/control/operation.js'
import { controlOperationIds } from '../../../../src/control/operations.js'
import type { Scenario } from '../../../../src/index.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'

const reading = controlOperationIds.filter(
  (id) => controlOperations[id].method === 'GET' && !isStream(controlOperations[id]),
)

/** Control requests are independent of quota, bans and faults, and those with GET change nothing. */
export function describeIndependence({ open }: ControlSuite): void {
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
  ])('a control request is not affected by %s, and consumes none of it', async (_, state) => {
    const sleep = () => Promise.reject(new Error('a control request was delayed'))
    const { control, sandbox } = await open({ scenario: { name: 'hard', ...state }, sleep })
    const before = sandbox.world.snapshot()
    for (const operation of reading) expect((await control({ operation })).status).toBe(200)
    expect(sandbox.world.snapshot()).toEqual(before)
    const changed = await control({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
    expect(changed.status).toBe(201)
    expect((await control({ operation: 'resetWorld' })).status).toBe(200)
  })

  describe('GET and HEAD change nothing', () => {
    test.each(reading)('GET and HEAD of %s leave the world unchanged', async (operation) => {
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
  })
}
