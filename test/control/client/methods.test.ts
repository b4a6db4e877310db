import { expect, expectTypeOf, test } from 'vitest'
import type { RemoteWorld } from '../../../src/connect.js'
import { controlOperationIds } from '../../../src/control/operations.js'
import type { Remote } from '../../../src/control/remote/world.js'
import { createSandbox, type World } from '../../../src/index.js'
import { kindNames } from '../../../src/service/records.js'
import { openServer } from '../../support/server.js'
import { connectTo } from './support.js'

/** Members of a collection of records that a world itself uses. */
const tableMembers = [
  ...['kind', 'bytes', 'toJson', 'ids', 'dropList', 'restart', 'save', 'load'],
  ...['put', 'set', 'delete', 'costOf', 'costOfSet'],
]

/**
 * The members of the objects in this process that a remote handle does not have: how the sandbox
 * itself reads and changes a world. Every other member must be in both.
 */
const inProcessOnly: Record<string, readonly string[]> = {
  world: [
    // Internal state, and its storage.
    ...[
      'room',
      'size',
      'seedBytes',
      'measure',
      'checkRoom',
      'requestsInProgress',
      'notices',
      'currentStep',
      'seed',
      'random',
      'rules',
      'library',
    ],
    ...['apiKeys', 'ownKeys', 'deprecation', 'start', 'replace', 'close', 'apply', 'log'],
    ...['whenStored', 'onChange', 'restore', 'failures', 'planOf', 'events'],
    // A copy of the account in this process: quota.account reads the one of the sandbox.
    'peekAccount',
    ...['id', 'requestIdPrefix'],
  ],
  clock: [
    'realNow',
    'onMoveBack',
    'onChange',
    'start',
    'restore',
    'notBefore',
    'continueFrom',
    'offsetMs',
    'frozenAtMs',
    'wait',
    'waits',
    'endWaits',
    'keepWaits',
    'onWaits',
  ],
  db: [
    ...['shared', 'restart', 'save', 'load', 'bytes', 'costOf', 'dropLists'],
    ...['changeCounts', 'apply'],
  ],
  pets: tableMembers,
  orders: tableMembers,
  messages: tableMembers,
  quota: [
    ...['earliestMs', 'start', 'save', 'restore', 'copy', 'now', 'planOf', 'onSet'],
    ...['toSettings', 'dropNotStarted', 'beforeSet', 'onUse'],
  ],
  account: [
    ...['charge', 'peek', 'hasPendingBan', 'toSettings', 'save', 'restore'],
    ...['copy', 'banRule', 'options'],
  ],
  faults: [
    ...['random', 'revision', 'load', 'take', 'beforeReplace', 'entries', 'restoreUses'],
    ...['saveUses', 'restore', 'onChange'],
  ],
  journal: [
    ...['facts', 'capacity', 'bytes', 'reportError', 'lastId', 'newestId', 'clearedId', 'strays'],
    ...['add', 'restart', 'counts', 'restoreCounts', 'latestDroppedMs'],
    ...['listeners', 'pending', 'unsent', 'onClear'],
    ...['clear', 'beforeClear', 'findSentBefore', 'dropped'],
  ],
  requests: ['journal', 'read', 'readFaults', 'toFilter', 'codes'],
}

/** The members of a handle that an object in this process does not have. */
const remoteOnly: Record<string, readonly string[]> = {
  world: ['control', 'apiKey', 'headers', 'baseUrl', 'quickstartBaseUrl', 'fork', 'close'],
}

/** Lists the names of the public members of an object and of its classes. */
function listMembers(object: object): string[] {
  const names = new Set<string>()
  for (
    let level: object | null = object;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name)
  }
  names.delete('constructor')
  return [...names]
}

async function openBoth() {
  const { world } = await createSandbox()
  const { url } = await openServer()
  const remote = await connectTo(url)
  return [
    ['world', world, remote],
    ['clock', world.clock, remote.clock],
    ['db', world.db, remote.db],
    ...kindNames.map((kind) => [kind, world.db[kind], remote.db[kind]] as const),
    ['quota', world.quota, remote.quota],
    ['account', world.quota.account('free'), remote.quota.account('free')],
    ['faults', world.faults, remote.faults],
    ['journal', world.journal, remote.journal],
    ['requests', world.requests, remote.requests],
  ] as const
}

test('a handle has every member of sandbox.world and of its parts, except internal ones', async () => {
  for (const [name, local, remote] of await openBoth()) {
    const internal = inProcessOnly[name] ?? []
    const own = remoteOnly[name] ?? []
    const expected = listMembers(local).filter((member) => !internal.includes(member))
    const found = listMembers(remote).filter((member) => !own.includes(member))
    expect(found.toSorted(), name).toEqual(expected.toSorted())
  }
})

test('printing or comparing a handle and its parts sends no request', async () => {
  const { fetch } = await createSandbox()
  let sent = 0
  const count: typeof fetch = (...args) => {
    sent += 1
    return fetch(...args)
  }
  const remote = await connectTo('https://api.petstore.example', { fetch: count })
  expect(sent).toBe(1)
  const printed = JSON.stringify([remote, remote.quota.account('free')])
  expect(printed).toContain('"environment":"production"')
  expect(remote).not.toEqual({ ...remote, clock: 1 })
  expect(sent).toBe(1)
})

