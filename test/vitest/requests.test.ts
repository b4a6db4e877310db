import diagnostics from 'node:diagnostics_channel'
import axios from 'axios'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { createSandboxServer } from '../../src/server.js'

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
const base = 'https://api.petstore.example/v1'

async function openSandbox() {
  const sandbox = await createSandbox()
  const send = (path: string, init: RequestInit = {}) =>
    sandbox.fetch(`${base}${path}`, { headers, ...init })
  const setQuantity = (quantity: unknown, petId = 1) =>
    send(`/inventory/${petId}`, { method: 'PATCH', body: JSON.stringify({ quantity }) })
  return { requests: sandbox.world.requests, world: sandbox.world, sandbox, send, setQuantity }
}

describe('world.requests.find', () => {
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
  ] as const)('finds the requests $ids by $query', async ({ query, ids }) => {
    const { requests, send, setQuantity } = await openSandbox()
    await send('/inventory')
    await setQuantity(5)
    await setQuantity(6, 2)
    await setQuantity('seven')
    await send('/inventry')
    expect(requests.find(query).map(({ id }) => id)).toEqual(ids)
    expect(requests.count(query)).toBe(ids.length)
  })

  test('finds requests from a time of the world on', async () => {
    const { requests, send, world } = await openSandbox()
    world.clock.freeze('2026-01-15T09:00:00Z')
    await send('/inventory')
    world.clock.advance('PT1S')
    await send('/store/orders')
    const found = requests.find({ sinceMs: world.clock.now() })
    expect(found.map(({ operation }) => operation)).toEqual(['listOrders'])
  })
})

describe('world.requests.waitFor', () => {
  test('rejects if a request that cannot be compared may be the missing one', async () => {
    const { requests, setQuantity } = await openSandbox()
    await setQuantity('x'.repeat(5_000))
    const query = { body: { quantity: 5 } }
    const waited = requests.waitFor(query, { atLeast: 2, timeoutMs: 60_000 })
    await setQuantity(5)
    await expect(waited).rejects.toThrow(
      'cannot wait for the request: entry #1: the journal does not have the whole body',
    )
  })

  test('rejects with a stack trace that contains the test', async () => {
    const { requests } = await openSandbox()
    const error = await requests.waitFor({}, { timeoutMs: 0 }).catch((thrown: Error) => thrown)
    expect(error).toHaveProperty('stack', expect.stringContaining('requests.test.ts'))
  })
})

describe('the promise of waitFor', () => {
  test.each([
    ['fetch', (target: string) => fetch(target, { headers }).then((response) => response.json())],
    ['axios', (target: string) => axios.get(target, { headers })],
  ])('resolves when the client has received its response: %s', async (_, get) => {
    const { requests, world, sandbox } = await openSandbox()
    const server = setupServer(...sandbox.handlers)
    server.listen()
    onTestFinished(() => server.close())
    /** Returns whether the client has the response when an action, which waits for the request, ends. */
    const race = async (wait: () => Promise<unknown>) => {
      let isReceived = false
      const sent = get(`${base}/inventory`).then(() => {
        isReceived = true
      })
      await wait()
      const result = isReceived
      await sent
      return result
    }
    expect(await race(() => requests.waitFor('listInventory'))).toBe(true)
    expect(await race(() => requests.waitFor('listInventory', { atLeast: 2 }))).toBe(true)
    // The entry alone is too early.
    expect(await race(() => new Promise((resolve) => world.journal.subscribe(resolve)))).toBe(false)
  })

  test('resolves over HTTP when the response has been sent', async () => {
    const { requests, sandbox, world } = await openSandbox()
    const server = await createSandboxServer({ sandbox })
    onTestFinished(() => server.close())
    const url = await server.listen({ port: 0 })
    let isSent = false
    const channel = 'http.server.response.finish'
    const onFinish = () => {
      isSent = true
    }
    diagnostics.subscribe(channel, onFinish)
    onTestFinished(() => void diagnostics.unsubscribe(channel, onFinish))
    const sent = fetch(`${url}/v1/inventory`, { headers })
    await requests.waitFor('listInventory')
    expect(isSent).toBe(true)
    expect(world.journal.unsent.size).toBe(0)
    await (await sent).json()
  })
})

describe('a journal entry', () => {
  test('has parsed headers, query and bodies', async () => {
    const { requests, send, setQuantity } = await openSandbox()
    await setQuantity(5)
    await send('/inventory?tag=a&tag=b', { headers: { ...headers, 'X-Trace': 't-1' } })
    const [patch, list] = requests.find()
    expect(patch?.request.json).toEqual({ quantity: 5 })
    expect(patch?.response.json).toMatchObject({ petId: 1, quantity: 5 })
    expect(patch?.response.headers).toMatchObject({ 'x-ratelimit-limit': '60' })
    expect(list?.request.json).toBeUndefined()
    expect(list?.request.headers).toMatchObject({
      'x-trace': 't-1',
      authorization: 'Bearer sbx_free…',
    })
    expect(list?.request.query.getAll('tag')).toEqual(['a', 'b'])
    expect(await requests.waitFor('updateInventory')).toMatchObject({
      request: { json: { quantity: 5 } },
    })
    // The parsed form is not part of what is printed, compared or copied.
    expect(Object.keys(patch ?? {})).not.toContain('request')
  })

  test('throws in place of a body that the journal has truncated', async () => {
    const { requests, setQuantity } = await openSandbox()
    await setQuantity('x'.repeat(5_000))
    const [entry] = requests.find()
    expect(() => entry?.request.json).toThrow(
      'the journal does not have the whole requestBody of the entry #1',
    )
    expect(entry?.response.json).toMatchObject({ code: 'invalid_field' })
  })

  test('that a listener of the sandbox receives has them too', async () => {
    const { sandbox, send } = await openSandbox()
    const codes: unknown[] = []
    sandbox.subscribe(({ response }) => codes.push(response.json))
    await send('/inventory/404', { method: 'PATCH', body: '{"quantity":1}' })
    expect(codes).toMatchObject([{ code: 'pet_not_found' }])
  })
})
