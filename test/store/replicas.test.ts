import { describe, expect, test, vi } from 'vitest'
import {
  createSandbox,
  type InProcessSandbox,
  type SandboxOptions,
  type Scenario,
} from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'
import { StoreError, type Version } from '../../src/store/store.js'
import { MemoryStore } from '../support/memory-store.js'
import { createSleep } from '../support/sleep.js'
import { startMs } from '../support/suite.js'
import { watchErrors } from '../transport/http/support/open-server.js'

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

const open = (store: MemoryStore, options: SandboxOptions = {}) =>
  createSandbox({ now: () => startMs, store, ...options })

const list = (sandbox: InProcessSandbox) =>
  sandbox.fetch(`${addresses.api.url}/inventory`, { headers })

const change = (sandbox: InProcessSandbox, quantity: number) =>
  sandbox.fetch(`${addresses.api.url}/inventory/1`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ quantity }),
  })

const control = (sandbox: InProcessSandbox, path: string, method = 'GET', json?: unknown) =>
  sandbox.fetch(`${addresses.control.url}${path}`, { method, headers, body: JSON.stringify(json) })

const advance = (sandbox: InProcessSandbox, ms: number) =>
  control(sandbox, '/clock', 'PATCH', { advance: ms })

const readRemaining = (response: Response) => Number(response.headers.get('X-RateLimit-Remaining'))

