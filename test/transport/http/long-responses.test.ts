import { describe, expect, onTestFinished, test } from 'vitest'
import { authorization, openServer, toRequest } from './support/open-server.js'

const list = toRequest('GET /v1/inventory', [authorization])
const large = { scenario: 'large-catalogue' } as const

test('many long responses to one client do not delay another client', async () => {
  const { connect, send } = await openServer({ ...large, limits: { trustedProxies: 1 } })
  const headers = [authorization, 'Content-Type: application/json']
  const change = toRequest('PATCH /v1/inventory/7', headers, '{"quantity":1}')
  const clients = Array.from({ length: 40 }, () => connect())
  let ended = 0
  const responses = clients.map(async (client) => {
    // Each change discards the cached list.
    for (const request of [change, list]) client.send(request)
    for (let count = 0; count < 2; count++) expect((await client.response()).status).toBe(200)
    ended += 1
  })
  await responses[0]
  const other = ['Authorization: Bearer sbx_free_default_other', 'X-Forwarded-For: 192.0.2.9']
  await send(toRequest('GET /v1/inventory', other))
  expect(ended).toBeLessThan(20)
  await Promise.all(responses)
})

describe('a client that does not read', () => {
  const pets = Array.from({ length: 20_000 }, (_, at) => ({
    petId: at + 1,
    quantity: 1,
    name: 'a',
  }))
  const scenario = { name: 'huge', pets }

  test.each([{ unreadTimeoutMs: 500 }, { unsentBytes: 500_000 }])(
    'is disconnected with the limit %j',
    async (limits) => {
      const { connect, world, readMetric } = await openServer({ scenario, limits })
      const client = connect()
      client.pause()
      client.send(list.repeat(20))
      await world.requests.waitFor('listInventory')
      // The other connection has this request.
      await expect.poll(() => readMetric('connections'), { timeout: 9_000 }).toBe(1)
      expect(await readMetric('unsent_bytes')).toBe(0)
    },
  )

  test('is disconnected also if it sends the start of a request again and again', async () => {
    const { connect, world, readMetric } = await openServer({
      scenario,
      limits: { unreadTimeoutMs: 500 },
    })
    const client = connect()
    client.pause()
    client.send(list.repeat(20))
    await world.requests.waitFor('listInventory')
    const dripping = setInterval(() => client.send('G'), 50)
    onTestFinished(() => clearInterval(dripping))
    await expect.poll(() => readMetric('connections'), { timeout: 9_000 }).toBe(1)
  })

  test('keeps its connection and its responses without a limit', async () => {
    const { connect, readMetric } = await openServer({ scenario })
    const client = connect()
    client.pause()
    client.send(list.repeat(20))
    await expect.poll(() => readMetric('unsent_bytes'), { timeout: 9_000 }).toBeGreaterThan(500_000)
    client.resume()
    for (let count = 0; count < 20; count++) expect((await client.response()).status).toBe(200)
  })

  test('may wait for the end of a delay after a response that took its time', async () => {
    const { connect, send } = await openServer({
      scenario,
      limits: { unreadTimeoutMs: 1 },
      sleep: async () => {
        for (let count = 0; count < 20; count++) await send(toRequest('GET /healthz'))
      },
    })
    const slow = toRequest('GET /v1/inventory', [authorization, 'Prefer: delay=30'])
    const client = connect().send(list + slow)
    expect((await client.response()).status).toBe(200)
    expect((await client.response()).status).toBe(200)
  })
})
