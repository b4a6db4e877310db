import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { platform } from '../../src/sandbox/platform.js'
import { Sandbox } from '../../src/sandbox/sandbox.js'
import { ScenarioLibrary } from '../../src/scenario/library.js'

const settings = {
  library: new ScenarioLibrary(),
  platform,
  journalCapacity: 10,
  maxWorlds: 10,
  maxRecords: 50,
}

test('evicts the least recently used world when all worlds together exceed maxRecords', async () => {
  const sandbox = await Sandbox.create(settings, 'default')
  const open = async (label: string) =>
    (await sandbox.identify(`sbx_free_default_${label}`, 'production')).world
  const first = await open('first')
  const second = await open('second')
  expect(await open('first')).toBe(first)
  await open('third')
  expect(sandbox.worlds().map(({ name }) => name.label)).toEqual(['', 'first', 'third'])
  expect(await open('second')).not.toBe(second)
})

test('evicts the least recently used world when there are more than maxWorlds', async () => {
  const sandbox = await Sandbox.create({ ...settings, maxWorlds: 3, maxRecords: 5_000 }, 'default')
  const open = async (label: string) =>
    (await sandbox.identify(`sbx_free_default_${label}`, 'production')).world
  await open('a')
  await open('b')
  await open('a')
  await open('c')
  expect(sandbox.worlds().map(({ name }) => name.label)).toEqual(['', 'a', 'c'])
})

test('counts the records that a service request added before another world was used', async () => {
  const sandbox = await Sandbox.create(settings, 'empty-store')
  const open = async (label: string) =>
    (await sandbox.identify(`sbx_free_empty-store_${label}`, 'production')).world
  await open('idle')
  const busy = await open('busy')
  for (let id = 1; id <= 51; id++) {
    const message = { id: `m${id}`, message: 'Hi', createdAt: '2026-01-15T09:00:00Z' } as const
    busy.apply({ type: 'message.queued', message: { ...message, status: 'queued' } })
  }
  await open('next')
  expect(sandbox.worlds().map(({ name }) => name.label)).toEqual(['', 'next'])
})

test('a cached key does not reach an evicted or discarded world', async () => {
  const sandbox = await Sandbox.create({ ...settings, maxWorlds: 2 }, 'default')
  const open = async (label: string) =>
    (await sandbox.identify(`sbx_free_default_${label}`, 'production')).world
  const first = await open('first')
  expect(await open('first')).toBe(first)
  await open('second')
  const reopened = await open('first')
  expect(reopened).not.toBe(first)
  sandbox.reset()
  expect(await open('first')).not.toBe(reopened)
})

test('evicts the least recently used world when a control request makes a world exceed maxRecords', async () => {
  const sandbox = await Sandbox.create(settings, 'empty-store')
  const { world } = await sandbox.identify('sbx_free_empty-store_large', 'production')
  await sandbox.identify('sbx_free_empty-store_other', 'production')
  await sandbox.identify('sbx_free_empty-store_large', 'production')
  for (let petId = 1; petId <= 51; petId++) world.addPet({ petId, name: 'Bella' })
  sandbox.onControl(world)
  expect(sandbox.worlds().map(({ name }) => name.label)).toEqual(['', 'large'])
})

test('rejects more than 100 faults and keeps the existing ones', async () => {
  const { world } = await createSandbox()
  world.faults.set(Array.from({ length: 100 }, () => ({ type: 'reset' as const })))
  expect(() => world.faults.add({ type: 'reset' })).toThrow(/at most 100/)
  expect(world.faults.list()).toHaveLength(100)
})

test('account.set rejects a reset later than one window length from now', async () => {
  const { world } = await createSandbox({ now: () => 0 })
  const account = world.quota.account('free')
  const before = account.toSettings()
  const late = { minute: { used: 1, resetsAt: '1970-01-01T00:01:00.001Z' } }
  expect(() => account.set(late)).toThrow(
    'minute.resetsAt must be at most 1970-01-01T00:01:00.000Z, found "1970-01-01T00:01:00.001Z"',
  )
  expect(account.toSettings()).toEqual(before)
})

test('changePet and changeOrder reject a record that would have more than 20,000 values', async () => {
  const { world } = await createSandbox()
  const values = Array.from({ length: 12_000 }, (_, index) => index)
  world.changePet('1', { one: values } as object)
  world.changeOrder('1001', { one: values } as object)
  const before = [world.db.pets(), world.db.orders()]
  const reason = 'must be at most 20000 values'
  expect(() => world.changePet('1', { two: values } as object)).toThrow(reason)
  expect(() => world.changeOrder('1001', { two: values } as object)).toThrow(reason)
  expect([world.db.pets(), world.db.orders()]).toEqual(before)
})
