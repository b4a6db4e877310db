import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import type { Suite } from '../../../support/suite.js'

/** Invalid bodies of updateInventory. The golden file service-update-inventory has the messages. */
const badBodies: readonly [what: string, body: string, code: string][] = [
  ['no quantity', '{}', 'missing_field'],
  ['null', 'null', 'invalid_field'],
  ['an array', '[{"quantity":1}]', 'invalid_field'],
  ['quantity null', '{"quantity":null}', 'invalid_field'],
  ['quantity as string', '{"quantity":"5"}', 'invalid_field'],
  ['quantity with a fraction', '{"quantity":1.5}', 'invalid_field'],
  ['quantity beyond any number', '{"quantity":1e400}', 'invalid_field'],
  ['a prototype', '{"quantity":1,"__proto__":{}}', 'invalid_field'],
  ['nothing', '', 'invalid_json'],
  ['truncated JSON', '{"quantity":', 'invalid_json'],
  ['two values', '{"quantity":5}{"quantity":6}', 'invalid_json'],
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

    test('spec §4.2: 400 for bytes that are not UTF-8, and without a body', async () => {
      const { send } = await open()
      const start = [...new TextEncoder().encode('{"quantity":1,"a":"')]
      const bytes = new Uint8Array([...start, 0xff, 0xfe, 0x22, 0x7d])
      const other = await send({ operation: 'updateInventory', body: bytes })
      expect(other).toMatchObject({ status: 400, code: 'invalid_json' })
      const none = await send({
        operation: 'updateInventory',
        body: null,
        headers: { 'Content-Type': 'application/json' },
      })
      expect(none).toMatchObject({ status: 400, code: 'invalid_json' })
    })

    test('spec §4.2: a rejected update changes nothing', async () => {
      const { send } = await open()
      const before = await send({ operation: 'listInventory' })
      await send({ operation: 'updateInventory', json: { quantity: -1 } })
      await send({ operation: 'updateInventory', petId: '404' })
      await send({ operation: 'updateInventory', key: null })
      const after = await send({ operation: 'listInventory' })
      expect(after.text).toBe(before.text)
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

    test('assumption A02: a scenario sets the bounds', async () => {
      const rules = { quantity: { minimum: 2, maximum: 4 } }
      const { send } = await open({ scenario: { name: 'bounded', extends: ['default'], rules } })
      const set = (quantity: number) => send({ operation: 'updateInventory', json: { quantity } })
      expect([await set(2), await set(4)]).toMatchObject([{ status: 200 }, { status: 200 }])
      const rejected = await set(5)
      expect(rejected).toMatchObject({ status: 400, code: 'invalid_field' })
      expect(rejected.message).toBe('quantity must be an integer from 2 to 4, found 5 (number)')
    })

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

    test('assumption A11: a scenario can make updateInventory ignore other fields', async () => {
      const rules = { additionalFields: 'ignore' } as const
      const scenario: Scenario = { name: 'lenient', extends: ['default'], rules }
      const { send } = await open({ scenario })
      const json = { quantity: 1, reason: 'returns' }
      const response = await send({ operation: 'updateInventory', json })
      expect(response.json).toEqual({ petId: 1, quantity: 1, status: 'available' })
    })

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
