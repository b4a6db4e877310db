import { expect, test, vi } from 'vitest'
import { authorization, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])
const large = { scenario: 'large-catalogue' } as const

test('a long list is the same each time it is sent, and after each change', async () => {
  const { send, world } = await openServer(large)
  for (const quantity of [0, 3, 4]) {
    const body = JSON.stringify({ quantity })
    const headers = [authorization, 'Content-Type: application/json']
    expect(await send(toRequest('PATCH /v1/inventory/7', headers, body))).toMatchObject({
      status: 200,
    })
    const items = Array.from(world.db.inventory(), ({ petId, quantity, status }) => ({
      petId: Number(petId),
      quantity,
      status,
    }))
    expect(items.find(({ petId }) => petId === 7)).toMatchObject({ quantity })
    for (let count = 0; count < 3; count++) {
      expect(JSON.parse((await send(list)).text)).toEqual(items)
    }
  }
})

test('responses that a client does not read are accounted for until it disconnects', async () => {
  const { connect, server, send } = await openServer(large)
  const { memory } = server.sandbox.core
  const read = () => memory.usage['unsent responses'] ?? 0
  const { text } = await send(list)
  // A response that is sent at once needs no memory.
  expect(read()).toBe(0)
  const client = connect()
  client.pause()
  client.send(list.repeat(100))
  // The network buffers hold some of them.
  await vi.waitFor(() => expect(read()).toBeGreaterThan(50 * text.length), { timeout: 10_000 })
  expect(read() % text.length).toBe(0)
  client.abort()
  await vi.waitFor(() => expect(read()).toBe(0), { timeout: 10_000 })
})

test('a response that exceeds the memory of its client is not sent', async () => {
  const { connect, world } = await openServer({ ...large, limits: { clientMemory: 1_000_000 } })
  const client = connect()
  client.pause()
  client.send(list.repeat(100))
  const countRejected = () => world.requests.find({ status: 503 }).length
  await vi.waitFor(() => expect(countRejected()).toBeGreaterThan(10), { timeout: 10_000 })
  client.resume()
  const statuses = new Set<number>()
  for (let count = 0; count < 100; count++) statuses.add((await client.response()).status)
  expect([...statuses]).toEqual([200, 503])
})