/** Collects the ids of the journal entries that the listeners of the initial world receive. */
function collectIds(sandbox: InProcessSandbox): number[] {
  const ids: number[] = []
  sandbox.world.journal.subscribe(({ id }) => ids.push(id))
  return ids
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Runs an action at the start of the next access of a method. */
function onNext(store: MemoryStore, awaited: string, run: () => void): void {
  store.onAccess = (method) => {
    if (method !== awaited) return
    store.onAccess = () => {}
    run()
  }
}

/** Lets the next access of a method fail. */
function failOnce(store: MemoryStore, failing: string): void {
  onNext(store, failing, () => {
    throw new StoreError('down')
  })
}

test('a delay ends when another replica moves the clock, or restarts the world', async () => {
  const store = new MemoryStore(false)
  const [one, other] = [await open(store, { sleep: createSleep().sleep }), await open(store)]
  one.world.clock.freeze()
  one.world.faults.set({ type: 'delay', delayMs: 5_000, clock: 'world' })
  await one.save()
  let isDone = false
  const first = list(one).finally(() => (isDone = true))
  await expect.poll(() => one.world.requests.pending()).toHaveLength(1)
  await advance(other, 4_000)
  await nextTurn()
  expect(isDone).toBe(false)
  await advance(other, 1_000)
  expect((await first).status).toBe(200)
  const second = list(one)
  await expect.poll(() => one.world.requests.pending()).toHaveLength(1)
  await control(other, '/reset', 'POST')
  expect((await second).status).toBe(200)
})

test('the fact about a request follows the requests of other replicas before it, not during it', async () => {
  const store = new MemoryStore(false)
  let passedMs = 0
  const { sleep, wake } = createSleep()
  const options = { now: () => startMs + passedMs, sleep }
  const [one, other] = [await open(store, options), await open(store, options)]
  vi.spyOn(one.core.settings.platform, 'monotonic').mockImplementation(() => passedMs)
  await list(other)
  passedMs = 1_000
  const delayed = { headers: { ...headers, Prefer: 'delay=5' } }
  const response = one.fetch(`${addresses.api.url}/inventory`, delayed)
  await expect.poll(() => one.world.requests.pending()).toHaveLength(1)
  passedMs = 2_000
  await list(other)
  passedMs = 6_000
  wake()
  await response
  expect(one.world.journal.facts.items.map(({ afterId }) => afterId)).toEqual([0, 1, 1])
})

test('a delay continues when the world is loaded again', async () => {
  const store = new MemoryStore(false)
  let passedMs = 0
  const { sleep } = createSleep()
  const sandbox = await open(store, { now: () => startMs + passedMs, sleep })
  sandbox.world.faults.set({ type: 'delay', delayMs: 5_000, clock: 'world' })
  await sandbox.save()
  // The base is older than the delay.
  passedMs = 10_000
  let isDone = false
  const response = list(sandbox).finally(() => (isDone = true))
  await expect.poll(() => sandbox.world.requests.pending()).toHaveLength(1)
  failOnce(store, 'append')
  expect(await advance(sandbox, 1_000)).toMatchObject({ status: 503 })
  expect(await advance(sandbox, 1_000)).toMatchObject({ status: 200 })
  await nextTurn()
  expect(isDone).toBe(false)
  expect(await advance(sandbox, 4_000)).toMatchObject({ status: 200 })
  expect((await response).status).toBe(200)
})

describe('the faults of replicas', () => {
  const faults: Scenario['faults'] = [
    { operation: 'updateInventory', sequence: ['pass', { status: 503 }, 'pass', { status: 500 }] },
    { type: 'delay', delayMs: { min: 0, max: 60_000 }, operation: 'updateInventory', skip: 1 },
    { type: 'status', status: 502, rate: 0.5, operation: 'listInventory' },
  ]

  /** Sends requests to sandboxes, several at a time. Returns their statuses and their delays. */
  async function sendAll(isConcurrent: boolean) {
    const store = new MemoryStore(false)
    const delays: number[] = []
    const options: SandboxOptions = {
      scenario: { name: 'faulty', extends: ['default'], faults },
      sleep: async (ms) => {
        delays.push(ms)
      },
    }
    const sandboxes = [await open(store, options), await open(store, options)]
    const pending: Promise<Response>[] = []
    for (let sent = 0; sent < 6; sent++) {
      for (const sandbox of sandboxes) {
        const response = sent < 3 ? change(sandbox, sent) : list(sandbox)
        if (!isConcurrent) await response
        pending.push(response)
      }
      if (sent === 2) await Promise.all(pending)
    }
    const statuses = (await Promise.all(pending)).map(({ status }) => status)
    await sandboxes[0]?.save()
    const { world } = sandboxes[0] ?? expect.fail('there are two sandboxes')
    return { statuses: statuses.sort(), delays: delays.sort(), list: world.faults.list(), world }
  }

  test('are used exactly once by concurrent requests, and discarded attempts draw nothing', async () => {
    const apart = await sendAll(false)
    const together = await sendAll(true)
    expect(apart.statuses.filter((status) => status === 503 || status === 500)).toHaveLength(2)
    expect(together.statuses).toEqual(apart.statuses)
    expect(together.delays).toEqual(apart.delays)
    expect(together.list).toEqual(apart.list)
    expect(together.world.random.draws).toBe(apart.world.random.draws)
  })

  test('are stored by their uses only, so that a step does not contain their texts', async () => {
    const store = new MemoryStore(false)
    const message = 'x'.repeat(10_000)
    const match = { headers: { 'x-never': message } }
    const scenario = {
      name: 'faulty',
      extends: ['default'],
      faults: [{ type: 'delay', delayMs: 0 } as const, { type: 'reset', match } as const],
    }
    const sandbox = await open(store, { scenario })
    await list(sandbox)
    await list(sandbox)
    const steps = [...store.worlds.values()].flatMap((world) => world.steps)
    expect(steps).toHaveLength(2)
    expect(steps[1]?.length).toBeLessThan(3_000)
    const copy = await open(store, { scenario })
    await list(copy)
    expect(copy.world.faults.list()).toMatchObject([{ triggered: 3 }, { match }])
  })
})

describe('replicas with different clocks', () => {
  test('have one time, which never runs backwards, and exact windows', async () => {
    const store = new MemoryStore(false)
    let passedMs = 0
    const ahead = await open(store, { now: () => startMs + 10_000 + passedMs })
    const behind = await open(store)
    const resets = new Set<string | null>()
    for (let sent = 1; sent <= 60; sent++) {
      const response = await list(sent % 2 === 1 ? ahead : behind)
      expect([response.status, readRemaining(response)]).toEqual([200, 60 - sent])
      resets.add(response.headers.get('X-RateLimit-Reset'))
    }
    expect(resets.size).toBe(1)
    expect((await list(behind)).status).toBe(429)
    passedMs = 60_000
    expect(readRemaining(await list(ahead))).toBe(59)
    expect(readRemaining(await list(behind))).toBe(58)
    const times = behind.world.requests.find().map(({ atMs }) => atMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBe(startMs + 70_000)
  })

  test('show how much time has passed since, on the clock of the store', async () => {
    const store = new MemoryStore(false)
    const first = await open(store)
    await list(first)
    store.ageMs = 30_000
    const ahead = await open(store, { now: () => startMs + 900_000 })
    expect(ahead.world.clock.now()).toBe(startMs + 30_000)
    // A clock that agrees with the clock of the store is more exact.
    store.ageMs = 31_000
    const equal = await open(store, { now: () => startMs + 30_000 })
    expect(equal.world.clock.now()).toBe(startMs + 30_000)
  })
})

describe('replicas that serve a world in turn', () => {
  const id = 'production/default/'

  async function openReplicas() {
    const store = new MemoryStore(false)
    return { store, replicas: [await open(store), await open(store), await open(store)] as const }
  }

  test('execute a request at most twice', async () => {
    const { store, replicas } = await openReplicas()
    let appends = 0
    store.onAccess = (method) => {
      if (method === 'append') appends += 1
    }
    for (let sent = 0; sent < 10; sent++) for (const replica of replicas) await list(replica)
    expect(appends).toBeLessThanOrEqual(2 * 30)
    expect(store.worlds.get(id)?.version.number).toBe(30)
  })

  test('store few steps of a world that often starts anew', async () => {
    const { store, replicas } = await openReplicas()
    for (let round = 0; round < 50; round++) {
      for (const [sent, replica] of replicas.entries()) {
        expect(readRemaining(await list(replica))).toBe(59 - sent)
      }
      await control(replicas[round % 3] ?? replicas[0], '/reset', 'POST')
    }
    expect(store.worlds.get(id)?.steps.length).toBeLessThanOrEqual(4)
  })

  test('follow it only while its journal has a listener', async () => {
    const { store, replicas } = await openReplicas()
    for (const replica of [...replicas, ...replicas]) await list(replica)
    expect(store.countFollowers(id)).toBe(0)
    const stop = replicas[0].world.journal.subscribe(() => {})
    expect(store.countFollowers(id)).toBe(1)
    stop()
    expect(store.countFollowers(id)).toBe(0)
  })

  test('start anew together', async () => {
    const { replicas } = await openReplicas()
    for (let sent = 0; sent < 2; sent++) for (const replica of replicas) await list(replica)
    await control(replicas[1], '/reset', 'POST')
    for (const replica of replicas) expect((await list(replica)).status).toBe(200)
    expect(readRemaining(await list(replicas[0]))).toBe(56)
    const generations = replicas.map(({ world }) => world.generation)
    expect(new Set(generations).size).toBe(1)
  })
})

test('world.requests.waitFor resolves with a request that is stored while the replica reads the previous one', async () => {
  class SlowStore extends MemoryStore {
    /** Called once, after the replica has read that nothing has changed. */
    onRead: () => Promise<unknown> = async () => {}

    override async findSince(id: string, version: Version) {
      const result = await super.findSince(id, version)
      if (result?.steps.length !== 0) return result
      const { onRead } = this
      this.onRead = async () => {}
      await onRead()
      return result
    }
  }
  const store = new SlowStore(false)
  const [first, second] = [await open(store), await open(store)]
  await list(first)
  await first.save()
  const waiting = first.world.requests.waitFor('updateInventory')
  store.onRead = () => change(second, 9)
  await list(second)
  expect(await waiting).toMatchObject({ operation: 'updateInventory' })
})

describe('a replica', () => {
  test('notifies its listeners of the requests after one that it could not store', async () => {
    const store = new MemoryStore(false)
    const [first, second] = [await open(store), await open(store)]
    const ids = collectIds(first)
    failOnce(store, 'append')
    expect((await list(first)).status).toBe(503)
    await list(second)
    await first.save()
    expect(ids).toEqual([1])
  })

  test('does not apply a request whose seed could not be stored', async () => {
    const store = new MemoryStore(false)
    const sandbox = await open(store)
    failOnce(store, 'saveSeed')
    expect((await change(sandbox, 99)).status).toBe(503)
    const response = await list(sandbox)
    expect(readRemaining(response)).toBe(59)
    expect(await response.json()).toContainEqual(expect.objectContaining({ petId: 1, quantity: 4 }))
    expect(sandbox.world.requests.count()).toBe(1)
  })

  test('stores the seed again when the store has lost everything', async () => {
    const store = new MemoryStore(false)
    const sandbox = await open(store, { scenario: { name: 'mine', pets: [] } })
    await list(sandbox)
    const seeds = [...store.seeds.keys()]
    expect(seeds.length).toBeGreaterThan(0)
    store.worlds.clear()
    store.seeds.clear()
    expect(readRemaining(await list(sandbox))).toBe(59)
    expect([...store.seeds.keys()]).toEqual(seeds)
  })

  test('lets a control request see the requests that wait for the store with it', async () => {
    const sandbox = await open(new MemoryStore(false))
    const sending = [list(sandbox), list(sandbox), control(sandbox, '')]
    const [, , overview] = await Promise.all(sending)
    expect(await overview?.json()).toMatchObject({ counts: { requests: 2 } })
  })

  test('does not continue from steps that are based on a damaged one', async () => {
    const log = watchErrors()
    const store = new MemoryStore(false)
    const first = await open(store)
    await change(first, 10)
    await change(first, 20)
    const ids = collectIds(first)
    const world = store.worlds.get('production/default/')
    world?.steps.splice(-1, 1, 'damaged')
    const second = await open(store)
    await list(first)
    // Without the damaged one and the one after it.
    const response = await list(second)
    expect(readRemaining(response)).toBe(58)
    expect(await response.json()).toContainEqual(expect.objectContaining({ quantity: 10 }))
    expect(second.world.requests.find().at(-1)?.explanation).toContain(
      'the latest stored steps of this world are lost (2): the first of them could not be read; the world continues from the last step before them',
    )
    expect(log.mock.calls.flat().join()).toContain('production/default/')
    await first.save()
    await nextTurn()
    expect(first.world.db.pets.find('1')?.quantity).toBe(10)
    expect(ids, 'each entry once').toEqual([3, 4])
  })
})

test('onChange reports what another replica has stored, with the next request to the world', async () => {
  const store = new MemoryStore(false)
  const [first, second, third] = [await open(store), await open(store), await open(store)]
  first.world.faults.set({ sequence: ['pass', 'pass'], operation: 'updateInventory' })
  await first.save()
  const changes: [unknown: () => Promise<unknown>, ...kinds: string[]][] = [
    [() => list(first), 'requests'],
    [() => change(first, 3), 'data', 'requests'],
    [() => advance(first, 1), 'clock'],
    [() => control(first, '/quota', 'PATCH', { ban: null }), 'quota'],
    [() => control(first, '/faults', 'PUT', []), 'faults'],
  ]
  const reported: string[][] = []
  second.onChange((_, kinds) => reported.push([...kinds].sort()))
  for (const [run, ...kinds] of changes) {
    await list(third)
    await second.save()
    await nextTurn()
    reported.length = 0
    await run()
    await second.save()
    await nextTurn()
    expect(reported).toEqual([kinds])
  }
})

test.each(['load', 'readSince', 'append'])(
  'a change without a request before the access %s is reported if another replica was first',
  async (access) => {
    const log = watchErrors()
    const store = new MemoryStore(false)
    const [first, second] = [await open(store), await open(store)]
    for (const replica of [first, second]) await list(replica)
    const freeze = () => first.world.clock.freeze()
    if (access === 'load') freeze()
    else onNext(store, access, freeze)
    await (access === 'append' ? list(first) : control(first, ''))
    await first.save()
    expect(first.world.clock.isFrozen).toBe(false)
    expect(log.mock.calls.flat().join()).toContain(
      'production/default/: changes of this world without a request are lost: it has changed elsewhere',
    )
  },
)

test('a replica reads no steps while it is alone, and stores a base after 100 steps', async () => {
  const log = watchErrors()
  const store = new MemoryStore(false)
  const [first, second] = [await open(store), await open(store)]
  for (const replica of [first, second, first]) await list(replica)
  const methods: string[] = []
  store.onAccess = (method) => void methods.push(method)
  for (let sent = 3; sent < 101; sent++) await list(first)
  expect(methods).toEqual(['readSince', ...Array.from({ length: 98 }, () => 'append')])
  const { base } = store.worlds.get('production/default/') ?? {}
  await list(first)
  expect([base?.number, store.worlds.get('production/default/')?.base?.number]).toEqual([1, 102])
  expect(log).not.toHaveBeenCalled()
})

test('close stores the changes without a request, also after a step that failed', async () => {
  const log = watchErrors()
  const store = new MemoryStore(true)
  const sandbox = await open(store)
  const { world, core } = sandbox
  const failed = core.worlds.execute(world, () => Promise.reject(new Error('failed')))
  await expect(failed).rejects.toThrow('failed')
  world.db.pets.change('1', { name: 'Changed' })
  world.quota.account('free').set({ minute: { used: 9 } })
  const expected = world.snapshot()
  await sandbox.close()
  expect((await open(store)).world.snapshot()).toEqual(expected)
  expect(log).not.toHaveBeenCalled()
})

test('errors of the store are reported, and name its kind', async () => {
  const log = watchErrors()
  const store = new MemoryStore(true)
  const sandbox = await open(store)
  const { stored } = sandbox.core.worlds
  failOnce(store, 'check')
  const message = 'the memory store of this sandbox cannot be reached; retry after 2 seconds'
  await expect(stored?.check()).rejects.toThrow(message)
  failOnce(store, 'removeOthers')
  sandbox.reset()
  await sandbox.save()
  expect(log.mock.calls.flat().join()).toContain('StoreError: down')
})

test('a world continues with its scenario, and starts anew without it or with a damaged base', async () => {
  const log = watchErrors()
  const store = new MemoryStore(true)
  const read = async (seed: number) => {
    const { world } = await open(store, { scenario: { name: 'mine', seed } })
    return [world.random.seed, ...world.notices]
  }
  await (await open(store, { scenario: { name: 'mine', seed: 1 } })).save()
  expect(await read(2)).toEqual([1])
  const [base] = [...store.worlds.values()].map((world) => world.base)
  vi.spyOn(store, 'loadSeed').mockRejectedValueOnce(new StoreError('down'))
  await expect(read(2)).rejects.toThrow('cannot be reached')
  store.seeds.clear()
  const notice = 'the stored state of this world could not be read; it has started anew'
  expect(await read(2)).toEqual([2, notice])
  Object.assign(base ?? {}, { data: 'damaged' })
  expect(await read(2)).toEqual([2, notice])
  const messages = log.mock.calls.flat().join()
  expect(messages).toContain('the scenario mine of the world is missing')
  expect(messages).toContain('the base of the world production/mine/ is damaged')
})

test('a listener receives the entries of a world that was removed and created again', async () => {
  const store = new MemoryStore(false)
  const first = await open(store)
  const ids = collectIds(first)
  await list(first)
  await list(first)
  store.worlds.clear()
  const second = await open(store)
  await list(second)
  await first.save()
  expect(ids).toEqual([1, 2, 1])
})

test('reload reads what another process has stored', async () => {
  const store = new MemoryStore(false)
  const [first, second] = [await open(store), await open(store)]
  await change(second, 9)
  await first.core.worlds.stored?.reload([first.world])
  expect(first.world.db.pets.find('1')?.quantity).toBe(9)
})
