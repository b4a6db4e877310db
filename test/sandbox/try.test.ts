import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { MemoryStore } from '../support/memory-store.js'

const key = { Authorization: 'Bearer sbx_free' }
const base = 'https://api.petstore.example/v1'

test.for([true, false])('exclusive %s', async (isExclusive) => {
  const store = new MemoryStore(isExclusive)
  const a = await createSandbox({ store })
  const get = (s: typeof a, k = key) => s.fetch(`${base}/inventory`, { headers: k })
  const patch = (s: typeof a, id: number, quantity: number) =>
    s.fetch(`${base}/inventory/${id}`, {
      method: 'PATCH',
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ quantity }),
    })
  expect((await get(a)).status).toBe(200)
  expect((await patch(a, 7, 3)).status).toBe(200)
  expect((await get(a)).status).toBe(200)
  const b = await createSandbox({ store })
  expect(b.world.db.findPet('7')?.quantity).toBe(3)
  expect(b.world.journal.entries()).toEqual(a.world.journal.entries())
  expect(b.world.quota.account('free').save()).toEqual(a.world.quota.account('free').save())
  expect(b.world.generation).toBe(a.world.generation)
  console.log([...store.worlds.values()].map((w) => w.records.map((r) => r.slice(0, 200))))
  if (isExclusive) return
  for (let i = 0; i < 10; i++) {
    expect((await patch(i % 2 ? a : b, 7, i)).status).toBe(200)
  }
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, i) => get(i % 2 ? a : b)),
  )
  const counts = Object.groupBy ? undefined : undefined
  const statuses = all.map((r) => r.status)
  expect(statuses.filter((s) => s === 200).length).toBe(60 - 13)
  const c = await createSandbox({ store })
  await a.save()
  await b.save()
  expect(c.world.journal.entries()).toEqual(a.world.journal.entries())
  expect(c.world.journal.entries()).toEqual(b.world.journal.entries())
})
