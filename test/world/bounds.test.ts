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

test('the longest idle world leaves when all worlds together hold too many records', async () => {
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

test('a world that steering made larger makes the longest idle one leave', async () => {
  const sandbox = await Sandbox.create(settings, 'empty-store')
  const { world } = await sandbox.identify('sbx_free_empty-store_large', 'production')
  await sandbox.identify('sbx_free_empty-store_other', 'production')
  await sandbox.identify('sbx_free_empty-store_large', 'production')
  for (let petId = 1; petId <= 51; petId++) world.addPet({ petId, name: 'Bella' })
  sandbox.onControl(world)
  expect(sandbox.worlds().map(({ name }) => name.label)).toEqual(['', 'large'])
})

test('a world takes at most 100 faults, and stays as it was when there are more', async () => {
  const { world } = await createSandbox()
  world.faults.set(Array.from({ length: 100 }, () => ({ type: 'reset' as const })))
  expect(() => world.faults.add({ type: 'reset' })).toThrow(/at most 100/)
  expect(world.faults.list()).toHaveLength(100)
})

test('a window cannot be set to end later than a whole one', async () => {
  const { world } = await createSandbox({ now: () => 0 })
  const account = world.quota.account('free')
  const before = account.toSettings()
  const late = { minute: { used: 1, resetsAt: '1970-01-01T00:01:00.001Z' } }
  expect(() => account.set(late, 0)).toThrow(
    'minute.resetsAt must be at most 1970-01-01T00:01:00.000Z, found "1970-01-01T00:01:00.001Z"',
  )
  expect(account.toSettings()).toEqual(before)
})
