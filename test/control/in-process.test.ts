import { describe, expect, expectTypeOf, test } from 'vitest'
import type { World } from '../../src/control/world.js'
import {
  type JournalEntry,
  type PetInput,
  Problem,
  type Scenario,
  ScenarioError,
} from '../../src/index.js'
import { directTransport } from '../support/direct-transport.js'
import { startMs } from '../support/suite.js'
import { connect } from './support.js'

const open = (scenario?: Scenario) => connect(directTransport, scenario && { scenario })

/** A pet with fields that the type of a pet does not have. */
type OpenPet = PetInput & Record<string, unknown>

/** Returns the error that `act` throws or rejects with. Fails if there is none. */
async function catchError(act: () => unknown): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('expected an error, but nothing was thrown')
}

describe('sandbox.world', () => {
  test('has types for what it returns', () => {
    expectTypeOf<World['snapshot']>().returns.toEqualTypeOf<Scenario>()
    type Recorded = ReturnType<World['journal']['entries']>
    expectTypeOf<readonly JournalEntry[]>().toExtend<Recorded>()
    expectTypeOf<World['quota']>().toHaveProperty('account').parameter(0).toBeString()
    expect(Object.keys(new Problem('invalid_field', ''))).toContain('code')
  })

  test('the clock has the precision of a snapshot: whole milliseconds', async () => {
    const options = { now: () => startMs + 0.7 }
    const { sandbox, control, send } = await connect(directTransport, options)
    const { world } = sandbox
    expect(world.clock.now()).toBe(startMs)
    world.clock.set('2026-01-15T10:00:00Z')
    world.clock.advance(0.6)
    world.clock.freeze()
    world.clock.run()
    await control({ operation: 'changeClock', json: { advance: 'PT0.0005S' } })
    const { rateLimit } = await send({ operation: 'listInventory' })
    expect(rateLimit.reset).toBe(Date.UTC(2026, 0, 15, 10, 1) / 1000)
    await world.use(JSON.parse(JSON.stringify(world.snapshot())))
    expect((await send({ operation: 'listInventory' })).rateLimit).toMatchObject({
      reset: rateLimit.reset,
      remaining: rateLimit.remaining - 1,
    })
  })

  test('reading does not change the state', async () => {
    const { sandbox } = await open({ name: 'mine', quota: { '*': { ban: { seconds: 9 } } } })
    const { world } = sandbox
    const before = world.snapshot()
    world.nextEvent('pro')
    world.peekAccount('enterprise').charge()
    world.snapshot('other-name')
    expect(world.snapshot()).toEqual(before)
  })
})

describe('sandbox.use', () => {
  test('restarts the initial worlds of production and staging, and no others', async () => {
    const { sandbox } = await open()
    const other = await sandbox.worldFor('sbx_free_default_other')
    const staging = await sandbox.worldFor('sbx_free', 'staging')
    // @ts-expect-error: as from JavaScript, in version 1.
    await expect(sandbox.use('empty-store', 'flaky')).rejects.toThrow('in an array')
    await sandbox.use(['empty-store', { name: 'mine', seed: 9 }])
    expect([sandbox.world.scenario, staging.scenario]).toEqual([
      'empty-store+mine',
      'empty-store+mine',
    ])
    expect(other.scenario).toBe('default')
  })

  const invalidScenarios: [string, unknown][] = [
    ['an empty array', []],
    ['a known and an unknown name', ['default', 'low-stok']],
    [
      'a window that resets too late for the real time',
      { name: 'mine', quota: { free: { minute: { resetsAt: '2026-03-01T00:00:00Z' } } } },
    ],
    ['two pets with the same id', { name: 'mine', pets: Array(2).fill({ petId: 1, name: 'Rex' }) }],
    [
      'a value that is not JSON data',
      { name: 'mine', pets: [{ petId: 1, name: 'Rex', born: new Date(0) }] },
    ],
    ['null', null],
  ]

  test.each(invalidScenarios)(
    'and world.use reject %s and keep the worlds',
    async (_, scenario) => {
      const { sandbox, send } = await open()
      await send({ operation: 'sendMessage' })
      const { world } = sandbox
      const before = [world.snapshot(), world.journal.entries()]
      for (const target of [sandbox, world]) {
        // The scenarios deliberately violate the type.
        const use = target.use.bind(target) as (scenario: unknown) => Promise<void>
        expect(await catchError(() => use(scenario))).toBeInstanceOf(ScenarioError)
        expect([world.snapshot(), world.journal.entries()]).toEqual(before)
      }
    },
  )

  test('copies the scenario, so later changes have no effect', async () => {
    const { sandbox } = await open()
    const pet = { petId: 1, name: 'Rex', toys: ['ball'] }
    await sandbox.use({ name: 'mine', pets: [pet] })
    pet.toys.push('bone')
    pet.name = 'Max'
    sandbox.world.reset()
    expect(sandbox.world.db.pets.list()).toMatchObject([{ name: 'Rex', toys: ['ball'] }])
  })
})

