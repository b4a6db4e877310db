import { describe, expect, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
const base = 'https://api.petstore.example/v1'

async function openSandbox() {
  const sandbox = await createSandbox()
  const call = (path: string, init: RequestInit = {}) =>
    sandbox.fetch(`${base}${path}`, { headers, ...init })
  const setQuantity = (quantity: unknown, petId = 1) =>
    call(`/inventory/${petId}`, { method: 'PATCH', body: JSON.stringify({ quantity }) })
  return { calls: sandbox.world.requests, world: sandbox.world, call, setQuantity }
}

describe('world.calls.find', () => {
  test.each([
    { query: 'updateInventory', ids: [2, 3, 4] },
    { query: {}, ids: [1, 2, 3, 4, 5] },
    { query: { operation: 'updateInventory', status: 200 }, ids: [2, 3] },
    { query: { operation: 'updateInventory', body: { quantity: 6 } }, ids: [3] },
    { query: { body: { quantity: expect.any(Number) } }, ids: [2, 3] },
    { query: { code: 'invalid_field' }, ids: [4] },
    { query: { path: '/inventory/2' }, ids: [3] },
    { query: { method: 'GET' }, ids: [1, 5] },
    { query: { unmatched: true }, ids: [5] },
    { query: { unmatched: false }, ids: [1, 2, 3, 4] },
  ] as const)('finds by $query the calls $ids', async ({ query, ids }) => {
    const { calls, call, setQuantity } = await openSandbox()
    await call('/inventory')
    await setQuantity(5)
    await setQuantity(6, 2)
    await setQuantity('seven')
    await call('/inventry')
    expect(calls.find(query).map(({ id }) => id)).toEqual(ids)
    expect(calls.count(query)).toBe(ids.length)
  })

  test('finds calls by headers and query', async () => {
    const { calls, call } = await openSandbox()
    await call('/inventory?page=2&name=a%20b', { headers: { ...headers, 'X-Trace': 't-1' } })
    await call('/inventory', { headers: { ...headers, 'X-Trace': 't-2' } })
    const ids = (query: Parameters<typeof calls.find>[0]) => calls.find(query).map(({ id }) => id)
    expect(ids({ headers: { 'x-trace': 't-1' } })).toEqual([1])
    expect(ids({ headers: { 'X-TRACE': expect.stringMatching(/^t-/) } })).toEqual([1, 2])
    expect(ids({ headers: { 'x-other': 't-1' } })).toEqual([])
    expect(ids({ query: { name: 'a b' } })).toEqual([1])
    expect(ids({ query: { page: expect.any(String), name: 'a' } })).toEqual([])
  })

  test('finds calls from a moment of the world on', async () => {
    const { calls, call, world } = await openSandbox()
    world.clock.freeze('2026-01-15T09:00:00Z')
    await call('/inventory')
    world.clock.advance('PT1S')
    await call('/store/orders')
    const found = calls.find({ sinceMs: world.clock.now() })
    expect(found.map(({ operation }) => operation)).toEqual(['listOrders'])
  })

  test('refuses an operation that the service does not have, and names the nearest', async () => {
    const { calls } = await openSandbox()
    const misspelt = 'updateInventry' as 'updateInventory' // as from JavaScript
    expect(() => calls.find(misspelt)).toThrow(
      'the operation must be one of the service, found "updateInventry"; did you mean "updateInventory"?',
    )
  })
})

describe('a filter or an option that would mean nothing is refused', () => {
  test.each([
    [{ statuss: 5 }, 'the filter has no field "statuss"; did you mean "status"?'],
    [{ header: {} }, 'the filter has no field "header"; did you mean "headers"?'],
    [null, 'the filter must be an object, found null'],
  ])('find(%j)', async (filter, message) => {
    const { calls } = await openSandbox()
    expect(() => calls.find(filter as object)).toThrow(message) // as from JavaScript
    expect(() => calls.count(filter as object)).toThrow(message)
    expect(() => calls.waitFor(filter as object)).toThrow(message)
  })

  test.each([
    [{ time: 2 }, 'the second argument has no field "time"; did you mean "times"?'],
    [{ times: 0 }, 'times must be an integer from 1, found 0 (number)'],
    [{ times: 1.5 }, 'times must be an integer from 1, found 1.5 (number)'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a number from 0 to 2147483647, found -1 (number)'],
    [{ timeoutMs: NaN }, 'timeoutMs must be a number from 0 to 2147483647, found NaN (number)'],
  ])('waitFor with %j', async (options, message) => {
    const { calls } = await openSandbox()
    expect(() => calls.waitFor('getPet', options as object)).toThrow(message)
  })
})

describe('world.calls.unmatched', () => {
  test('gives the calls that no operation matched', async () => {
    const { calls, call } = await openSandbox()
    await call('/inventory')
    await call('/inventory', { method: 'POST' })
    expect(calls.unmatched().map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /inventory',
    ])
  })
})

describe('world.calls.waitFor', () => {
  test('resolves with a call that comes later', async () => {
    const { calls, call } = await openSandbox()
    const waited = calls.waitFor('listOrders')
    await call('/inventory')
    await call('/store/orders')
    expect(await waited).toMatchObject({ id: 2, operation: 'listOrders', status: 200 })
  })

  test('resolves with a call that came already', async () => {
    const { calls, call } = await openSandbox()
    await call('/inventory')
    await call('/inventory')
    expect(await calls.waitFor('listInventory')).toMatchObject({ id: 1 })
  })

  test('resolves with the last of so many calls, counting those that came already', async () => {
    const { calls, setQuantity } = await openSandbox()
    await setQuantity(5)
    const waited = calls.waitFor('updateInventory', { times: 3 })
    await setQuantity(6)
    await setQuantity(7)
    expect(await waited).toMatchObject({ id: 3, requestBody: '{"quantity":7}' })
  })

  test('rejects with the calls that came instead, their explanations, and the nearest operation', async () => {
    const { calls, call, setQuantity } = await openSandbox()
    await setQuantity(-1)
    await call('/inventry/1', { method: 'PATCH', body: '{}' })
    const wanted = { operation: 'updateInventory', status: 200 } as const
    const waited = calls.waitFor(wanted, { timeoutMs: 0 })
    const message = await waited.catch((error: Error) => error.message)
    expect(message).toContain('waited 0 ms for updateInventory with status 200, but none came.')
    expect(message).toContain('The calls that reached this world (2):')
    expect(message).toContain('#1 PATCH /inventory/1 → 400 invalid_field, updateInventory')
    expect(message).toContain('body {"quantity":-1}')
    expect(message).toContain('minute window: 1st of 60')
    expect(message).toContain('refused with 400 invalid_field: quantity must be an integer from 0')
    expect(message).toContain(
      '#2 PATCH /inventry/1 → 404 route_not_found, no operation; nearest is updateInventory, PATCH /inventory/{petId}',
    )
  })

  test('rejects with how many of so many came', async () => {
    const { calls, call } = await openSandbox()
    await call('/inventory')
    await expect(calls.waitFor('listInventory', { times: 2, timeoutMs: 0 })).rejects.toThrow(
      'waited 0 ms for listInventory, but 1 of 2 came.',
    )
  })

  test('rejects with a hint when no call reached the world', async () => {
    const { calls } = await openSandbox()
    await expect(calls.waitFor('listInventory', { timeoutMs: 0 })).rejects.toThrow(
      'No call reached this world: a call reaches it by its API key.',
    )
  })

  test('rejects with a stack that leads to the test', async () => {
    const { calls } = await openSandbox()
    const error = await calls.waitFor({}, { timeoutMs: 0 }).catch((thrown: Error) => thrown)
    expect(error).toHaveProperty('stack', expect.stringContaining('calls.test.ts'))
  })

  test('goes by the real time while the timers are fake', async () => {
    const { calls, call } = await openSandbox()
    vi.useFakeTimers()
    try {
      const waited = calls.waitFor('listInventory')
      vi.advanceTimersByTime(60_000)
      await call('/inventory')
      expect(await waited).toMatchObject({ operation: 'listInventory' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('listens no longer once it is over', async () => {
    const { calls, call, world } = await openSandbox()
    const subscribe = vi.spyOn(world.journal, 'subscribe')
    const waited = calls.waitFor('listInventory')
    await call('/inventory')
    await waited
    const [stop] = subscribe.mock.results
    // A listener that is gone cannot be taken away again.
    expect(stop?.value()).toBe(false)
  })
})

test('a list of many calls shows the newest ten and says how many more there were', async () => {
  const { calls, call } = await openSandbox()
  for (let sent = 0; sent < 12; sent += 1) await call('/inventory')
  const error = await calls.waitFor('listOrders', { timeoutMs: 0 }).catch((thrown: Error) => thrown)
  expect(String(error)).toContain(
    'The calls that reached this world (12):\n  (2 more not shown)\n  #3 GET',
  )
})
