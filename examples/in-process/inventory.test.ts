import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const sandbox = await createSandbox({
  scenario: 'low-stock',
  baseUrl: 'https://api.my-shop.test/v1',
})
const server = setupServer(...sandbox.handlers)

beforeAll(() => server.listen())
afterEach(() => sandbox.reset())
afterAll(() => server.close())

const headers = { Authorization: 'Bearer sbx_free' }
const list = () => fetch('https://api.my-shop.test/v1/inventory', { headers })

test('the shop shows its stock', async () => {
  const response = await list()
  expect(response.status).toBe(200)
})

test('the shop backs off when its rate limit is used up', async () => {
  await sandbox.use('rate-limited')
  expect((await list()).headers.get('Retry-After')).toBe('60')

  sandbox.world.clock.advance('PT60S')
  expect((await list()).status).toBe(200)
})
