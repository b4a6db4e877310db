import { describe, expect, test } from 'vitest'
import type { Suite } from '../../../support/suite.js'

/** Invalid bodies. The golden file service-update-inventory has more, with the messages. */
const badBodies: readonly [what: string, body: string, code: string][] = [
  ['no quantity', '{}', 'missing_field'],
  ['quantity as string', '{"quantity":"5"}', 'invalid_field'],
  ['quantity with a fraction', '{"quantity":1.5}', 'invalid_field'],
  ['truncated JSON', '{"quantity":', 'invalid_json'],
]

/** Spec §4.2. */
export function describeUpdateInventory({ open, assumption }: Suite): void {
  describe('updateInventory', () => {
    test('spec §3: no transition is shown: a change of quantity keeps the status', async () => {
      const { send } = await open()
      for (const [petId, status] of Object.entries({ 1: 'available', 3: 'pending', 4: 'sold' })) {
        for (const quantity of [0, 1, 1_000]) {
          const { json } = await send({ operation: 'updateInventory', petId, json: { quantity } })
          expect(json).toEqual({ petId: Number(petId), quantity, status })
        }
      }
    })

    test.each(badBodies)('spec §4.2: 400 for %s', async (_, body, code) => {
      const { send } = await open()
      const response = await send({ operation: 'updateInventory', body })
      expect(response).toMatchObject({ status: 400, code })
    })

    assumption(
      'A02',
      'a quantity is an integer from 0 to 2^53-1, in any notation of JSON',
      async () => {
        const { send } = await open()
        const set = (text: string) =>
          send({ operation: 'updateInventory', body: `{"quantity":${text}}` })
        for (const [text, quantity] of [
          ['0', 0],
          ['9007199254740991', 9_007_199_254_740_991],
          ['12.0', 12],
          ['1e2', 100],
        ] as const) {
          expect((await set(text)).json, text).toMatchObject({ quantity })
        }
        for (const text of ['-1', '9007199254740992', '1e16', '0.1']) {
          expect(await set(text), text).toMatchObject({ status: 400, code: 'invalid_field' })
        }
      },
    )

    assumption(
      'A11',
      'updateInventory rejects other fields, sendMessage ignores them',
      async () => {
        const { send } = await open()
        const update = await send({
          operation: 'updateInventory',
          json: { quantity: 1, reason: 'returns' },
        })
        expect(update).toMatchObject({ status: 400, code: 'invalid_field' })
        expect(update.message).toContain('reason')
        const message = await send({
          operation: 'sendMessage',
          json: { message: 'Hi', reason: 'x' },
        })
        expect(message.status).toBe(200)
        expect(message.json).not.toHaveProperty('reason')
      },
    )

    assumption(
      'A24',
      'a scenario enables another request shape: "The request shape may change" (spec §4.2)',
      async () => {
        const rules = { inventoryUpdate: 'next' } as const
        const { send } = await open({ scenario: { name: 'next', extends: ['default'], rules } })
        const set = (json: object) => send({ operation: 'updateInventory', json })
        const updated = await set({ stock: { quantity: 3 } })
        expect(updated.json).toEqual({ petId: 1, quantity: 3, status: 'available' })

        const current = await set({ quantity: 3 })
        expect(current).toMatchObject({ status: 400, code: 'missing_field' })
        expect(current.message).toContain('stock is missing')
        const invalid = await set({ stock: { quantity: '3' } })
        expect(invalid).toMatchObject({ status: 400, code: 'invalid_field' })
        expect(invalid.message).toContain('stock.quantity must be an integer from 0')
      },
    )

    assumption(
      'A15',
      'a petId is an int64 in canonical decimal; otherwise 400 invalid_parameter',
      async () => {
        const { send } = await open()
        const notIds = ['abc', '01', '+1', '-0', '1.0', '1e0', '0x1', '%201', '1%20', '%D9%A1', '%']
        const tooLarge = ['9223372036854775808', '-9223372036854775809', '1'.repeat(400)]
        for (const petId of [...notIds, ...tooLarge]) {
          for (const operation of ['updateInventory', 'getPet'] as const) {
            const response = await send({ operation, petId })
            expect(response, petId).toMatchObject({ status: 400, code: 'invalid_parameter' })
            expect(response.message).toContain('petId must be an int64 in canonical decimal')
          }
        }
      },
    )
  })
}
