import { describe, expect, test } from 'vitest'
import { isStream } from '../../../../src/control/operation.js'
import { controlOperationIds } from '../../../../src/control/operations.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'
import { toExample } from './examples.js'

const responding = controlOperationIds.filter((id) => !isStream(controlOperations[id]))

/**
 * What the operations do to a world. Each response has the documented shape, which the client
 * validates; the golden files `control-*` have the responses themselves.
 */
export function describeOperations({ open }: ControlSuite): void {
  test.each(responding)('%s succeeds', async (operation) => {
    const { control } = await open()
    expect((await control(toExample(operation))).code).toBeUndefined()
  })

  test('resetWorld resets data, quota, ban, faults, clock and journal', async () => {
    const { send, control, sandbox } = await open()
    const before = sandbox.world.snapshot()
    await send({ operation: 'updateInventory', json: { quantity: 0 } })
    await send({ operation: 'sendMessage' })
    await control({ operation: 'replaceFaults', json: [{ type: 'delay', delayMs: 5 }] })
    await control({ operation: 'changeQuota', json: { ban: { seconds: 60 } } })
    await control({ operation: 'changeClock', json: { advance: 'PT1H', frozen: true } })
    await control({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
    expect(sandbox.world.snapshot()).not.toEqual(before)
    const { json } = await control({ operation: 'resetWorld' })
    expect(json).toMatchObject({ counts: { messages: 0, faults: 0, requests: 0 } })
    expect(sandbox.world.snapshot()).toEqual(before)
  })

  test('addFault keeps every fault of concurrent additions', async () => {
    const { control } = await open()
    const fault = (status: number) => ({ type: 'status', status, operation: 'listOrders' })
    const statuses = Array.from({ length: 20 }, (_, index) => 500 + index)
    const responses = await Promise.all(
      statuses.map((status) => control({ operation: 'addFault', json: fault(status) })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const { json } = await control({ operation: 'listFaults' })
    expect(json).toHaveLength(20)
    expect(json).toEqual(expect.arrayContaining(statuses.map(fault)))
  })

  describe('createKey', () => {
    test('gives each key a random label of at least 128 bits', async () => {
      const { control } = await open()
      const labels = new Set<string>()
      for (let made = 0; made < 50; made++) {
        const { json } = await control({ operation: 'createKey', json: {} })
        labels.add((json as { apiKey: string }).apiKey.split('_')[3] ?? '') // the client validates its shape
      }
      expect(labels.size).toBe(50)
      // A UUID has 122 random bits in 32 hexadecimal digits, so a label has more digits.
      for (const label of labels) expect(label).toMatch(/^[0-9a-f]{34,64}$/)
    })
  })
}
