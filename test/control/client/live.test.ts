import { describe, expect, test } from 'vitest'
import { createSandbox, type Scenario } from '../../../src/index.js'
import { type AnyWorld, handleKinds } from './support.js'

const message: NonNullable<Scenario['messages']>[number] = {
  id: '6ad4e2b2-6e3b-4d4e-9f60-0c2f5e3c9a11',
  message: 'a',
  status: 'queued',
  createdAt: '2026-03-01T08:00:00.000Z',
}

/** A scenario whose parts have nested objects. */
const scenario: Scenario = {
  name: 'nested',
  clock: { now: '2026-03-01T09:00:00.000Z', frozen: true },
  faults: [
    { type: 'status', status: 503, match: { headers: { 'x-fail': 'yes' } } },
    { operation: 'getPet', sequence: ['pass', { type: 'status', status: 500 }] },
  ],
  messages: [message],
  orders: [{ id: 1, petId: 1, quantity: 1, additional: { nested: [1] } }],
}

/** Everything that the methods and properties of a world return as data, by name. */
const results: Readonly<Record<string, (world: AnyWorld) => unknown>> = {
  name: (world) => world.name,
  'db.pets': (world) => world.db.pets.list(),
  'db.findPet': (world) => world.db.pets.find('1'),
  'db.orders': (world) => world.db.orders.list(),
  'db.findOrder': (world) => world.db.orders.find('1'),
  'db.messages': (world) => world.db.messages.list(),
  'faults.list': (world) => world.faults.list(),
  'journal.entries': (world) => world.journal.entries(),
  'requests.find': (world) => world.requests.find(),
  'requests.unmatched': (world) => world.requests.unmatched(),
  'requests.pending': (world) => world.requests.pending(),
  'requests.waitFor': (world) => world.requests.waitFor('updateInventory'),
  'quota.account': async (world) => {
    const { plan, minute, day } = world.quota.account('free')
    return { plan: await plan, minute: { ...(await minute) }, day: { ...(await day) } }
  },
  nextEvent: (world) => world.nextEvent(),
  report: (world) => world.report(),
  snapshot: (world) => world.snapshot(),
}

/** Describes all results of a world, with the parsed form of entries. */
async function describeWorld(world: AnyWorld): Promise<string> {
  const texts: string[] = []
  for (const [name, read] of Object.entries(results)) {
    texts.push(`${name} ${JSON.stringify(toContents(await read(world)))}`)
  }
  return texts.join('\n')
}

/** Returns what an object contains, including properties that are not enumerable. */
function toContents(value: unknown): unknown {
  if (value instanceof URLSearchParams) return String(value)
  if (typeof value !== 'object' || value === null) return value
  const names = Reflect.ownKeys(value).filter((name) => name !== 'length')
  return names.map((name) => [String(name), toContents(Reflect.get(value, name))])
}

/** Assigns other values to everything that can be reached from a value. */
function change(value: unknown): void {
  if (value instanceof URLSearchParams) value.append('changed', 'yes')
  if (typeof value !== 'object' || value === null) return
  for (const name of Reflect.ownKeys(value)) {
    if (Array.isArray(value) && name === 'length') continue
    change(Reflect.get(value, name))
    Reflect.set(value, name, 'changed')
  }
  Reflect.set(value, 'added', 'changed')
}

describe.each(handleKinds)('what a world by $name returns', ({ open }) => {
  test('is not live: no change to it is seen by the next call', async () => {
    const { world, send } = await open()
    await world.use(scenario)
    const headers = { Authorization: 'Bearer sbx_free_default_suite' }
    const init = { headers: { ...headers, 'Content-Type': 'application/json' }, method: 'PATCH' }
    await send('/inventory/1?page=2', { ...init, body: '{"quantity":5,"list":[{"a":1}]}' })
    await send('/inventory/1?page=2', { ...init, body: '{"quantity":5}' })
    await send('/inventry', { headers })
    const before = await describeWorld(world)
    for (const read of Object.values(results)) change(await read(world))
    expect(await describeWorld(world)).toBe(before)
  })

  test('is not live: a record that was added or changed', async () => {
    const { world } = await open()
    const input = { petId: 77, name: 'Rex', quantity: 1, status: 'available', more: { list: [1] } }
    for (const [record, read] of [
      [await world.db.pets.add(input as never), () => world.db.pets.find('77')],
      [await world.db.pets.change('77', { quantity: 2 }), () => world.db.pets.find('77')],
      [
        await world.db.orders.add({ id: 7, petId: 1, more: {} } as never),
        () => world.db.orders.find('7'),
      ],
      [await world.db.orders.change('7', { petId: 2 }), () => world.db.orders.find('7')],
    ] as const) {
      const before = JSON.stringify(await read())
      change(record)
      expect(JSON.stringify(await read())).toBe(before)
    }
    input.more.list.push(2)
    expect(JSON.stringify(await world.db.pets.find('77'))).toContain('"list":[1]')
  })

  test('is not live: a fault that was added', async () => {
    const { world } = await open()
    const fault = { type: 'status', status: 500, match: { body: { list: [1] } } } as const
    await world.faults.set([fault])
    const before = JSON.stringify(await world.faults.list())
    change(fault.match.body)
    expect(JSON.stringify(await world.faults.list())).toBe(before)
  })
})

test('no change to what a world returns is seen by another world of its scenario', async () => {
  const sandbox = await createSandbox({ scenario })
  const [first, second] = [
    await sandbox.worldFor('sbx_free_nested_a'),
    await sandbox.worldFor('sbx_free_nested_b'),
  ]
  const before = await describeWorld(second).catch(String)
  for (const [name, read] of Object.entries(results)) {
    if (name !== 'requests.waitFor') change(await read(first))
  }
  change(first.ownKeys)
  for (const part of ['rules', 'apiKeys', 'deprecation'] as const) {
    change(first[part])
  }
  const { records: _, ...settings } = first.seed
  change(settings)
  expect(await describeWorld(second).catch(String)).toBe(before)
  const third = await sandbox.worldFor('sbx_free_nested_c')
  expect(third.db.pets.list()).toEqual(second.db.pets.list())
  expect(third.faults.list()).toEqual(second.faults.list())
  expect(third.rules).toEqual(second.rules)
})

test('listeners do not see what another one assigns to an entry', async () => {
  const sandbox = await createSandbox()
  const seen: unknown[] = []
  sandbox.subscribe((entry) => change(entry))
  sandbox.world.journal.subscribe((entry) => change(entry))
  sandbox.subscribe((entry) => seen.push([entry.path, entry.requestHeaders]))
  sandbox.world.journal.subscribe((entry) => seen.push([entry.path, entry.requestHeaders]))
  await sandbox.fetch('https://api.petstore.example/v1/inventory', {
    headers: { Authorization: 'Bearer sbx_free' },
  })
  const expected = ['/inventory', ['authorization', 'Bearer sbx_free…']]
  expect(seen).toEqual([expected, expected])
})
