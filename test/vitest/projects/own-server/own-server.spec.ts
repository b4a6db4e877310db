import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox/node'
import { test } from 'petstore-sandbox/vitest'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

const shared = await createSandbox()
const server = setupServer(
  ...shared.handlers,
  http.get('https://shipping.test/rates', () => HttpResponse.json({ rate: 5 })),
)

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

test.override({ sandboxOptions: { sandbox: shared } })

test.for([1, 2])('both services respond (%i)', async (_, { sandbox }) => {
  const rates = await fetch('https://shipping.test/rates')
  expect(await rates.json()).toEqual({ rate: 5 })
  await fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

test('a handler of the test takes precedence over the sandbox', async ({ sandbox }) => {
  server.use(http.get(`${sandbox.baseUrl}/inventory`, () => HttpResponse.json([])))
  const response = await fetch(`${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
  expect(await response.json()).toEqual([])
  expect(sandbox).not.toHaveReceived('listInventory')
})
