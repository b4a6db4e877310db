/** @jest-environment node */
import { setupServer } from 'msw/node'
import { createSandbox, journalSerializer } from 'petstore-sandbox'

expect.addSnapshotSerializer(journalSerializer)

let sandbox
let server

beforeAll(async () => {
  sandbox = await createSandbox()
  server = setupServer(...sandbox.handlers)
  server.listen({ onUnhandledRequest: 'error' })
})
afterAll(() => server.close())

test('the journal has the requests of a program', async () => {
  await fetch('https://api.petstore.example/v1/inventory/1', {
    method: 'PATCH',
    headers: { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' },
    body: JSON.stringify({ quantity: 5 }),
  })

  expect(sandbox.world.requests.find()).toMatchInlineSnapshot(`
    [
      PATCH /inventory/1 → 200, updateInventory
        {"quantity":5},
    ]
  `)
})
