import { describe, expect, test, vi } from 'vitest'
import { type HandleKind, handleKinds, type Place } from './support.js'

const start = '2026-03-01T09:00:00.000Z'
const startMs = Date.parse(start)
const scenario = ['default', { name: 'in-march', clock: { now: start, frozen: true } }] as const

const largeId = '9223372036854775807'

/** Opens a world whose clock is frozen. */
async function openFrozen({ open }: HandleKind): Promise<Place> {
  const place = await open()
  await place.world.use([...scenario])
  return place
}

function patch(quantity: number, headers: Record<string, string>): RequestInit {
  const body = JSON.stringify({ quantity })
  return { method: 'PATCH', headers: { ...headers, 'Content-Type': 'application/json' }, body }
}

const key = { Authorization: 'Bearer sbx_free_default_suite' }

/**
 * Opens a world that has received 600 requests, of which its journal retains the last 500. The first
 * 60 set a quantity, every other one an invalid quantity.
 */
async function openFull(kind: HandleKind): Promise<Place> {
  const place = await openFrozen(kind)
  // A key of the same world with a larger quota.
  const headers = { Authorization: 'Bearer sbx_enterprise_default_suite' }
  for (let sent = 0; sent < 60; sent += 1) {
    await place.send('/inventory/1', patch(sent % 2 === 0 ? 5 : -1, headers))
  }
  for (let sent = 60; sent < 600; sent += 1) await place.send('/inventory', { headers })
  return place
}

