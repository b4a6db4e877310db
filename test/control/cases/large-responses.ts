import { describe, expect, test, vi } from 'vitest'
import type { Scenario, World } from '../../../src/index.js'
import { LazyList } from '../../../src/service/lazy-list.js'
import type { ControlSuite } from '../suite.js'

const numbers = Array.from({ length: 2_000 }, (_, at) => at + 1)

/** A world whose lists are longer than one chunk. */
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

const iterators = {
  listPets: 'iteratePets',
  listOrders: 'iterateOrders',
  listMessages: 'iterateMessages',
  getSnapshot: 'iteratePets',
} as const

/**
 * Replaces what the next response iterates over, and changes the last records of each list while the
 * response is in progress. A replica may execute a request more than once until it is stored.
 */
function changeDuringResponse(
  worlds: readonly World[],
  name: (typeof iterators)[keyof typeof iterators],
  iterate: (db: World['db']) => () => unknown,
): void {
  const spies = worlds.map((world) => {
    const iterateNow = iterate(world.db)
    return vi.spyOn(world.db, name).mockImplementation(() => {
      world.whenStored(() => {
        for (const spy of spies) spy.mockRestore()
        queueMicrotask(() => changeLastRecords(world))
      })
      return iterateNow() as never // the type depends on the name
    })
  })
}

function changeLastRecords(world: World): void {
  world.changePet('1999', { name: 'Changed' })
  world.removePet('2000')
  world.removeOrder('2000')
  const createdAt = '2026-01-01T09:00:00Z'
  world.apply({
    type: 'message.queued',
    message: { id: 'msg_late', message: 'Hi', status: 'queued', createdAt },
  })
}

/** Responses that are longer than one chunk, which are written as the client reads them. */
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
        const { json, headers, text } = await control({ operation })
        expect(text.length, operation).toBeGreaterThan(65_536)
        expect(json, operation).toEqual(records)
        expect(headers.get('Content-Length'), operation).toBeNull()
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

    test.each(lists)(
      'of %s shows the world at the time of the request, whatever is written meanwhile',
      async (operation) => {
        const { control, worlds, save } = await open({ scenario: large })
        const before = await control({ operation })
        const name = iterators[operation]
        changeDuringResponse(worlds, name, (db) => db[name].bind(db))
        expect((await control({ operation })).text).toBe(before.text)
        await save()
        expect((await control({ operation })).text).not.toBe(before.text)
      },
    )

    test('without captured records, it would show changes that are made meanwhile', async () => {
      const { control, worlds } = await open({ scenario: large })
      changeDuringResponse(worlds, 'iteratePets', (db) => {
        const ids = db.pets().map(({ petId }) => petId)
        return () => LazyList.from(ids.slice(0, -1), (petId) => db.findPet(petId) as never) // it exists
      })
      const { text } = await control({ operation: 'listPets' })
      expect(text).toContain('"name":"Changed"')
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
