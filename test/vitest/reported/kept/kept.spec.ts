import { createSandbox } from 'petstore-sandbox/node'
import { reportRequests, test } from 'petstore-sandbox/vitest'
import { expect, test as plainTest } from 'vitest'

const own = await createSandbox({ baseUrl: 'https://own.test/v1' })
reportRequests(own)

test('uses both environments', async ({ sandbox }) => {
  expect((await sandbox.fetch('/inventory')).status).toBe(200)
  const url = `${sandbox.stagingBaseUrl}/inventory`
  expect((await fetch(url, { headers: sandbox.headers })).status).toBe(200)
})

test('has no key', async ({ sandbox }) => {
  expect((await fetch(`${sandbox.baseUrl}/inventory`)).status).toBe(401)
})

plainTest('uses a sandbox of its own', async () => {
  const headers = { Authorization: 'Bearer sbx_pro' }
  const response = await own.fetch('https://own.test/v1/pets/404404', { headers })
  expect(response.status).toBe(404)
})

test('sends no request', ({ sandbox }) => {
  expect(sandbox.world.requests.count({})).toBe(0)
})

test.describe('a rehearsal of the sunset', () => {
  test.override({ reported: { ignore: ['deprecated-in-use'] } })

  test('uses a deprecated operation', async ({ sandbox }) => {
    expect((await sandbox.fetch('/pets/5')).status).toBe(200)
  })
})
