// Runs in Jest, in vitest and in Bun, with their global functions.
/* global expect, test */
import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'

test('msw responds with the handlers', async () => {
  const sandbox = await createSandbox({ scenario: 'low-stock' })
  const server = setupServer(...sandbox.handlers)
  server.listen()
  const headers = { Authorization: 'Bearer sbx_free' }
  const response = await fetch('https://api.petstore.example/v1/inventory', { headers })
  server.close()
  expect(response.status).toBe(200)
  expect(sandbox.world.requests.count('listInventory')).toBe(1)
})
