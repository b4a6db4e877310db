import { HttpResponse } from 'msw'
import { expect } from 'vitest'
import { CircuitOpenError, NotFoundError, ServerError } from '../src/errors.js'
import { createClient, error, test } from './support.js'

const unavailable = () => error(503, 'service_unavailable')
const options = { retry: { retries: 0 } }

test('the circuit opens after five failures in a row', async ({ service }) => {
  service.fail(unavailable)
  const { client } = createClient(service, options)

  for (let count = 0; count < 5; count += 1) {
    await expect(client.listInventory()).rejects.toThrow(ServerError)
  }
  const rejected = await client.listInventory().catch((error) => error)

  expect(rejected).toBeInstanceOf(CircuitOpenError)
  expect(rejected.retryAfterMs).toBe(30_000)
  expect(rejected.message).toContain('the next request is possible in 30000 ms')
  expect(service.requests).toHaveLength(5)
})

test('the circuit opens during the retries of a request', async ({ service }) => {
  service.fail(() => HttpResponse.error())
  const { client } = createClient(service)
  await expect(client.listInventory()).rejects.toThrow()
  await expect(client.listInventory()).rejects.toThrow(CircuitOpenError)
  expect(service.requests).toHaveLength(5)
})

test('a success in between keeps the circuit closed', async ({ service }) => {
  const { client } = createClient(service, { ...options, circuit: { failures: 2 } })
  for (let count = 0; count < 3; count += 1) {
    service.fail(unavailable, 1)
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    await client.listInventory()
  }
})

test('errors of the client keep the circuit closed', async ({ service }) => {
  const { client } = createClient(service, { ...options, circuit: { failures: 2 } })
  for (let count = 0; count < 3; count += 1) {
    service.fail(unavailable, 1)
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(NotFoundError)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(NotFoundError)
  }
})

test('an aborted request neither opens nor closes the circuit', async ({ service }) => {
  const { client } = createClient(service, { ...options, circuit: { failures: 2 } })
  const signal = AbortSignal.abort('left the page')
  service.fail(unavailable, 2)
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory({ signal })).rejects.toBe('left the page')
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory()).rejects.toThrow(CircuitOpenError)
})

test('one request probes the service after 30 seconds', async ({ service }) => {
  service.fail(unavailable, 2)
  const { client } = createClient(service, { ...options, circuit: { failures: 1 } })
  await expect(client.listInventory()).rejects.toThrow(ServerError)

  service.nowMs += 29_999
  await expect(client.listInventory()).rejects.toThrow('possible in 1 ms')
  service.nowMs += 1
  // The probe fails, and the circuit stays open for 30 seconds more.
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory()).rejects.toThrow('possible in 30000 ms')
  service.nowMs += 30_000
  const results = await Promise.allSettled([client.listInventory(), client.listInventory()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  // The probe succeeded, and the circuit is closed.
  await client.listInventory()
  expect(service.requests).toHaveLength(4)
})
