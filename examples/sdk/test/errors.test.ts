import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'
import * as errors from '../src/errors.js'
import { createClient } from './support.js'

test('an invalid quantity is an InvalidRequestError', async ({ sandbox }) => {
  const update = createClient(sandbox).client.updateInventory(1n, -1)
  await expect(update).rejects.toThrow(errors.InvalidRequestError)
  await expect(update).rejects.toMatchObject({
    name: 'InvalidRequestError',
    status: 400,
    code: 'invalid_field',
    message: expect.stringMatching(/^updateInventory: 400 invalid_field: .*quantity/),
    retryAfterMs: undefined,
  })
})

test('an unknown pet is a NotFoundError', async ({ sandbox }) => {
  const update = createClient(sandbox).client.updateInventory(999n, 1)
  await expect(update).rejects.toThrow(errors.NotFoundError)
})

test('an operation after its sunset is a GoneError', async ({ sandbox }) => {
  await sandbox.use('sunset-passed')
  await expect(createClient(sandbox).client.getPet(1n)).rejects.toThrow(errors.GoneError)
})

test.for([
  [403, 'ResponseError'],
  [500, 'ServerError'],
  [599, 'ServerError'],
] as const)('status %i is a %s', async ([status, name], { sandbox }) => {
  sandbox.world.faults.add({ type: 'status', status })
  const { client } = createClient(sandbox, { retry: { retries: 0 } })
  await expect(client.listInventory()).rejects.toMatchObject({ name, status })
})

test('a 400, 403, 404 or 410 is not retried', async ({ sandbox }) => {
  const { client, waits } = createClient(sandbox)
  for (const status of [400, 403, 404, 410]) {
    sandbox.world.faults.set([{ type: 'status', status }])
    await expect(client.listInventory()).rejects.toMatchObject({ status })
  }
  expect(waits).toEqual([])
  expect(sandbox.world.requests.count()).toBe(4)
})

describe('an invalid key', () => {
  const apiKey = 'sbx_free_unknown-scenario_me'

  test('is an UnauthorizedError', async ({ sandbox }) => {
    const { client } = createClient(sandbox, { apiKey })
    await expect(client.listInventory()).rejects.toThrow(errors.UnauthorizedError)
    await expect(client.listInventory()).rejects.toMatchObject({ status: 401 })
  })

  test('stops the client until it has another key', async ({ sandbox }) => {
    const { client } = createClient(sandbox)
    sandbox.world.faults.add({ type: 'status', status: 401, atMost: 1 })
    await expect(client.listInventory()).rejects.toThrow(errors.UnauthorizedError)
    await expect(client.sendMessage('Hello')).rejects.toThrow(errors.UnauthorizedError)
    expect(sandbox.world.requests.count()).toBe(1)

    client.useApiKey(sandbox.apiKeyFor('business'))

    await client.listInventory()
    expect(client.rateLimit?.limit).toBe(1_000)
  })

  test('does not stop the client after another error', async ({ sandbox }) => {
    const { client } = createClient(sandbox)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(errors.NotFoundError)
    await client.listInventory()
    expect(sandbox.world.requests.count()).toBe(2)
  })
})

describe('without a complete response', () => {
  const retry = { retries: 0 }

  test('a connection reset is a ConnectionError', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'reset' })
    const { client } = createClient(sandbox, { retry })
    const error = await client.listInventory().catch((error) => error)
    expect(error).toBeInstanceOf(errors.ConnectionError)
    expect(error.message).toBe('listInventory: no complete response')
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  test('a truncated body is a ConnectionError', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'truncate', share: 0.5 })
    const { client } = createClient(sandbox, { retry })
    await expect(client.listInventory()).rejects.toThrow(errors.ConnectionError)
  })

  test('a late response is a TimeoutError', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'delay', delayMs: 60_000 })
    const { client } = createClient(sandbox, { retry, timeoutMs: 20 })
    const error = await client.listInventory().catch((error) => error)
    expect(error).toBeInstanceOf(errors.TimeoutError)
    expect(error.message).toBe('listInventory: no response in 20 ms')
    expect(error.cause).toBeInstanceOf(DOMException)
  })

  test('a request that the caller aborts rejects with the reason', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'delay', delayMs: 60_000 })
    const { client, waits } = createClient(sandbox)
    const abort = new AbortController()
    const list = client.listInventory({ signal: abort.signal })
    abort.abort('left the page')
    await expect(list).rejects.toBe('left the page')
    expect(waits).toEqual([])
  })
})

const operations: [string, Send][] = [
  ['listInventory', (client, options) => client.listInventory(options)],
  ['updateInventory', (client, options) => client.updateInventory(1n, 1, options)],
  ['getPet', (client, options) => client.getPet(1n, options)],
  ['listOrders', (client, options) => client.listOrders(options)],
  ['sendMessage', (client, options) => client.sendMessage('Hello', options)],
]

describe.for(operations)('%s', ([name, send]) => {
  test('can be aborted', async ({ sandbox }) => {
    const { client } = createClient(sandbox)
    const sent = send(client, { signal: AbortSignal.abort('left the page') })
    await expect(sent).rejects.toBe('left the page')
    expect(sandbox.world.requests.count({ status: 200 })).toBe(0)
  })

  test('is named in its errors', async ({ sandbox }) => {
    sandbox.world.faults.add({ type: 'status', status: 418, message: 'I am a teapot' })
    const { client } = createClient(sandbox)
    await expect(send(client)).rejects.toThrow(new RegExp(`^${name}: 418 \\w+: I am a teapot`))
  })
})

type Client = ReturnType<typeof createClient>['client']
type Send = (client: Client, options?: { signal: AbortSignal }) => Promise<unknown>