describe('invalid input is rejected in process and does not change the world', () => {
  const pet = { petId: 77, name: 'Rex' }
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic

  const invalidActions: [string, (world: World) => unknown, object][] = [
    ['addPet of null', (world) => world.db.pets.add(null as never), { code: 'invalid_field' }],
    ['addPet of an array', (world) => world.db.pets.add([pet] as never), { code: 'invalid_field' }],
    [
      'addPet with a date',
      (world) => world.db.pets.add({ ...pet, born: new Date(0) } as OpenPet),
      { code: 'invalid_field', message: expect.stringContaining('born') },
    ],
    [
      'addPet with a function',
      (world) => world.db.pets.add({ ...pet, bark: () => 'woof' } as OpenPet),
      { code: 'invalid_field', message: expect.stringContaining('bark') },
    ],
    [
      'addPet with NaN',
      (world) => world.db.pets.add({ ...pet, weight: Number.NaN } as OpenPet),
      { code: 'invalid_field', message: expect.stringContaining('weight') },
    ],
    [
      'addPet with a bigint',
      (world) => world.db.pets.add({ ...pet, chip: 1n } as OpenPet),
      { code: 'invalid_field', message: expect.stringContaining('chip') },
    ],
    [
      'addPet with a cyclic field',
      (world) => world.db.pets.add({ ...pet, cyclic } as OpenPet),
      { code: 'invalid_field', message: expect.stringContaining('64 levels') },
    ],
    [
      'a fault of an unknown type',
      // The fault deliberately violates the type.
      (world) => world.faults.set([{ type: 'reset' }, { type: 'explode' } as never]),
      { code: 'invalid_field' },
    ],
    [
      'a negative quota',
      (world) => world.quota.account('free').set({ minute: { remaining: 1 }, day: { used: -1 } }),
      { code: 'invalid_field' },
    ],
    [
      'a clock past the year 8999',
      (world) => world.clock.advance('P9999999D'),
      { name: 'RangeError' },
    ],
    [
      'the next event of an unknown plan',
      (world) => world.nextEvent('gold'),
      { name: 'RangeError' },
    ],
  ]

  test.each(invalidActions)('%s', async (_, act, expected) => {
    const { sandbox } = await open()
    const { world } = sandbox
    world.quota.account('free')
    const before = world.snapshot()
    expect(await catchError(() => act(world))).toMatchObject(expected)
    expect(world.snapshot()).toEqual(before)
  })

  test('changePet and changeOrder ignore fields that are undefined', async () => {
    const { sandbox } = await open()
    const { world } = sandbox
    const before = [world.db.pets.find('1'), world.db.orders.find('1001')]
    world.db.pets.change('1', { quantity: undefined, name: undefined })
    world.db.orders.change('1001', { quantity: undefined })
    expect([world.db.pets.find('1'), world.db.orders.find('1001')]).toEqual(before)
  })

  test('a snapshot with a pet of the maximum depth can be loaded', async () => {
    const { sandbox } = await open()
    const { world } = sandbox
    let deep: unknown = 1
    let levels = 0
    const grow = () => {
      deep = { a: deep }
      levels += 1
      const pet: OpenPet = { petId: 10_000 + levels, name: 'Rex', deep }
      world.db.pets.add(pet)
    }
    expect(
      await catchError(() => {
        while (levels < 100) grow()
      }),
    ).toMatchObject({ code: 'invalid_field' })
    expect(levels).toBeGreaterThan(50)
    const before = world.snapshot()
    await world.use(JSON.parse(JSON.stringify(before)))
    expect(world.snapshot().pets).toEqual(before.pets)
  })
})
