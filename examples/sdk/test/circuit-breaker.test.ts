import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import { CircuitOpenError, NotFoundError, ServerError } from '../src/errors.js'
import { createClient } from './support.js'

const options = { retry: { retries: 0 } }

test('the circuit opens after five failures in a row', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'status', status: 503 })
  const { client } = createClient(sandbox, options)

  for (let count = 0; count < 5; count += 1) {
    await expect(client.listInventory()).rejects.toThrow(ServerError)
  }
  const rejected = await client.listInventory().catch((error) => error)

  expect(rejected).toBeInstanceOf(CircuitOpenError)
  expect(rejected.retryAfterMs).toBe(30_000)
  expect(rejected.message).toContain('the next request is possible in 30000 ms')
  expect(sandbox.world.requests.count()).toBe(5)
})

test('the circuit opens during the retries of a request', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'reset' })
  const { client } = createClient(sandbox)
  await expect(client.listInventory()).rejects.toThrow()
  await expect(client.listInventory()).rejects.toThrow(CircuitOpenError)
  expect(sandbox.world.requests.count()).toBe(5)
})

test('a success in between keeps the circuit closed', async ({ sandbox }) => {
  const { client } = createClient(sandbox, { ...options, circuit: { failures: 2 } })
  for (let count = 0; count < 3; count += 1) {
    sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 1 }])
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    await client.listInventory()
  }
})

test('errors of the client keep the circuit closed', async ({ sandbox }) => {
  const { client } = createClient(sandbox, { ...options, circuit: { failures: 2 } })
  for (let count = 0; count < 3; count += 1) {
    sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 1 }])
    await expect(client.listInventory()).rejects.toThrow(ServerError)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(NotFoundError)
    await expect(client.updateInventory(999n, 1)).rejects.toThrow(NotFoundError)
  }
})

test('an aborted request neither opens nor closes the circuit', async ({ sandbox }) => {
  const { client } = createClient(sandbox, { ...options, circuit: { failures: 2 } })
  const signal = AbortSignal.abort('left the page')
  sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 2 }])
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory({ signal })).rejects.toBe('left the page')
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory()).rejects.toThrow(CircuitOpenError)
})

test('one request probes the service after 30 seconds', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'status', status: 503, atMost: 2 })
  const { client } = createClient(sandbox, { ...options, circuit: { failures: 1 } })
  const { clock } = sandbox.world
  await expect(client.listInventory()).rejects.toThrow(ServerError)

  clock.advance('PT29.999S')
  await expect(client.listInventory()).rejects.toThrow('possible in 1 ms')
  clock.advance(1)
  // The probe fails, and the circuit stays open for 30 seconds more.
  await expect(client.listInventory()).rejects.toThrow(ServerError)
  await expect(client.listInventory()).rejects.toThrow('possible in 30000 ms')
  clock.advance('PT30S')
  const results = await Promise.allSettled([client.listInventory(), client.listInventory()])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  // The probe succeeded, and the circuit is closed.
  await client.listInventory()
  expect(sandbox.world.requests.count()).toBe(4)
})
