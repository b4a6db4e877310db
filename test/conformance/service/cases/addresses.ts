import { describe, expect, test } from 'vitest'
import { operationIds, operations } from '../../../../src/service/operations/operations.js'
import { successStatus } from '../../../support/operations.js'
import { type Suite, startMs } from '../../../support/suite.js'

/** The introduction of the specification, §4.4 and §9: base addresses. */
export function describeAddresses({ open, assumption }: Suite): void {
  describe('addresses', () => {
    test('spec, introduction: staging has the same path shapes', async () => {
      const shared = operationIds.filter((id) => operations[id].addresses.includes('staging'))
      for (const operation of shared) {
        const { send } = await open()
        const [api, staging] = [
          await send({ operation, address: 'api' }),
          await send({ operation, address: 'staging' }),
        ]
        expect(staging.status, operation).toBe(successStatus(operation))
        expect(staging.text).toBe(api.text)
      }
      expect(shared).toEqual(operationIds.filter((id) => id !== 'sendMessage'))
    })

    test('spec §4.4: only POST /messages is at the quickstart address', async () => {
      const { send } = await open()
      expect((await send({ operation: 'sendMessage' })).status).toBe(200)
      for (const address of ['api', 'staging'] as const) {
        const response = await send({ operation: 'sendMessage', address })
        expect(response).toMatchObject({ status: 404, code: 'route_not_found' })
      }
      for (const operation of ['listInventory', 'getPet', 'listOrders'] as const) {
        const response = await send({ operation, address: 'quickstart' })
        expect(response, operation).toMatchObject({ status: 404, code: 'route_not_found' })
      }
    })

    assumption('A13', 'a key has a separate world in staging', async () => {
      const { send, sandbox } = await open()
      await send({ operation: 'updateInventory', json: { quantity: 111 } })
      await send({ operation: 'updateInventory', address: 'staging', json: { quantity: 222 } })
      const api = await send({ operation: 'listInventory' })
      const staging = await send({ operation: 'listInventory', address: 'staging' })
      expect(api.text).toContain('{"petId":1,"quantity":111,')
      expect(staging.text).toContain('{"petId":1,"quantity":222,')
      expect([api.rateLimit.remaining, staging.rateLimit.remaining]).toEqual([58, 58])

      sandbox.world.clock.set(Date.UTC(2026, 3, 15))
      expect((await send({ operation: 'getPet' })).status).toBe(410)
      expect((await send({ operation: 'getPet', address: 'staging' })).status).toBe(200)
      const world = await sandbox.worldFor('sbx_free', 'staging')
      expect(world.clock.now()).toBe(startMs)
    })
  })
}
