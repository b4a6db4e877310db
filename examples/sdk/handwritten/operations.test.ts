import { describe, expect } from 'vitest'
import { createClient, test } from './support.js'

test('listInventory returns the stock of every pet', async ({ service }) => {
  const { client } = createClient(service)

  const items = await client.listInventory()

  expect(items).toHaveLength(3)
  expect(items[0]).toEqual({ petId: 1n, quantity: 4, status: 'available' })
  expect(service.find('GET', '/v1/inventory')).toHaveLength(1)
})

test('listInventory returns an empty list for an empty store', async ({ service }) => {
  service.pets.clear()
  expect(await createClient(service).client.listInventory()).toEqual([])
})

test('updateInventory sends the quantity and returns the entry', async ({ service }) => {
  const { client } = createClient(service)

  const item = await client.updateInventory(3n, 9)

  expect(item).toEqual({ petId: 3n, quantity: 9, status: 'pending' })
  const [request, ...others] = service.find('PATCH', '/v1/inventory/3')
  expect(others).toEqual([])
  expect(request?.headers.get('Content-Type')).toBe('application/json')
  expect(request?.body).toEqual({ quantity: 9 })
  expect(service.pets.get('3')?.quantity).toBe(9)
})

test('getPet returns the record of the pet', async ({ service }) => {
  const pet = await createClient(service).client.getPet(2n)
  expect(pet).toMatchObject({ petId: 2n, name: 'Milo', status: 'available' })
})

test('listOrders returns the orders with exact ids', async ({ service }) => {
  const orders = await createClient(service).client.listOrders()
  expect(orders).toEqual([{ id: 9007199254740993n, petId: 9223372036854775807n, quantity: 2 }])
})

describe('sendMessage', () => {
  test('returns the queued message', async ({ service }) => {
    const { client } = createClient(service)

    const message = await client.sendMessage('Bella is back')

    const createdAt = new Date('2026-03-01T09:00:00Z')
    expect(message).toEqual({ id: 'msg_1', message: 'Bella is back', status: 'queued', createdAt })
    const requests = service.find('POST', '/messages')
    expect(requests.map(({ body }) => body)).toEqual([{ message: 'Bella is back' }])
  })

  test('accepts 202 as well as 200', async ({ service }) => {
    service.messageStatus = 202
    const message = await createClient(service).client.sendMessage('Hello')
    expect(message.status).toBe('queued')
  })
})

test('every request is to an operation of the service', async ({ service }) => {
  const { client } = createClient(service)
  await client.listInventory()
  await client.updateInventory(1n, 1)
  await client.getPet(1n)
  await client.listOrders()
  await client.sendMessage('Hello')
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/inventory',
    'PATCH /v1/inventory/1',
    'GET /v1/pets/1',
    'GET /v1/store/orders',
    'POST /messages',
  ])
})

test('a request without a body has no Content-Type', async ({ service }) => {
  await createClient(service).client.listInventory()
  expect(service.requests[0]?.headers.has('Content-Type')).toBe(false)
})

describe('int64 ids', () => {
  test('are read without rounding', async ({ service }) => {
    service.addPet({ petId: '9007199254740993', name: 'A', quantity: 1, status: 'available' })
    service.addPet({ petId: '9223372036854775807', name: 'B', quantity: 1, status: 'available' })
    const { client } = createClient(service)
    const ids = (await client.listInventory()).map(({ petId }) => petId)
    expect(ids).toContain(9007199254740993n)
    expect(ids).toContain(9223372036854775807n)
    expect((await client.getPet(9223372036854775807n)).petId).toBe(9223372036854775807n)
  })

  test('are sent without rounding', async ({ service }) => {
    service.addPet({ petId: '9223372036854775807', name: 'B', quantity: 1, status: 'available' })
    await createClient(service).client.updateInventory(9223372036854775807n, 7)
    expect(service.find('PATCH', '/v1/inventory/9223372036854775807')).toHaveLength(1)
    expect(service.pets.get('9223372036854775807')?.quantity).toBe(7)
  })

  test('may be negative', async ({ service }) => {
    service.addPet({ petId: '-9223372036854775808', name: 'Z', quantity: 1, status: 'available' })
    const items = await createClient(service).client.listInventory()
    expect(items.at(-1)?.petId).toBe(-9223372036854775808n)
  })
})

describe('the rate limit', () => {
  test('is unknown before the first response', ({ service }) => {
    expect(createClient(service).client.rateLimit).toBeUndefined()
  })

  test('is read from the last response', async ({ service }) => {
    service.limit = 300
    service.remaining = 300
    const { client } = createClient(service)
    await client.listInventory()
    await client.listInventory()
    const resetsAt = new Date('2026-03-01T09:01:00Z')
    expect(client.rateLimit).toEqual({ limit: 300, remaining: 298, resetsAt })
  })
})
