import { describe, expect, test } from 'vitest'
import type { Suite } from '../../../support/suite.js'

const largest = '9223372036854775807'
const smallest = '-9223372036854775808'

/** Spec §2 and §4.2: `petId` is an int64. JSON.parse rounds it, so these tests compare strings. */
export function describeInt64({ open }: Suite): void {
  describe('int64', () => {
    test('spec §2: listInventory returns every id exactly', async () => {
      const { send } = await open({ scenario: 'int64-ids' })
      const { text } = await send({ operation: 'listInventory' })
      expect(text.match(/(?<="petId":)-?\d+/g)).toEqual([
        '1',
        '9007199254740991',
        '9007199254740992',
        '9007199254740993',
        '9223372036854775806',
        largest,
      ])
    })

    test.each(['9007199254740992', '9007199254740993', '9223372036854775806', largest])(
      'spec §4.2: updateInventory sets the entry of %s and no adjacent one',
      async (petId) => {
        const { send } = await open({ scenario: 'int64-ids' })
        const response = await send({ operation: 'updateInventory', petId, json: { quantity: 99 } })
        expect(response.text).toBe(`{"petId":${petId},"quantity":99,"status":"available"}`)
        const { text } = await send({ operation: 'listInventory' })
        expect(text.match(/\{"petId":\d+,"quantity":99,/g)).toEqual([
          `{"petId":${petId},"quantity":99,`,
        ])
      },
    )

    test('spec §4.3: getPet and listOrders return ids exactly', async () => {
      const { send } = await open({ scenario: 'int64-ids' })
      const pet = await send({ operation: 'getPet', petId: largest })
      expect(pet.text).toMatch(new RegExp(`^\\{"petId":${largest},`))
      const orders = await send({ operation: 'listOrders' })
      expect(orders.text).toContain('"id":9007199254740993,"petId":9007199254740993')
      expect(orders.text).toContain(`"id":${largest},"petId":${largest}`)
    })

    test('spec §2: ids may be 0 and negative, down to -2^63', async () => {
      const pets = [
        { petId: 0, name: 'Zero' },
        { petId: -5, name: 'Below' },
        { petId: smallest, name: 'Least' },
      ]
      const { send } = await open({ scenario: { name: 'odd-ids', pets } })
      for (const petId of ['0', '-5', smallest]) {
        const { text } = await send({ operation: 'updateInventory', petId })
        expect(text).toBe(`{"petId":${petId},"quantity":5,"status":"available"}`)
        expect((await send({ operation: 'getPet', petId })).text).toContain(`{"petId":${petId},`)
      }
    })
  })
}
