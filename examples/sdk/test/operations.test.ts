import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'
import { createClient } from './support.js'

test('listInventory returns the stock of every pet', async ({ sandbox }) => {
  const { client } = createClient(sandbox)

  const items = await client.listInventory()

  expect(items).toHaveLength(12)
  expect(items[0]).toEqual({ petId: 1n, quantity: 4, status: 'available' })
  expect(sandbox).toHaveReceived('listInventory', { times: 1, method: 'GET', status: 200 })
})

test('listInventory returns an empty list for an empty store', async ({ sandbox }) => {
  await sandbox.use('empty-store')
  expect(await createClient(sandbox).client.listInventory()).toEqual([])
})

test('updateInventory sends the quantity and returns the entry', async ({ sandbox }) => {
  const { client } = createClient(sandbox)

  const item = await client.updateInventory(3n, 9)

  expect(item).toEqual({ petId: 3n, quantity: 9, status: 'pending' })
  expect(sandbox).toHaveReceived('updateInventory', {
    times: 1,
    path: '/inventory/3',
    headers: { 'content-type': 'application/json' },
    body: { quantity: 9 },
  })
  expect(sandbox.world.db.pets.find('3')?.quantity).toBe(9)
})

test('getPet returns the record of the pet', async ({ sandbox }) => {
  const pet = await createClient(sandbox).client.getPet(2n)
  expect(pet).toMatchObject({ petId: 2n, name: 'Milo', status: 'available' })
})

test('listOrders returns the orders with exact ids', async ({ sandbox }) => {
  const [order] = [...sandbox.world.db.orders.list()]

  const orders = await createClient(sandbox).client.listOrders()

  expect(orders).toHaveLength(5)
  expect(orders[0]).toMatchObject({
    id: BigInt(order?.id ?? 0),
    petId: BigInt(order?.petId ?? 0),
    quantity: order?.quantity,
  })
})

describe('sendMessage', () => {
  test('returns the queued message', async ({ sandbox }) => {
    sandbox.world.clock.freeze('2026-03-01T09:00:00Z')
    const { client } = createClient(sandbox)

    const message = await client.sendMessage('Bella is back')

    const id = expect.stringMatching(/^msg_/)
    const createdAt = new Date('2026-03-01T09:00:00Z')
    expect(message).toEqual({ id, message: 'Bella is back', status: 'queued', createdAt })
    expect(sandbox).toHaveReceived('sendMessage', { times: 1, body: { message: 'Bella is back' } })
  })

  test('accepts 202 as well as 200', async ({ sandbox }) => {
    await sandbox.use({ name: 'accepted', extends: 'default', rules: { messageStatus: 202 } })
    const message = await createClient(sandbox).client.sendMessage('Hello')
    expect(message.status).toBe('queued')
    expect(sandbox).toHaveReceived('sendMessage', { status: 202 })
  })
})

test('every request is to an operation of the service', async ({ sandbox }) => {
  const { client } = createClient(sandbox)
  await client.listInventory()
  await client.updateInventory(1n, 1)
  await client.getPet(1n)
  await client.listOrders()
  await client.sendMessage('Hello')
  expect(sandbox).toHaveReceivedNothingUnmatched()
  expect(sandbox.world.requests.find().map(({ operation }) => operation)).toEqual([
    'listInventory',
    'updateInventory',
    'getPet',
    'listOrders',
    'sendMessage',
  ])
})

test('a request without a body has no Content-Type', async ({ sandbox }) => {
  await createClient(sandbox).client.listInventory()
  expect(sandbox).not.toHaveReceived('listInventory', {
    headers: { 'content-type': expect.anything() },
  })
})

describe('int64 ids', () => {
  test.override({ scenario: 'int64-ids' })

  test('are read without rounding', async ({ sandbox }) => {
    const { client } = createClient(sandbox)
    const ids = (await client.listInventory()).map(({ petId }) => petId)
    expect(ids).toContain(9007199254740993n)
    expect(ids).toContain(9223372036854775807n)
    expect((await client.getPet(9223372036854775807n)).petId).toBe(9223372036854775807n)
  })

  test('are sent without rounding', async ({ sandbox }) => {
    await createClient(sandbox).client.updateInventory(9223372036854775807n, 7)
    expect(sandbox).toHaveReceived('updateInventory', { path: '/inventory/9223372036854775807' })
    expect(sandbox.world.db.pets.find('9223372036854775807')?.quantity).toBe(7)
  })

  test('may be negative', async ({ sandbox }) => {
    sandbox.world.db.pets.add({ petId: '-9223372036854775808', name: 'Zero' })
    const items = await createClient(sandbox).client.listInventory()
    expect(items.at(-1)?.petId).toBe(-9223372036854775808n)
  })
})

describe('the rate limit', () => {
  test.override({ plan: 'pro' })

  test('is unknown before the first response', ({ sandbox }) => {
    expect(createClient(sandbox).client.rateLimit).toBeUndefined()
  })

  test('is read from the last response', async ({ sandbox }) => {
    sandbox.world.clock.freeze('2026-03-01T09:00:00Z')
    const { client } = createClient(sandbox)
    await client.listInventory()
    await client.listInventory()
    const resetsAt = new Date('2026-03-01T09:01:00Z')
    expect(client.rateLimit).toEqual({ limit: 300, remaining: 298, resetsAt })
  })
})
