import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Scenario } from '../../src/index.js'
import type { Change } from '../../src/service/operations/operation.js'
import { Rows } from '../../src/world/database/rows.js'
import { takeEffects } from '../support/faults.js'

const startMs = Date.UTC(2026, 0, 15, 9, 30)

async function createWorld(scenario: Partial<Scenario> = {}) {
  const { world } = await createSandbox({
    scenario: { name: 'world', extends: ['default'], ...scenario },
    now: () => startMs,
  })
  return world
}

test('apply executes each kind of change, and reset reverts all of them', async () => {
  const world = await createWorld()
  const pet = world.db.pets.find('2')
  const order = world.db.orders.find('1001')
  if (!pet || !order) throw new Error('the default scenario has this pet and this order')
  const changes: Change[] = [
    { type: 'quantity.set', petId: '1', from: 4, to: 40 },
    { type: 'record.put', kind: 'pets', record: { ...pet, petId: '99', name: 'New' } },
    { type: 'record.removed', kind: 'pets', id: '2' },
    { type: 'record.put', kind: 'orders', record: { ...order, id: '99' } },
    { type: 'record.removed', kind: 'orders', id: '1001' },
    {
      type: 'message.queued',
      message: { id: 'm', message: 'Hi', status: 'queued', createdAt: '2026-01-15T09:30:00Z' },
    },
  ]
  for (const change of changes) world.apply(change)
  expect(world.db.pets.find('1')?.quantity).toBe(40)
  expect([world.db.pets.find('99')?.name, world.db.pets.find('2')]).toEqual(['New', undefined])
  expect([world.db.orders.find('99')?.id, world.db.orders.find('1001')]).toEqual(['99', undefined])
  expect(world.db.messages.count).toBe(1)

  world.reset()
  expect(world.db.pets.find('1')?.quantity).toBe(4)
  expect([world.db.pets.find('99'), world.db.pets.find('2')]).toEqual([undefined, pet])
  expect([world.db.orders.find('99'), world.db.orders.find('1001')]).toEqual([undefined, order])
  expect(world.db.messages.count).toBe(0)
})

test('reset restores clock, quota, bans, faults and random numbers', async () => {
  const faults: Scenario['faults'] = [{ type: 'reset', atMost: 1 }]
  const world = await createWorld({ faults, seed: 9 })
  const first = world.random.next()
  world.clock.advance('P1D')
  world.quota.account('free').set({ minute: { used: 60 }, ban: { seconds: 60 } })
  world.quota.account('free').charge()
  takeEffects(world.faults, 'getPet')
  world.reset()
  expect(world.clock.now()).toBe(startMs)
  expect(world.quota.account('free').minute.used).toBe(0)
  expect(world.quota.account('free').bannedUntilMs(startMs)).toBeUndefined()
  expect(world.faults.list()).toEqual(faults)
  expect(world.random.next()).toBe(first)
})

test('reset reads none of the records of the scenario, however many there are', async () => {
  const createdAt = '2026-01-15T09:30:00Z'
  const messages = Array.from({ length: 100 }, (_, index) => {
    return { id: `m${index}`, message: 'Hi', status: 'queued' as const, createdAt }
  })
  const world = await createWorld({ messages, generate: { pets: 100, orders: 100 } })
  const list = vi.spyOn(Rows.prototype, 'list')
  onTestFinished(() => list.mockRestore())
  world.db.pets.add({ petId: 999, name: 'New' })
  world.reset()
  expect(list).not.toHaveBeenCalled()
  expect(world.db.pets.list()).toHaveLength(112)
  expect(list).toHaveBeenCalledOnce()
})

test('account accepts plans and listed keys only', async () => {
  const world = await createWorld({ apiKeys: [{ key: 'shop-key-1', plan: 'pro' }] })
  expect(world.quota.account('free')).toBe(world.quota.account('free'))
  expect(world.quota.account('shop-key-1').plan).toBe('pro')
  expect(world.quota.account('shop-key-1')).not.toBe(world.quota.account('pro'))
  for (const id of ['gold', '', 'constructor', '__proto__', 'toString']) {
    expect(() => world.quota.account(id), id).toThrow(RangeError)
    expect(world.planOf(id)).toBeUndefined()
  }
})
