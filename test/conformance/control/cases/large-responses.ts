import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import type { ControlSuite } from '../suite.js'

const numbers = Array.from({ length: 2_000 }, (_, at) => at + 1)

/** A world with long lists. */
const large: Scenario = {
  name: 'large',
  pets: numbers.map((petId) => ({ petId, name: `Pet ${petId} 🐠`, quantity: 1 })),
  orders: numbers.map((id) => ({ id, petId: 1 })),
  messages: numbers.slice(0, 1_000).map((number) => ({
    id: `msg_${number}`,
    message: 'Hello, pets! '.repeat(10),
    createdAt: '2026-01-01T09:00:00Z',
  })),
}

const lists = ['listPets', 'listOrders', 'listMessages', 'getSnapshot'] as const

/** Responses that are longer than the kernel sends at once. */
export function describeLargeResponses({ open }: ControlSuite): void {
  describe('a large response', () => {
    test('has each pet, order and message', async () => {
      const { control, sandbox } = await open({ scenario: large })
      const snapshot = JSON.parse(JSON.stringify(sandbox.world.snapshot()))
      for (const [operation, records] of [
        ['listPets', snapshot.pets],
        ['listOrders', snapshot.orders],
        ['listMessages', snapshot.messages],
        ['getSnapshot', snapshot],
      ] as const) {
        const { json, text } = await control({ operation })
        expect(text.length, operation).toBeGreaterThan(65_536)
        expect(json, operation).toEqual(records)
      }
    })

    test('has each journal entry up to the limit', async () => {
      const { control, send } = await open()
      const note = 'x'.repeat(4_000)
      for (let count = 0; count < 30; count++) {
        await send({ operation: 'sendMessage', key: 'sbx_enterprise', json: { message: note } })
      }
      const { json, text } = await control({ path: '/requests?limit=25' })
      expect(text.length).toBeGreaterThan(65_536)
      const ids = (json as { id: number }[]).map(({ id }) => id) // the client validates its shape
      expect(ids).toEqual(Array.from({ length: 25 }, (_, at) => 30 - at))
    })

    test.each(lists)('to HEAD of %s has the headers only', async (operation) => {
      const { control } = await open({ scenario: large })
      const { text, headers } = await control({ operation, method: 'HEAD' })
      expect(text).toBe('')
      expect(headers.get('Content-Type')).toBe('application/json')
    })

    test.each(lists)('of %s is complete beside others', async (operation) => {
      const { control } = await open({ scenario: large })
      const found = await Promise.all(Array.from({ length: 5 }, () => control({ operation })))
      expect(new Set(found.map(({ text }) => text)).size).toBe(1)
    })
  })

  test.each(lists)('a small response of %s has a Content-Length', async (operation) => {
    const { control } = await open()
    const { headers, text } = await control({ operation })
    expect(headers.get('Content-Length')).toBe(String(new Blob([text]).size))
  })
}
