import { Agent, get } from 'node:http'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/connect.js'
import { createSandbox } from '../../src/index.js'
import { createSandboxServer } from '../../src/server.js'
import { openClient } from './support.js'

const inventoryUrl = 'https://api.petstore.example/v1/inventory'

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

/** Sends a request on the one connection of an agent. */
function sendOn(agent: Agent, url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      response.resume().on('end', resolve)
    }).on('error', reject)
  })
}

/** Each opens a sandbox, and returns it with functions that send a request with a key. */
const transports = {
  'sandbox.fetch': async () => {
    const sandbox = await createSandbox()
    const send = (headers: Record<string, string>) => sandbox.fetch(inventoryUrl, { headers })
    return { sandbox, send, resend: send }
  },
  msw: async () => {
    const sandbox = await createSandbox()
    const server = setupServer(...sandbox.handlers)
    server.listen()
    onTestFinished(() => server.close())
    const send = (headers: Record<string, string>) => fetch(inventoryUrl, { headers })
    return { sandbox, send, resend: send }
  },
  HTTP: async () => {
    const { server, url } = await openServer()
    const target = `${url}/v1/inventory`
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return {
      sandbox: server.sandbox,
      send: async (headers: Record<string, string>) => (await fetch(target, { headers })).text(),
      resend: (headers: Record<string, string>) => sendOn(agent, target, headers),
    }
  },
}

describe.each(Object.entries(transports))('over %s, while the clock stands still,', (_, open) => {
  const sendFour = async (label: string, isConcurrent: boolean) => {
    const { sandbox, send, resend } = await open()
    const apiKey = `sbx_free_rate-limited_${label}`
    const world = await sandbox.worldFor(apiKey)
    world.clock.freeze()
    const headers = { Authorization: `Bearer ${apiKey}` }
    if (isConcurrent) await Promise.all([1, 2, 3, 4].map(() => send(headers)))
    else for (let sent = 0; sent < 4; sent += 1) await resend(headers)
    const { conduct } = await world.report()
    return conduct.find(({ id }) => id === 'retry-after')
  }

  test('concurrent requests do not count as retries', async () => {
    expect(await sendFour('together', true)).toMatchObject({ outcome: 'unseen' })
  })

  test('immediate retries count', async () => {
    expect(await sendFour('one-by-one', false)).toMatchObject({ outcome: 'broken', violations: 3 })
  })
})
