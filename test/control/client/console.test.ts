import { describe, expect, it } from 'vitest'
import { PageClient } from '../../../src/console/session/client.js'
import { toFailure } from '../../../src/console/session/failure.js'
import type { RemoteFetch } from '../../../src/control/client/client.js'
import type { InProcessSandbox } from '../../../src/index.js'
import type { Environment } from '../../../src/service/addresses.js'
import { createAccess } from '../../../src/transport/http/access.js'
import { openSandbox, origin, readServed } from '../../console/support.js'

const { control } = readServed()
const access = { apiKey: 'sbx_free', environment: 'production' } as const

async function open(
  apiKey = 'sbx_free',
  environment: Environment = 'production',
): Promise<{ sandbox: InProcessSandbox; client: PageClient }> {
  const sandbox = await openSandbox()
  const client = new PageClient(control, { apiKey, environment }, sandbox.fetch)
  return { sandbox, client }
}

const pet = { petId: '9007199254740993', name: 'Big', quantity: 2 }

/** The control requests of the page, each with expected fields of its response. */
const requests: readonly [
  id: string,
  send: (client: PageClient) => Promise<unknown>,
  response: object,
][] = [
  ['getOverview', (client) => client.send('getOverview'), { scenario: 'default' }],
  [
    'putScenario',
    (client) => client.send('putScenario', { body: ['low-stock', 'flaky'] }),
    { scenario: 'low-stock+flaky' },
  ],
  ['resetWorld', (client) => client.send('resetWorld'), { scenario: 'default' }],
  [
    'changeClock',
    (client) => client.send('changeClock', { body: { now: '2030-01-01T00:00:00Z', frozen: true } }),
    { now: '2030-01-01T00:00:00.000Z', frozen: true },
  ],
  [
    'changeQuota',
    (client) => client.send('changeQuota', { body: { minute: { remaining: 1 } } }),
    { minute: { remaining: 1 } },
  ],
  [
    'replaceFaults',
    (client) => client.send('replaceFaults', { body: [{ type: 'reset' }] }),
    [{ type: 'reset' }],
  ],
  ['clearFaults', (client) => client.send('clearFaults'), []],
  ['clearRequests', (client) => client.send('clearRequests'), { removed: 0 }],
  ['addPet', (client) => client.send('addPet', { body: pet }), pet],
  [
    'changePet',
    (client) => client.send('changePet', { params: { petId: 7 }, body: { quantity: 1 } }),
    { petId: 7, quantity: 1 },
  ],
  ['removePet', (client) => client.send('removePet', { params: { petId: 7 } }), { petId: 7 }],
  [
    'changeOrder',
    (client) => client.send('changeOrder', { params: { id: 1001 }, body: { status: 'placed' } }),
    { id: 1001, status: 'placed' },
  ],
  ['removeOrder', (client) => client.send('removeOrder', { params: { id: 1001 } }), { id: 1001 }],
  [
    'createKey',
    (client) => client.send('createKey', { body: { plan: 'pro', scenario: 'low-stock' } }),
    { apiKey: expect.stringMatching(/^sbx_pro_low-stock_/) },
  ],
]

