import { expect, test } from 'petstore-sandbox/playwright'

const headers = { Authorization: 'Bearer sbx_pro' }

test('lists the inventory', async ({ request }) => {
  const url = 'https://api.petstore.example/v1/inventory'
  expect((await request.get(url, { headers })).status()).toBe(200)
})
