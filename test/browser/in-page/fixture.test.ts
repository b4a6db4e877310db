import * as entryPoint from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

const { test } = entryPoint

test.override({ onUnhandledRequest: 'error' })

describe('petstore-sandbox/vitest in the browser mode of vitest', () => {
  test('the entry point has the exports that its types state', () => {
    const names = ['journalSerializer', 'reportRequests', 'test']
    expect(Object.keys(entryPoint).toSorted()).toEqual(names)
  })

  test('each test has its own world, which responds to fetch', async ({ sandbox }) => {
    const headers = { ...sandbox.headers, 'Content-Type': 'application/json' }
    const init = { method: 'PATCH', headers, body: '{"quantity":7}' }
    const response = await fetch(`${sandbox.baseUrl}/inventory/1`, init)
    expect(await response.json()).toEqual({ petId: 1, quantity: 7, status: 'available' })
    expect(sandbox).toHaveReceived('updateInventory', { times: 1, body: { quantity: 7 } })
  })

  test('XMLHttpRequest is intercepted too', async ({ sandbox }) => {
    const request = new XMLHttpRequest()
    request.open('GET', `${sandbox.baseUrl}/inventory`)
    request.setRequestHeader('Authorization', sandbox.headers.Authorization)
    await new Promise((resolve) => {
      request.onload = resolve
      request.send()
    })
    expect(JSON.parse(request.responseText)).toContainEqual(
      expect.objectContaining({ petId: 1, quantity: 4 }),
    )
    expect(sandbox.world.requests.count()).toBe(1)
  })

  test('a request to no address of the sandbox fails', async ({ sandbox }) => {
    expect(sandbox.world.requests.count()).toBe(0)
    await expect(fetch('https://api.petstore.test/v1/inventory')).rejects.toThrow('Failed to fetch')
  })
})

const extended = test.extend('inventory', async ({ sandbox }) => sandbox.fetch('/inventory'))

extended('test.extend shares the sandbox of the file', ({ inventory, sandbox }) => {
  expect(inventory.status).toBe(200)
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})