test('control has a function for each control operation, derived from the definitions', async () => {
  const { url } = await openServer()
  const { control } = await connectTo(url)
  expect(Object.keys(control).toSorted()).toEqual(
    controlOperationIds.filter((id) => id !== 'streamEvents').toSorted(),
  )
  expect(
    await control.changeClock({ body: { now: '2026-03-01T09:00:00Z', frozen: true } }),
  ).toEqual({
    now: '2026-03-01T09:00:00.000Z',
    frozen: true,
    nextEvent: expect.anything(),
  })
  expect(await control.listScenarios()).toContainEqual(expect.objectContaining({ name: 'flaky' }))
  expect(await control.removePet({ params: { petId: '1' } })).toMatchObject({ petId: 1 })
  expect(await control.listRequests({ query: { limit: 5, operation: 'getPet' } })).toEqual([])
})

test('control rejects an input with other fields than params, query and body', async () => {
  const { url } = await openServer()
  const { control } = await connectTo(url)
  // @ts-expect-error: the body is missing around the plan.
  const creating = control.createKey({ plan: 'pro' })
  await expect(creating).rejects.toThrow(TypeError)
  await expect(creating).rejects.toThrow(
    'the argument of control.createKey has no field "plan"; known: params, query, body',
  )
})

/** A part of both handles. The parameters must be the same, and the results promises of the same. */
type Same<Local, Found, Name extends keyof Local & keyof Found> = {
  [Member in Name]: Found[Member] extends Remote<Local, Name>[Member]
    ? Local[Member] extends (...args: infer Args) => unknown
      ? Found[Member] extends (...args: infer FoundArgs) => unknown
        ? [Args, FoundArgs] extends [FoundArgs, Args]
          ? never
          : Member
        : Member
      : never
    : Member
}[Name]

test('the signatures are those of the methods in this process', () => {
  expectTypeOf<Same<World, RemoteWorld, WorldMembers>>().toEqualTypeOf<never>()
  type Clock = 'now' | 'isFrozen' | 'freeze' | 'run' | 'set' | 'advance'
  expectTypeOf<Same<World['clock'], RemoteWorld['clock'], Clock>>().toEqualTypeOf<never>()
  type Faults = 'list' | 'set' | 'add' | 'clear' | 'size'
  expectTypeOf<Same<World['faults'], RemoteWorld['faults'], Faults>>().toEqualTypeOf<never>()
  type Journal = 'entries' | 'size' | 'subscribe'
  expectTypeOf<Same<World['journal'], RemoteWorld['journal'], Journal>>().toEqualTypeOf<never>()
  type Requests = 'find' | 'count' | 'unmatched' | 'pending' | 'clear' | 'waitFor'
  expectTypeOf<Same<World['requests'], RemoteWorld['requests'], Requests>>().toEqualTypeOf<never>()
  type Table = 'count' | 'list' | 'find'
  type Local = World['db']
  type Far = RemoteWorld['db']
  expectTypeOf<Same<Local['messages'], Far['messages'], Table>>().toEqualTypeOf<never>()
  type Collection = Table | 'add' | 'change' | 'remove'
  expectTypeOf<Same<Local['pets'], Far['pets'], Collection>>().toEqualTypeOf<never>()
  expectTypeOf<Same<Local['orders'], Far['orders'], Collection>>().toEqualTypeOf<never>()
  type Account = ReturnType<World['quota']['account']>
  type RemoteAccount = ReturnType<RemoteWorld['quota']['account']>
  type AccountMembers = 'plan' | 'set' | 'isBanned' | 'bannedUntilMs'
  expectTypeOf<Same<Account, RemoteAccount, AccountMembers>>().toEqualTypeOf<never>()
})

/** The parts of a world are compared on their own. */
type WorldMembers = Exclude<
  keyof World & keyof RemoteWorld,
  'name' | 'clock' | 'db' | 'quota' | 'faults' | 'journal' | 'requests' | 'close'
>

test('a signature that differs would be found', () => {
  interface Other {
    snapshot(name: number): Promise<unknown>
    reset(): void
  }
  expectTypeOf<Same<World, Other, 'snapshot' | 'reset'>>().toEqualTypeOf<'snapshot' | 'reset'>()
})

test('a misspelled field is a compile-time error', async () => {
  const { url } = await openServer()
  const world = await connectTo(url)
  // @ts-expect-error: quantty is not a field of a pet.
  await world.db.pets.add({ petId: 71, name: 'Rex', quantty: 3 })
  // @ts-expect-error: explode is not a type of fault.
  await expect(world.faults.add({ type: 'explode' })).rejects.toThrow('invalid_field')
  // @ts-expect-error: colour is not a field of the clock.
  await expect(world.control.changeClock({ body: { colour: 1 } })).rejects.toThrow('invalid_field')
})
