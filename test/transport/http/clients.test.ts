import { describe, expect, test } from 'vitest'
import { toClientAddress } from '../../../src/transport/http/clients.js'
import { expectProblem, openServer, toRequest } from './support/open-server.js'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the client of %s is %s', (ip, address) => {
  expect(toClientAddress(ip)).toBe(address)
})

const control = (key: string, ...lines: string[]) =>
  toRequest('GET /sandbox', [`Authorization: Bearer ${key}`, ...lines])

describe('limits per client', () => {
  test('control requests beyond the limit respond with 503, for this client only', async () => {
    const { connect, send } = await openServer({ limits: { clientControlRequests: 3 } })
    for (let count = 0; count < 3; count++)
      expect((await send(control('sbx_free'))).status).toBe(200)
    const rejected = await send(control('sbx_free'))
    expectProblem(rejected, 503, 'sandbox_capacity')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await connect('127.0.0.2').send(control('sbx_free')).response()).status).toBe(200)
  })

  test('new worlds beyond the limit respond with 503, and existing ones stay usable', async () => {
    const { connect, send } = await openServer({ limits: { clientWorlds: 2 } })
    const list = (label: string) =>
      toRequest('GET /v1/inventory', [`Authorization: Bearer sbx_free_default_${label}`])
    expect((await send(list('a'))).status).toBe(200)
    expect((await send(list('b'))).status).toBe(200)
    expectProblem(await send(list('c')), 503, 'sandbox_capacity')
    expect((await send(list('a'))).status).toBe(200)
    expect((await connect('127.0.0.2').send(list('c')).response()).status).toBe(200)
  })

  test('the preparation of joined scenarios counts as a control request', async () => {
    const { connect, send } = await openServer({ limits: { clientControlRequests: 2 } })
    const list = (scenario: string) =>
      toRequest('GET /v1/inventory', [`Authorization: Bearer sbx_free_${scenario}`])
    for (const scenario of [
      'low-stock+sunset-soon_a',
      'low-stock+sunset-soon_a',
      'low-stock+sunset-soon_b',
    ]) {
      expect((await send(list(scenario))).status).toBe(200)
    }
    const rejected = await send(list('low-stock+sunset-soon_c'))
    expectProblem(rejected, 503, 'sandbox_capacity')
    expect(rejected.text).toContain('2 control requests per minute and client')
    for (const scenario of ['low-stock+sunset-soon_a', 'low-stock_c']) {
      expect((await send(list(scenario))).status).toBe(200)
    }
    expect(
      (await connect('127.0.0.2').send(list('low-stock+sunset-soon_c')).response()).status,
    ).toBe(200)
  })

  test('a key whose scenarios are unknown or too many is not charged', async () => {
    const { send } = await openServer({ limits: { clientControlRequests: 1 } })
    const list = (scenario: string) =>
      toRequest('GET /v1/inventory', [`Authorization: Bearer sbx_free_${scenario}`])
    expectProblem(await send(list('low-stock+none')), 401, 'invalid_api_key')
    expectProblem(await send(list('slow+slow+slow+slow')), 401, 'invalid_api_key')
    expect((await send(list('low-stock+slow'))).status).toBe(200)
  })

  test('event streams beyond the limit respond with 503, until one is closed', async () => {
    const { connect, send } = await openServer({ limits: { clientStreams: 1 } })
    const events = toRequest('GET /sandbox/events', ['Authorization: Bearer sbx_free'])
    const first = connect().send(events)
    await first.until('text/event-stream')
    expectProblem(await send(events), 503, 'sandbox_capacity')
    first.abort()
    await first.closed()
    // The server may not have noticed the closed connection yet.
    for (;;) {
      const next = connect().send(events)
      if ((await next.until('\r\n')).includes('200 OK')) break
    }
  })

  test('connections beyond the limit of a client do not affect another client', async () => {
    const { connect, send } = await openServer({ limits: { clientConnections: 1 } })
    await connect().send(control('sbx_free')).response()
    expectProblem(await send(control('sbx_free')), 503, 'sandbox_capacity')
    expect((await connect('127.0.0.2').send(control('sbx_free')).response()).status).toBe(200)
  })
})

/** The addresses that each request states, and its status with one control request for each client. */
test.each<[string, number, Readonly<Record<string, number>>]>([
  ['is ignored by default', 0, { '192.0.2.1': 200, '192.0.2.2': 503 }],
  [
    'names the client behind one trusted proxy, also if the client has sent one',
    1,
    { '192.0.2.1': 200, '192.0.2.2': 200, '203.0.113.9, 192.0.2.1': 503 },
  ],
  [
    'names the client behind two trusted proxies',
    2,
    {
      '203.0.113.9, 192.0.2.1, 10.0.0.1': 200,
      '192.0.2.1, 10.0.0.2': 503,
      '192.0.2.2, 10.0.0.2': 200,
    },
  ],
  ['is ignored if it is not an IP address', 1, { unknown: 200, hidden: 503 }],
])('X-Forwarded-For %s', async (_, trustedProxies, statuses) => {
  const { send } = await openServer({ limits: { clientControlRequests: 1, trustedProxies } })
  for (const [addresses, status] of Object.entries(statuses)) {
    const response = await send(control('sbx_free', `X-Forwarded-For: ${addresses}`))
    expect(response.status, addresses).toBe(status)
  }
})
