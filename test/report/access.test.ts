import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { createSandbox } from '../../src/index.js'
import { createHttpClient } from '../support/http-client.js'
import { openServer } from '../support/server.js'
import { openClient } from './support.js'

const inventoryUrl = 'https://api.petstore.example/v1/inventory'

test('a report has only the requests of its key', async () => {
  const send = createHttpClient((await openServer()).url)
  await send('GET /v1/inventory', { key: 'sbx_free_default_keys' })
  await send('GET /v1/inventory', { key: 'sbx_free_default_keys' })
  await send('GET /v1/store/orders', { key: 'sbx_pro_default_keys' })
  const read = async (key: string) => (await send('GET /sandbox/report', { key })).json
  expect(await read('sbx_free_default_keys')).toMatchObject({
    world: { environment: 'production', scenario: 'default', label: 'keys' },
    apiKey: 'sbx_free_def…',
    plan: 'free',
    requests: { received: 2 },
  })
  expect(await read('sbx_pro_default_keys')).toMatchObject({
    plan: 'pro',
    requests: { received: 1 },
  })
  expect(await read('sbx_free_default_other')).toMatchObject({ requests: { received: 0 } })
})

test('a connected world and a world in this process have the same report', async () => {
  const { server, url } = await openServer()
  const remote = await connect({ url, apiKey: 'sbx_free_default_remote' })
  const world = await server.sandbox.worldFor('sbx_free_default_remote')
  world.clock.freeze()
  await fetch(`${remote.baseUrl}/pets/1`, { headers: remote.headers })
  const { conduct, apiKey, ...report } = await world.report()
  const found = await remote.report()
  expect(found).toMatchObject(report)
  expect(found.conduct.map(({ outcome }) => outcome).length).toBe(conduct.length)
  await expect(world.report('unknown')).rejects.toThrow(RangeError)
})

test('requests without a valid key count for no key, and are stated in the initial world', async () => {
  const client = await openClient()
  await client.sandbox.fetch(inventoryUrl)
  client.wait(1_000)
  await client.sandbox.fetch(inventoryUrl)
  const { conduct, requests } = await client.sandbox.world.report()
  expect(requests).toMatchObject({ received: 0, assessed: 0, unattributed: 2 })
  expect(conduct.find(({ id }) => id === 'stop-on-401')).toMatchObject({ outcome: 'unseen' })
  expect((await client.report()).requests).toMatchObject({ received: 0, unattributed: 0 })
})

// concurrent-clients.test.ts has the other ways.
test.each([
  ['concurrent requests do not count as retries', true, { outcome: 'unseen' }],
  ['immediate retries count', false, { outcome: 'broken', violations: 3 }],
])('over msw, while the clock stands still, %s', async (_, isConcurrent, expected) => {
  const sandbox = await createSandbox()
  const server = setupServer(...sandbox.handlers)
  server.listen()
  onTestFinished(() => server.close())
  const apiKey = 'sbx_free_rate-limited_msw'
  const world = await sandbox.worldFor(apiKey)
  world.clock.freeze()
  const headers = { Authorization: `Bearer ${apiKey}` }
  if (isConcurrent) await Promise.all([1, 2, 3, 4].map(() => fetch(inventoryUrl, { headers })))
  else for (let sent = 0; sent < 4; sent += 1) await fetch(inventoryUrl, { headers })
  const { conduct } = await world.report()
  expect(conduct.find(({ id }) => id === 'retry-after')).toMatchObject(expected)
})
