import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { createSandboxServer } from '../../src/server.js'
import { openClient } from './support.js'

async function openServer(options = {}) {
  const server = await createSandboxServer(options)
  onTestFinished(() => server.close())
  const url = await server.listen({ port: 0 })
  const send = (apiKey: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${apiKey}`, ...headers } })
  return { server, url, send }
}

test('a report has only the requests of its key', async () => {
  const { send } = await openServer()
  await send('sbx_free_default_keys', '/v1/inventory')
  await send('sbx_free_default_keys', '/v1/inventory')
  await send('sbx_pro_default_keys', '/v1/store/orders')
  const read = async (apiKey: string) => (await send(apiKey, '/sandbox/report')).json()
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

test('requests without a valid key count for the keys of the initial world', async () => {
  const client = await openClient()
  const url = 'https://api.petstore.example/v1/inventory'
  await client.sandbox.fetch(url)
  client.wait(1_000)
  await client.sandbox.fetch(url)
  const { conduct, requests } = await client.sandbox.world.report()
  expect(requests.received).toBe(2)
  expect(conduct.find(({ id }) => id === 'stop-on-401')).toMatchObject({ outcome: 'broken' })
  expect((await client.report()).requests.received).toBe(0)
})

test.each([
  { transport: 'in process', isHttp: false },
  { transport: 'over HTTP', isHttp: true },
])(
  '$transport, a report distinguishes concurrent requests and immediate retries',
  async ({ isHttp }) => {
    const { server, url, send } = await openServer()
    const sendTo = async (apiKey: string) => {
      if (isHttp) await (await send(apiKey, '/v1/inventory')).text()
      else {
        const target = 'https://api.petstore.example/v1/inventory'
        await server.sandbox.fetch(target, { headers: { Authorization: `Bearer ${apiKey}` } })
      }
    }
    expect(url).toBeDefined()
    const read = async (label: string, isConcurrent: boolean) => {
      const apiKey = `sbx_free_rate-limited_${label}`
      const world = await server.sandbox.worldFor(apiKey)
      world.clock.freeze()
      if (isConcurrent) await Promise.all([1, 2, 3, 4].map(() => sendTo(apiKey)))
      else for (let sent = 0; sent < 4; sent += 1) await sendTo(apiKey)
      const { conduct } = await world.report()
      return conduct.find(({ id }) => id === 'retry-after')?.outcome
    }
    expect(await read('together', true)).toBe('unseen')
    expect(await read('one-by-one', false)).toBe('broken')
  },
)
