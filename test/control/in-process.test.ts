import { describe, expect, test } from 'vitest'
import { type PetInput, type Scenario, ScenarioError } from '../../src/index.js'
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

  test('and world.use reject an invalid scenario and keep the worlds', async () => {
    const { sandbox, send } = await open()
    await send({ operation: 'sendMessage' })
    const { world } = sandbox
    const before = [world.snapshot(), world.journal.entries()]
    const dated = { name: 'mine', pets: [{ petId: 1, name: 'Rex', born: new Date(0) }] }
    for (const scenario of [[], ['default', 'low-stok'], dated, null]) {
      for (const target of [sandbox, world]) {
        // The scenarios deliberately violate the type.
        const use = target.use.bind(target) as (scenario: unknown) => Promise<void>
        expect(await catchError(() => use(scenario))).toBeInstanceOf(ScenarioError)
        expect([world.snapshot(), world.journal.entries()]).toEqual(before)
      }
    }
  })

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

  test.each<[string, object]>([
    ['born', { born: new Date(0) }],
    ['bark', { bark: () => 'woof' }],
    ['weight', { weight: Number.NaN }],
    ['chip', { chip: 1n }],
    ['64 levels', { cyclic }],
  ])('a pet with a field that is not JSON: the message contains %s', async (part, fields) => {
    const { world } = (await open()).sandbox
    const before = world.snapshot()
    const add = () => world.db.pets.add({ ...pet, ...fields } as OpenPet)
    expect(add).toThrow(part)
    expect(await catchError(add)).toMatchObject({ code: 'invalid_field' })
    expect(world.snapshot()).toEqual(before)
  })

  test('a value of which a part is valid', async () => {
    const { world } = (await open()).sandbox
    const free = world.quota.account('free')
    const before = world.snapshot()
    // The fault deliberately violates the type.
    expect(() => world.faults.set([{ type: 'reset' }, { type: 'explode' } as never])).toThrow()
    expect(() => free.set({ minute: { remaining: 1 }, day: { used: -1 } })).toThrow()
    expect(world.snapshot()).toEqual(before)
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
