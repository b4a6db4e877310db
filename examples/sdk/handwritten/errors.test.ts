import { delay, HttpResponse } from 'msw'
import { describe, expect } from 'vitest'
import * as errors from '../src/errors.js'
import { createClient, error, test, truncated } from './support.js'

test('an invalid quantity is an InvalidRequestError', async ({ service }) => {
  const update = createClient(service).client.updateInventory(1n, -1)
  await expect(update).rejects.toThrow(errors.InvalidRequestError)
  await expect(update).rejects.toMatchObject({
    name: 'InvalidRequestError',
    status: 400,
    code: 'invalid_field',
    message: expect.stringMatching(/^updateInventory: 400 invalid_field: .*quantity/),
    retryAfterMs: undefined,
  })
})

test('an unknown pet is a NotFoundError', async ({ service }) => {
  const update = createClient(service).client.updateInventory(999n, 1)
  await expect(update).rejects.toThrow(errors.NotFoundError)
})

test('an operation after its sunset is a GoneError', async ({ service }) => {
  service.nowMs = Date.parse('2026-03-05T09:00:00Z')
  await expect(createClient(service).client.getPet(1n)).rejects.toThrow(errors.GoneError)
})

test.for([
  [403, 'ResponseError'],
  [500, 'ServerError'],
  [599, 'ServerError'],
] as const)('status %i is a %s', async ([status, name], { service }) => {
  service.fail(() => error(status, 'failed'))
  const { client } = createClient(service, { retry: { retries: 0 } })
  await expect(client.listInventory()).rejects.toMatchObject({ name, status })
})

test('a 400, 403, 404 or 410 is not retried', async ({ service }) => {
  const { client, waits } = createClient(service)
  for (const status of [400, 403, 404, 410]) {
    service.fail(() => error(status, 'failed'), 1)
    await expect(client.listInventory()).rejects.toMatchObject({ status })
  }
  expect(waits).toEqual([])
  expect(service.requests).toHaveLength(4)
})

describe('an invalid key', () => {
  test('is an UnauthorizedError', async ({ service }) => {
    const { client } = createClient(service, { apiKey: 'another-key' })
    await expect(client.listInventory()).rejects.toThrow(errors.UnauthorizedError)
    await expect(client.listInventory()).rejects.toMatchObject({ status: 401 })
  })

  test('stops the client until it has another key', async ({ service }) => {
    const { client } = createClient(service)
    service.fail(() => error(401, 'invalid_api_key'), 1)
    await expect(client.listInventory()).rejects.toThrow(errors.UnauthorizedError)
    await expect(client.sendMessage('Hello')).rejects.toThrow(errors.UnauthorizedError)
    expect(service.requests).toHaveLength(1)

    service.apiKey = 'key-2'
    client.useApiKey('key-2')

    expect(await client.listInventory()).toHaveLength(3)
  })

  test('does not stop the client after another error', async ({ service }) => {
    const { client } = createClient(service)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(errors.NotFoundError)
    await client.listInventory()
    expect(service.requests).toHaveLength(2)
  })
})

describe('without a complete response', () => {
  const retry = { retries: 0 }

  test('a connection reset is a ConnectionError', async ({ service }) => {
    service.fail(() => HttpResponse.error())
    const { client } = createClient(service, { retry })
    const error = await client.listInventory().catch((error) => error)
    expect(error).toBeInstanceOf(errors.ConnectionError)
    expect(error.message).toBe('listInventory: no complete response')
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  test('a truncated body is a ConnectionError', async ({ service }) => {
    service.fail(truncated)
    const { client } = createClient(service, { retry })
    await expect(client.listInventory()).rejects.toThrow(errors.ConnectionError)
  })

  test('a late response is a TimeoutError', async ({ service }) => {
    service.fail(() => delay('infinite').then(() => HttpResponse.error()))
    const { client } = createClient(service, { retry, timeoutMs: 20 })
    const error = await client.listInventory().catch((error) => error)
    expect(error).toBeInstanceOf(errors.TimeoutError)
    expect(error.message).toBe('listInventory: no response in 20 ms')
    expect(error.cause).toBeInstanceOf(DOMException)
  })

  test('a request that the caller aborts rejects with the reason', async ({ service }) => {
    service.fail(() => delay('infinite').then(() => HttpResponse.error()))
    const { client, waits } = createClient(service)
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
  test('can be aborted', async ({ service }) => {
    const { client } = createClient(service)
    const sent = send(client, { signal: AbortSignal.abort('left the page') })
    await expect(sent).rejects.toBe('left the page')
    expect(service.requests).toEqual([])
  })

  test('is named in its errors', async ({ service }) => {
    service.fail(() => error(418, 'teapot', 'I am a teapot'))
    const { client } = createClient(service)
    await expect(send(client)).rejects.toThrow(`${name}: 418 teapot: I am a teapot`)
  })
})

type Client = ReturnType<typeof createClient>['client']
type Send = (client: Client, options?: { signal: AbortSignal }) => Promise<unknown>