describe('PageClient', () => {
  it.each(requests)('sends %s and returns the response', async (_, send, response) => {
    const { client } = await open()
    expect(await send(client)).toMatchObject(response)
  })

  it('lists scenarios, pets, orders, messages, faults and requests', async () => {
    const { client, sandbox } = await open()
    await sandbox.fetch(`${origin}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
    const lists = await Promise.all([
      client.send('listScenarios'),
      client.send('listPets'),
      client.send('listOrders'),
      client.send('listMessages'),
      client.send('listFaults'),
      client.send('listRequests', { query: { limit: 10 } }),
    ])
    expect(lists.map((list) => list.length)).toEqual([expect.any(Number), 12, 5, 0, 0, 1])
    expect(lists[0].map(({ name }) => name)).toContain('low-stock')
  })

  it('changes the world in staging without changing the one in production', async () => {
    const { client, sandbox } = await open('sbx_free', 'staging')
    await client.send('removePet', { params: { petId: 7 } })
    expect((await sandbox.worldFor('sbx_free', 'staging')).db.pets.count).toBe(11)
    expect(sandbox.world.db.pets.count).toBe(12)
  })

  it('restores a world from its snapshot with the same state', async () => {
    const { client } = await open('sbx_free_int64-ids')
    const save = async () => (await client.request('getSnapshot', { query: { name: 'copy' } })).text
    await client.send('changeClock', { body: { frozen: true } })
    const text = await save()
    await client.send('putScenario', { json: text })
    const { description: _, ...again } = JSON.parse(await save())
    const { description: __, ...first } = JSON.parse(text)
    expect(again).toEqual(first)
  })

  it.each([
    ['sbx_free_nonsense', /unknown scenario "nonsense"/],
    ['sbx_revoked', /revoked/],
  ])('throws a failure that needs another key for the key %s', async (apiKey, message) => {
    const { client } = await open(apiKey)
    const failure = toFailure(await client.send('getOverview').catch((error: unknown) => error))
    expect(failure).toMatchObject({ needs: 'key', message: expect.stringMatching(message) })
  })

  it('sends the token, and throws a failure that needs a permission if the sandbox requires another', async () => {
    const token = 'token-of-the-operator'
    const sandbox = await openSandbox(createAccess({ control: token }))
    const send = (fields: object) =>
      new PageClient(control, { ...access, ...fields }, sandbox.fetch).send('getOverview')
    expect(await send({ token })).toMatchObject({ scenario: 'default' })
    for (const fields of [{}, { token: 'another-token-of-it' }]) {
      const failure = toFailure(await send(fields).catch((error: unknown) => error))
      expect(failure).toMatchObject({ needs: 'permission' })
      expect(failure.message).toContain('Sandbox-Token')
    }
  })

  it('throws the position of an error in a scenario file, and the world does not change', async () => {
    const { client } = await open()
    const json = '{"name":"mine","pets":[{"petId":1,"name":"A","quantity":0.5}]}'
    await expect(client.send('putScenario', { json })).rejects.toMatchObject({
      code: 'invalid_scenario',
      message: expect.stringContaining('pets[0].quantity'),
    })
    expect(await client.send('getOverview')).toMatchObject({ scenario: 'default' })
  })

  it.each([
    [404, /^404 is not a response of the sandbox: no sandbox is served/, /forwards every path/],
    [502, /^502 .* cannot reach the sandbox/, /is running/],
    [503, /^503 .* cannot reach the sandbox/, /is running/],
    [504, /^504 .* cannot reach the sandbox/, /is running/],
    [413, /^413 .* larger than a reverse proxy accepts/, /client_max_body_size/],
    [401, /^401 .* requires a sign-in/, /Sign in/],
    [522, /^522 .* a server between/, /log of the reverse proxy/],
    [200, /^200 .* does not have the content/, /sign-in page/],
  ])('throws a foreign failure for a page with the status %i', async (status, message, advice) => {
    const page = () =>
      new Response('<h1>nginx</h1>', { status, headers: { 'Content-Type': 'text/html' } })
    const client = new PageClient(control, access, async () => page())
    for (const request of [
      client.send('getOverview'),
      client.request('getSnapshot'),
      client.request('streamEvents'),
    ]) {
      await expect(request).rejects.toMatchObject({
        code: 'foreign_response',
        status,
        message: expect.stringMatching(message),
        advice: expect.stringMatching(advice),
      })
    }
  })

  it('throws a foreign failure for the JSON of another server', async () => {
    const other = async () => Response.json({ message: 'no route matched' }, { status: 404 })
    const client = new PageClient(control, access, other)
    await expect(client.send('getOverview')).rejects.toMatchObject({ code: 'foreign_response' })
  })

  it('throws a foreign failure for JSON that ends too early', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const client = new PageClient(control, access, async () => new Response('{"a":', { headers }))
    await expect(client.send('getOverview')).rejects.toMatchObject({ code: 'foreign_response' })
  })

  it('throws the message of the sandbox if it is not available', async () => {
    const problem = { code: 'sandbox_capacity', message: 'the sandbox is closing', status: 503 }
    const client = new PageClient(control, access, async () =>
      Response.json(problem, { status: 503 }),
    )
    await expect(client.send('getOverview')).rejects.toMatchObject({
      code: 'sandbox_capacity',
      message: 'the sandbox is closing',
      status: 503,
    })
  })

  it('throws an unreachable failure if there is no response', async () => {
    const fetcher: RemoteFetch = () => Promise.reject(new TypeError('Failed to fetch'))
    const client = new PageClient(control, access, fetcher)
    await expect(client.send('getOverview')).rejects.toMatchObject({ code: 'unreachable' })
  })
})
