import { describe, expect, test } from 'vitest'
import type { Suite } from '../../../support/suite.js'

const largest = '9223372036854775807'

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
  })
}
