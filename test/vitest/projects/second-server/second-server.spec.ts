import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { test } from 'petstore-sandbox/vitest'
import { afterAll, beforeAll, expect } from 'vitest'

const server = setupServer(http.get('https://shipping.test/rates', () => HttpResponse.json({})))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterAll(() => server.close())

test('is refused, because it would hide the handlers of the first', ({ sandbox }) => {
  expect(sandbox).toBeDefined()
})

test('leaves the first as it was', async () => {
  expect((await fetch('https://shipping.test/rates')).status).toBe(200)
})
