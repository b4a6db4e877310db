import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { createDirectoryStore } from '../../src/store/directory.js'
import { MemoryStore } from '../support/memory-store.js'

const url = 'https://api.petstore.example/v1/inventory'
const key = 'sbx_enterprise_default_damage'
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const id = 'production/default/damage'

async function open(directory: string) {
  const store = await createDirectoryStore({ directory, now: Date.now })
  const sandbox = await createSandbox({ store })
  const world = await sandbox.worldFor(key)
  /** Sets the quantity of a pet to each number in turn. */
  const change = async (from: number, to: number) => {
    for (let quantity = from; quantity <= to; quantity += 1) {
      const body = JSON.stringify({ quantity })
      expect((await sandbox.fetch(`${url}/1`, { method: 'PATCH', headers, body })).status).toBe(200)
    }
  }
  const readIds = () => world.requests.read().entries.map((entry) => entry.id)
  return { sandbox, world, change, readIds, quantity: () => world.db.pets.find('1')?.quantity }
}

async function edit<Result>(directory: string, run: (level: ClassicLevel) => Promise<Result>) {
  const level = new ClassicLevel(directory)
  const result = await run(level)
  await level.close()
  return result
}

test('a world continues from before a base that is missing with its step, and repeats no id', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const directory = await mkdtemp(join(tmpdir(), 'petstore-damage-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const first = await open(directory)
  await first.change(1, 1)
  await first.sandbox.close()
  const before = await edit(directory, (level) => level.get(`base!${id}`))
  const second = await open(directory)
  await second.change(2, 120)
  await second.sandbox.close()
  // What LevelDB does when a block of its log is damaged: it skips the batch.
  const lost = await edit(directory, async (level) => {
    const { base, number } = JSON.parse((await level.get(`meta!${id}`)) ?? '')
    expect(base).toBeGreaterThan(100)
    await level.put(`base!${id}`, before ?? '')
    await level.del(`step!${id}!${base}`)
    return number - base + 1
  })
  const third = await open(directory)
  const notice = `the latest stored steps of this world are lost (${lost}): the first of them could not be read; the world continues from the last step before them`
  expect(log.mock.calls.flat().join()).toContain(notice)
  expect(third.quantity()).toBe(120 - lost)
  const kept = third.readIds()
  await third.sandbox.fetch('https://api.petstore.example/sandbox/clock', { headers })
  await third.change(7, 8)
  expect(third.readIds()).toEqual([...kept, 121, 122])
  expect(new Set(kept).size).toBe(119)
  expect(third.world.requests.find().at(-2)?.explanation).toContain(notice)
  expect(third.world.requests.find().at(-1)?.explanation).toHaveLength(3)
  await third.sandbox.close()
  const fourth = await open(directory)
  expect(fourth.quantity()).toBe(8)
  expect(fourth.readIds()).toEqual([...kept, 121, 122])
  await fourth.sandbox.close()
  log.mockRestore()
})

test.each([true, false])('a world that the store has removed starts anew', async (isExclusive) => {
  const store = new MemoryStore(isExclusive)
  const sandbox = await createSandbox({ store })
  const send = async () => {
    const response = await sandbox.fetch(url, { headers: { Authorization: 'Bearer sbx_free' } })
    return response.headers.get('X-RateLimit-Remaining')
  }
  const ids: number[] = []
  sandbox.world.journal.subscribe(({ id }) => ids.push(id))
  expect([await send(), await send()]).toEqual(['59', '58'])
  store.worlds.clear()
  expect([await send(), await send()]).toEqual(['59', '58'])
  expect(ids).toEqual([1, 2, 3, 4])
})
