import { connect, type RemoteWorld } from 'petstore-sandbox/connect'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startServer } from './server.js'

// In your project: the URL of a sandbox that is already running.
const server = await startServer()

let sandbox: RemoteWorld
let world: RemoteWorld
beforeAll(async () => {
  sandbox = await connect({ url: server.url, apiKey: 'sbx_free' })
})
// Each test has its own key, and therefore its own world, also on a server that others use.
beforeEach(async () => {
  world = await sandbox.fork({ scenario: 'default' })
})
afterEach(() => world.clock.run())
afterAll(async () => {
  sandbox.close()
  await server.close()
})

const list = () => fetch(`${world.baseUrl}/inventory`, { headers: world.headers })

test('the client waits for the next window', async () => {
  await world.clock.freeze()
  await world.quota.account('free').set({ minute: { remaining: 1 } })
  expect([(await list()).status, (await list()).status]).toEqual([200, 429])

  await world.clock.advance('PT60S')
  expect((await list()).status).toBe(200)
})

test('the client sends one request', async () => {
  const sending = list()
  const entry = await world.requests.waitFor('listInventory')
  expect(entry).toMatchObject({ status: 200, path: '/inventory' })
  expect(await world.requests.count()).toBe(1)
  await sending
})

test('the client meets a fault', async () => {
  await world.faults.add({ type: 'status', status: 503, atMost: 1 })
  expect((await list()).status).toBe(503)
  expect(await world.requests.find({ status: 503 })).toHaveLength(1)
})
