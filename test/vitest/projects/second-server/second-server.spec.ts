import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { test } from 'petstore-sandbox/vitest'
import { afterAll, beforeAll, expect } from 'vitest'

const server = setupServer(http.get('https://shipping.test/rates', () => HttpResponse.json({})))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('is rejected, because it would hide the handlers of the first', ({ sandbox }) => {
  expect(sandbox).toBeDefined()
})

test('does not affect the first', async () => {
  expect((await fetch('https://shipping.test/rates')).status).toBe(200)
})
