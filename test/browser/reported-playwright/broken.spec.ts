import { expect, test } from 'petstore-sandbox/playwright'

const api = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free' }

test('retries at once after 429', async ({ request, sandbox }) => {
  await sandbox.use('rate-limited')
  for (const _ of [1, 2]) {
    expect((await request.get(`${api}/inventory`, { headers })).status()).toBe(429)
  }
  // The report must also contain the requests before a restart.
  await sandbox.use('default')
  expect((await request.get(`${api}/inventory`, { headers })).status()).toBe(200)
})

test('fails once', async ({ request }, { retry }) => {
  await request.get(`${api}/pets/7`, { headers })
  expect(retry).toBe(1)
})

test.describe('outside of the report', () => {
  test.use({ reported: false })

  test('polls', async ({ request }) => {
    for (let count = 0; count < 12; count += 1) {
      await request.get(`${api}/store/orders`, { headers })
    }
  })
})