describe.each(handleKinds)('a world by $name', (kind) => {
  test('clock freezes, runs, is set and advances', async () => {
    const { clock } = (await openFrozen(kind)).world
    expect([await clock.now(), await clock.isFrozen]).toEqual([startMs, true])
    await clock.advance('PT90S')
    await clock.advance(-30_000)
    expect(await clock.now()).toBe(startMs + 60_000)
    await clock.set(new Date(startMs + 5))
    expect(await clock.now()).toBe(startMs + 5)
    await clock.run()
    expect(await clock.isFrozen).toBe(false)
    await clock.freeze('2026-03-02T00:00:00Z')
    expect(await clock.now()).toBe(Date.UTC(2026, 2, 2))
  })

  test('use starts a scenario, and reset restores its start', async () => {
    const { world, send } = await kind.open()
    await world.use('rate-limited')
    expect((await send('/inventory')).status).toBe(429)
    await world.clock.advance('PT60S')
    expect((await send('/inventory')).status).toBe(200)
    const generation = await world.generation
    await world.reset()
    expect(await world.generation).toBeGreaterThan(generation)
    expect((await send('/inventory')).status).toBe(429)
    expect(await world.scenario).toBe('rate-limited')
  })

  test('use rejects a second argument, and names the array', async () => {
    const { world } = await kind.open()
    // @ts-expect-error: as from JavaScript, in version 1.
    const used = world.use('low-stock', 'flaky')
    await expect(used).rejects.toThrow("in an array: use(['low-stock', 'flaky'])")
    expect(await world.scenario).toBe('default')
  })

  test('snapshot returns a scenario that continues at the state', async () => {
    const { world } = await openFrozen(kind)
    await world.db.pets.add({ petId: 70, name: 'Rex', quantity: 3 })
    const snapshot = await world.snapshot('with-rex')
    expect(snapshot).toMatchObject({ name: 'with-rex', clock: { now: start, frozen: true } })
    await world.db.pets.remove('70')
    await world.use(snapshot)
    expect(await world.db.pets.find('70')).toMatchObject({ quantity: 3 })
  })

  test('pets and orders are added, changed, found and removed, with ids beyond 2^53', async () => {
    const { world, send } = await kind.open()
    const added = await world.db.pets.add({ petId: largeId, name: 'Rex', quantity: 3 })
    expect(added).toMatchObject({ petId: largeId, category: 'pet', status: 'available' })
    const changed = await world.db.pets.change(largeId, { quantity: undefined, status: 'sold' })
    expect(changed).toMatchObject({ petId: largeId, quantity: 3, status: 'sold' })
    expect(await (await send(`/pets/${largeId}`)).text()).toContain(`"petId":${largeId}`)
    expect(await world.db.pets.find(largeId)).toMatchObject({ petId: largeId, name: 'Rex' })
    expect(await world.db.pets.find('1')).toMatchObject({ petId: '1' })
    expect([...(await world.db.pets.list())].at(-1)).toMatchObject({ petId: largeId, quantity: 3 })
    expect(await world.db.pets.count).toBe((await world.db.pets.list()).length)
    expect(await world.db.pets.remove(largeId)).toMatchObject({ petId: largeId })
    expect(await world.db.pets.find(largeId)).toBeUndefined()
    await world.db.orders.add({ id: largeId, petId: largeId, quantity: 2 })
    const order = { id: largeId, petId: largeId, quantity: 2, complete: true }
    expect(await world.db.orders.change(largeId, { complete: true })).toMatchObject(order)
    expect(await world.db.orders.find(largeId)).toMatchObject(order)
    expect(await world.db.orders.remove(largeId)).toMatchObject(order)
  })

  test('faults are listed, added, replaced and cleared', async () => {
    const { world, send } = await kind.open()
    await world.faults.set([{ type: 'status', status: 503, atMost: 2 }])
    await world.faults.add({ type: 'truncate' })
    expect((await send('/inventory')).status).toBe(503)
    expect(await world.faults.list()).toEqual([
      { type: 'status', status: 503, atMost: 1, triggered: 1 },
      { type: 'truncate', share: 0.5 },
    ])
    expect(await world.faults.size).toBe(2)
    await world.faults.set({ type: 'reset' })
    expect(await world.faults.list()).toEqual([{ type: 'reset' }])
    await world.faults.clear()
    expect(await world.faults.list()).toEqual([])
  })

  test('quota is set for the key and for the key of another plan', async () => {
    const { world, send } = await openFrozen(kind)
    const free = world.quota.account('free')
    expect(await free.plan).toBe('free')
    await free.set({ minute: { remaining: 1 } })
    expect([(await send('/inventory')).status, (await send('/inventory')).status]).toEqual([
      200, 429,
    ])
    const { limit, used, remaining, rejected, resetsAtMs } = await free.minute
    expect([limit, used, remaining, rejected, resetsAtMs]).toEqual([60, 60, 0, 1, startMs + 60_000])
    expect((await world.quota.account('pro').minute).limit).toBe(300)
    expect(await free.isBanned()).toBe(false)
    await free.set({ ban: { seconds: 90 } })
    expect(await free.isBanned()).toBe(true)
    expect(await free.bannedUntilMs()).toBe(startMs + 90_000)
    expect(await free.bannedUntilMs(startMs + 90_000)).toBeUndefined()
    await expect((async () => world.quota.account('gold'))()).rejects.toThrow(RangeError)
  })

  test('advanceToNextEvent moves the clock to the next event of the account', async () => {
    const { world, send } = await openFrozen(kind)
    await send('/inventory')
    const event = { event: 'minute window resets', atMs: startMs + 60_000 }
    expect(await world.nextEvent()).toEqual(event)
    expect(await world.nextEvent('pro')).toMatchObject({ event: 'sunset' })
    expect(await world.advanceToNextEvent()).toEqual(event)
    expect(await world.clock.now()).toBe(startMs + 60_000)
  })

  test('requests are found by operation, status, header, query and body', async () => {
    const { world, send } = await openFrozen(kind)
    await send('/inventory?page=2', { headers: { ...key, 'X-Trace': 't-1' } })
    await send('/inventory/1', patch(5, key))
    await send('/inventory/1', patch(-1, key))
    await send('/inventry')
    const { requests } = world
    expect(await requests.count()).toBe(4)
    expect(await requests.count('updateInventory')).toBe(2)
    expect(await requests.find({ operation: 'updateInventory', status: 400 })).toHaveLength(1)
    expect(
      await requests.find({ headers: { 'x-trace': 't-1' }, query: { page: '2' } }),
    ).toHaveLength(1)
    expect(await requests.count({ body: { quantity: expect.any(Number) } })).toBe(2)
    expect(await requests.unmatched()).toMatchObject([
      { path: '/inventry', nearestOperation: 'listInventory', status: 404 },
    ])
    const unknown = async () => requests.find('listInventry' as never)
    await expect(unknown()).rejects.toThrow('did you mean "listInventory"?')
  })

  test('count fails if the journal has dropped entries, until it is cleared', async () => {
    const { world, send } = await openFull(kind)
    const { requests } = world
    expect(await requests.find()).toHaveLength(500)
    for (const query of [{}, 'listOrders', { sinceMs: startMs + 60_000 }] as const) {
      await expect((async () => requests.count(query))()).rejects.toThrow(
        'cannot count the requests: the journal has dropped 100 of 600 entries; to retain more than 500, raise journalCapacity, or call requests.clear() first',
      )
    }
    await requests.clear()
    await send('/inventory')
    expect(await requests.count()).toBe(1)
  })

  test('waitFor resolves if it finds enough entries, and fails if dropped ones may match', async () => {
    const { world } = await openFull(kind)
    const { requests } = world
    expect(await requests.waitFor('listInventory', { atLeast: 450 })).toMatchObject({ id: 550 })
    for (const query of ['listOrders', { status: 400, path: '/inventory/1' }] as const) {
      await expect((async () => requests.waitFor(query))()).rejects.toThrow(
        'cannot wait for the request: the journal has dropped 100 of 600 entries',
      )
    }
  })

  test('a filter may have the code of a fault, and no other unknown one', async () => {
    const { world, send } = await kind.open()
    await world.faults.add({ type: 'status', status: 503, code: 'out_of_kibble', atMost: 1 })
    expect(await world.requests.count({ code: 'out_of_kibble' })).toBe(0)
    const waiting = world.requests.waitFor({ code: 'out_of_kibble' }, { timeoutMs: 8_000 })
    await send('/inventory')
    expect(await waiting).toMatchObject({ status: 503, code: 'out_of_kibble' })
    expect(await world.requests.find({ code: 'out_of_kibble' })).toHaveLength(1)
    const hint = 'did you mean "out_of_kibble"?'
    const misspelled = { code: 'out_of_kible' }
    await expect((async () => world.requests.count(misspelled))()).rejects.toThrow(hint)
    await expect((async () => world.requests.waitFor(misspelled))()).rejects.toThrow(hint)
  })

  test('pending lists the requests that have no response yet', async () => {
    const { world, send } = await kind.open()
    await world.faults.add({ type: 'delay', delayMs: 60_000, atMost: 1 })
    expect(await world.requests.pending()).toEqual([])
    const client = new AbortController()
    const sending = send('/pets/7', { headers: key, signal: client.signal }).catch(() => {})
    await expect.poll(() => world.requests.pending()).toHaveLength(1)
    expect(await world.requests.pending()).toEqual([
      {
        receivedAtMs: expect.any(Number),
        address: 'api',
        method: 'GET',
        path: '/pets/7',
        operation: 'getPet',
        apiKey: 'sbx_free_def…',
      },
    ])
    client.abort()
    await sending
    await expect.poll(() => world.requests.pending()).toEqual([])
  })

  test('journal entries are complete', async () => {
    const { world, send } = await openFrozen(kind)
    await send('/inventory/1', patch(5, key))
    const [entry] = await world.journal.entries()
    const text = { path: '/inventory/1', query: '', requestBody: '{"quantity":5}' }
    const ids = { id: 1, environment: 'production', address: 'api', operation: 'updateInventory' }
    expect(entry).toMatchObject({ ...ids, ...text, atMs: startMs, isUserHandled: false })
    expect(entry).toMatchObject({ method: 'PATCH', status: 200, aborted: false, code: undefined })
    expect(entry?.requestHeaders).toEqual(expect.arrayContaining(['content-type']))
    expect(entry?.changes).toEqual([
      { type: 'quantity.set', petId: '1', from: expect.any(Number), to: 5 },
    ])
    expect(entry?.explanation.at(0)).toMatch(/^key sbx_free_def… is on plan Free/)
    expect(await world.journal.size).toBe(1)
    await world.requests.clear()
    expect(await world.journal.entries()).toEqual([])
  })

  test('waitFor resolves to requests in the journal and to later ones', async () => {
    const { world, send } = await kind.open()
    await send('/inventory')
    expect(await world.requests.waitFor('listInventory')).toMatchObject({ id: 1 })
    const waiting = world.requests.waitFor(
      { operation: 'listInventory' },
      { atLeast: 3, timeoutMs: 8_000 },
    )
    await send('/inventory')
    await send('/store/orders')
    await send('/inventory')
    expect(await waiting).toMatchObject({ id: 4, operation: 'listInventory' })
  })

  test('waitFor rejects on timeout with the requests that the world received', async () => {
    const { world, send } = await kind.open()
    await send('/store/orders')
    // Long enough to read the journal of a remote world on a busy machine.
    const waiting = world.requests.waitFor('listInventory', { timeoutMs: 2_000 })
    await expect(waiting).rejects.toThrow(
      /^waited 2000 ms for listInventory, but received none\.\n\nRequests received by this world \(1\):\n {2}#1 GET \/store\/orders → 200, listOrders\n/,
    )
  })

  test('waitFor throws synchronously for invalid arguments', async () => {
    const { requests } = (await kind.open()).world
    expect(() => requests.waitFor({ colour: 'red' } as never)).toThrow(TypeError)
    expect(() => requests.waitFor('getPet', { timeout: 5 } as never)).toThrow('timeoutMs')
  })

  test('subscribe passes on each new entry until it is removed', async () => {
    const { world, send } = await kind.open()
    await send('/inventory')
    const ids: number[] = []
    const remove = await world.journal.subscribe(({ id }) => ids.push(id))
    await send('/inventory')
    await send('/inventory')
    await vi.waitFor(() => expect(ids).toEqual([2, 3]), { timeout: 8_000 })
    remove()
    await send('/inventory')
    await world.requests.waitFor('listInventory', { atLeast: 4, timeoutMs: 8_000 })
    expect(ids).toEqual([2, 3])
  })
})
