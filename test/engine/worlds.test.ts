import { expect, test } from 'vitest'
import type { World } from '../../src/control/world.js'
import { Sandbox } from '../../src/engine/sandbox.js'
import { createSandbox } from '../../src/index.js'
import { addresses, environments } from '../../src/service/addresses.js'
import { emptyWorldBytes } from '../../src/service/bounds.js'
import { MemoryStore } from '../support/memory-store.js'

test('a seed names the known scenarios that it was prepared from, if no other one is among them', async () => {
  const { core } = await createSandbox({ scenario: 'low-stock' })
  const { library } = core.settings
  const own = { name: 'mine', extends: 'default' }
  expect(core.worlds.initialSeed.names).toEqual(['low-stock'])
  expect((await library.prepare(['flaky', 'default'])).names).toEqual(['flaky', 'default'])
  expect((await library.prepare(['flaky', own])).names).toBeUndefined()
})

test('worlds have increasing generations, and the size of a scenario that only they have', async () => {
  const sandbox = await createSandbox({ scenario: ['low-stock', 'slow'], now: () => 1_000.5 })
  const worlds: World[] = []
  for (const scenario of ['low-stock+slow', 'low-stock', 'slow+low-stock']) {
    worlds.push(await sandbox.worldFor(`sbx_free_${scenario}_a`))
  }
  expect(worlds.map(({ generation }) => generation)).toEqual([1_001, 1_002, 1_003])
  const sizes = worlds.map(({ size }) => size - emptyWorldBytes)
  expect(sizes).toEqual([0, 0, worlds[2]?.seed.bytes])
})

test.each(['default', 'low-stock'] as const)(
  'replaceInitialSeed affects reset, and later worlds unless use has replaced the scenario: %s',
  async (used) => {
    const sandbox = await createSandbox()
    const { core, world } = sandbox
    if (used !== 'default') await sandbox.use(used)
    core.worlds.replaceInitialSeed(await core.settings.library.prepare('empty-store'))
    const later = used === 'default' ? 'empty-store' : used
    expect([world.scenario, core.worlds.initial('staging').scenario]).toEqual([used, later])
    sandbox.reset()
    expect(world.scenario).toBe('empty-store')
  },
)

test('reset reports the start of all worlds, and discards a world that is being prepared', async () => {
  const sandbox = await createSandbox()
  const reported: unknown[] = []
  sandbox.onChange(({ id }, kinds) => reported.push([id, ...kinds]))
  const labelled = await sandbox.worldFor('sbx_free_default_a')
  const [key, otherKey] = ['sbx_free_low-stock+slow_a', 'sbx_free_default_b'] as const
  const [first, other] = [sandbox.worldFor(key), sandbox.worldFor(otherKey), sandbox.reset()]
  const second = sandbox.worldFor(key)
  expect(await second).not.toBe(await first)
  expect(await sandbox.worldFor(key)).toBe(await second)
  expect(await sandbox.worldFor(otherKey)).not.toBe(await other)
  expect(reported).toEqual([sandbox.world, labelled].map(({ id }) => [id, 'start']))
  const { worlds } = sandbox.core
  expect(worlds.bytes).toBe(worlds.all().reduce((sum, { size }) => sum + size, 0))
})

test('release and close end the delays of a world', async () => {
  const sandbox = await createSandbox()
  const { worlds, settings } = sandbox.core
  const name = { environment: 'production', scenario: 'default', label: 'reserved' } as const
  worlds.release(name)
  worlds.reserve(name, await settings.library.prepare('low-stock'))
  const world = worlds.open(name)
  expect([world.scenario, worlds.open(name)]).toEqual(['low-stock', world])
  world.clock.freeze()
  for (const end of [() => worlds.release(name), () => sandbox.close()]) {
    void world.clock.wait(1_000, settings.platform.sleep, new AbortController().signal)
    expect(world.clock.waits).toBe(1)
    void end()
    expect(world.clock.waits).toBe(0)
  }
})

test.each(['', '_default_a', '_low-stock', '_low-stock_a'])(
  'isUsedElsewhere finds the requests of sbx_free%s to the other environment',
  async (suffix) => {
    const key = `sbx_free${suffix}`
    const headers = { Authorization: `Bearer ${key}` }
    const urls = { production: addresses.staging.url, staging: addresses.api.url }
    for (const environment of environments) {
      for (const store of [undefined, new MemoryStore(true)]) {
        const sandbox = await createSandbox({ store })
        const world = await sandbox.worldFor(key, environment)
        const find = (accountId: string) => sandbox.core.worlds.isUsedElsewhere(world, accountId)
        expect(await find('free')).toBe(false)
        await sandbox.fetch(`${urls[environment]}/inventory`, { headers })
        expect([await find('free'), await find('pro')]).toEqual([true, false])
      }
    }
  },
)

test('a store keeps a seed that worlds share once, and the scenario of a client with its world', async () => {
  const store = new MemoryStore(true)
  const sandbox = await createSandbox({ store, scenario: { name: 'mine', seed: 1 } })
  await sandbox.use({ name: 'used', seed: 2 })
  const counts = [store.seeds.size]
  for (const key of ['sbx_free_mine_a', 'sbx_free_low-stock', 'sbx_free_low-stock_a']) {
    const world = await sandbox.worldFor(key)
    await sandbox.save()
    counts.push(store.seeds.size)
    await world.use({ name: 'own', seed: 3 })
  }
  await sandbox.save()
  expect([...counts, store.seeds.size]).toEqual([1, 2, 3, 3, 3])
  sandbox.reset()
  await sandbox.core.worlds.stored?.save([])
  expect([...store.worlds.keys()]).toEqual(['production/mine/', 'staging/mine/'])
})

test('a sandbox with a store requires the class StoredWorlds', async () => {
  const { settings } = (await createSandbox()).core
  const created = Sandbox.create({ ...settings, store: new MemoryStore(true) }, 'default')
  await expect(created).rejects.toThrow('a sandbox with a store requires the class StoredWorlds')
})
