import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { showStock } from '../src/shop.js'

const apiKey = 'sbx_free'
let sandbox
let server

beforeAll(async () => {
  sandbox = await createSandbox({ scenario: 'low-stock' })
  server = setupServer(...sandbox.handlers)
  server.listen({ onUnhandledRequest: 'error' })
})
beforeEach(() => {
  sandbox.reset()
  document.body.innerHTML = '<ul></ul>'
})
afterAll(() => server.close())

const list = () => document.querySelector('ul')

test('shows the stock', async () => {
  await showStock(list(), apiKey)

  expect(list().children).toHaveLength(12)
  expect(list().textContent).toContain('Pet 2: sold out')
})

test('shows how long to wait when the rate limit is exceeded, and recovers after the reset', async () => {
  await sandbox.use('rate-limited')
  await showStock(list(), apiKey)
  expect(list().textContent).toBe('Please wait for 60 seconds.')

  sandbox.world.clock.advance('PT60S')
  await showStock(list(), apiKey)
  expect(list().children).toHaveLength(12)
})

test('shows that the service is not available', async () => {
  sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 1 }])

  await showStock(list(), apiKey)

  expect(list().textContent).toBe('The stock is not available.')
  expect(sandbox.world.requests.count({ operation: 'listInventory', status: 503 })).toBe(1)
})
