import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { planIds } from '../../src/service/plans.js'
import { createHttpClient } from '../support/http-client.js'
import {
  createDirectory,
  readEvents,
  run,
  runServe,
  type Served,
  serve,
  startCommand,
  until,
} from './support.js'

const key = 'sbx_free'
const secret = 'a secret of the operator'

describe('the start of serve', () => {
  test('prints URLs that work', async () => {
    const { started } = await serve()
    const { api, staging, quickstart, control, openapi } = started.urls
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    for (const url of [`${api}/inventory`, `${staging}/inventory`, `${openapi}`]) {
      expect((await fetch(url, { headers })).status).toBe(200)
    }
    const read = async (url: string) => (await fetch(url, { headers })).json()
    const world = { environment: 'production', scenario: 'default' }
    expect(await read(`${control}`)).toMatchObject({ world, apiKey: 'sbx_free…' })
    expect(await read(`${control}/faults`)).toEqual([])
    const message = { method: 'POST', body: '{"message":"hi"}' }
    expect((await fetch(`${quickstart}/messages`, { ...message, headers })).status).toBe(200)
  })

  test('prints keys that work, one of them for another scenario', async () => {
    const { started, send } = await serve(['--scenario', 'low-stock'])
    const { initial, other } = started.keys as { initial: string[]; other: string }
    expect(initial).toEqual(planIds.map((plan) => `sbx_${plan}`))
    for (const key of [...initial, other]) {
      expect((await send('GET /v1/inventory', { key })).status).toBe(200)
    }
    expect(other).not.toContain('low-stock')
  })

  test.each([
    ['on a terminal', {}, true, true],
    ['on a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['on a dumb terminal', { TERM: 'dumb' }, true, false],
    ['elsewhere', {}, false, false],
    ['elsewhere with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
    ['on a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ])(
    'has colours only where they are supported or forced: %s',
    async (_title, env, isTTY, hasColour) => {
      const { read } = startCommand(['--port', '0'], env, isTTY)
      await until(() => read().stdout.includes('Ctrl+C'))
      const { stdout } = read()
      expect(stdout.includes('\u001b[')).toBe(hasColour)
    },
  )
})

test.each([
  [[], 200, 201],
  [['--control', 'off', '--key-issuing', 'off'], 403, 403],
  [['--key-secret', secret], 200, 403],
  [['--key-secret', secret, '--key-issuing', 'open'], 200, 201],
])(
  'serve %j responds to a control request with %i, and to one for a key with %i',
  async (...row) => {
    const [args, status, keyStatus] = row
    const { send } = await serve(args)
    expect((await send('GET /sandbox', { key })).status).toBe(status)
    expect((await send('POST /sandbox/keys', { key })).status).toBe(keyStatus)
  },
)

test('serve prints how to create a key if it issues keys', async () => {
  const { started: issuer } = await serve(['--key-secret', secret, '--key-issuing', 'open'])
  expect(issuer.keys).toMatchObject({
    create: expect.stringMatching(/^curl -X POST -H "[^"]+" "http.*"/),
  })
})

test.each([
  [[], 421],
  [['--allowed-hosts', 'other.example,shop.example'], 200],
  [['--allowed-hosts', 'true'], 200],
  [['--host', '0.0.0.0'], 200],
])('serve %j responds to the Host shop.example with %i', async (args, status) => {
  const { send } = await serve(args)
  const response = await send('GET /v1/inventory', { key, headers: { Host: 'shop.example' } })
  expect(response.status).toBe(status)
})

test('serve --journal-header adds headers to the journals of shared worlds', async () => {
  const env = { PETSTORE_SANDBOX_JOURNAL_HEADER: 'X-Never' }
  const { send } = await serve(['--journal-header', 'X-A', '--journal-header', 'X-B,X-C'], env)
  await send('GET /v1/inventory', {
    key,
    headers: { 'X-A': 'a', 'X-B': 'b', 'X-C': 'c', 'X-D': 'd' },
  })
  const { json, text } = await send('GET /sandbox/requests', { key })
  expect(json).toMatchObject([{ request: { headers: { 'x-a': 'a', 'x-b': 'b', 'x-c': 'c' } } }])
  expect(text).not.toContain('x-d')
})

describe('the log of serve', () => {
  test('has no query, header or body of a request, also of one without a valid key', async () => {
    const served = await serve(['--host', '0.0.0.0'])
    const sent = { headers: { 'X-Trace': '5ecret' }, json: { message: '5ecret' } }
    for (const key of ['sbx_free', 'sbx_free_default_own', 'unknown-5ecret']) {
      await served.send('POST /quickstart/messages?q=5ecret', { key, ...sent })
    }
    await served.send('POST /quickstart/messages?q=5ecret', sent)
    const lines = await readRequests(served, 4)
    expect(lines).toMatchObject([
      { path: '/messages', status: 200, apiKey: 'sbx_free…' },
      { path: '/messages', status: 200, apiKey: 'sbx_free_def…' },
      { path: '/messages', status: 401, code: 'invalid_api_key' },
      { path: '/messages', status: 401, code: 'missing_api_key' },
    ])
    expect(lines[3]?.reason).toMatch(/^missing_api_key: the Authorization header must be /)
    expect(served.read().stdout).not.toContain('5ecret')
  })

  test('has the id that the response has', async () => {
    const served = await serve()
    const { headers } = await served.send('GET /v1/inventory', { key })
    await served.send('GET /v1/inventory', { key, headers: { 'X-Request-Id': 'shop-7' } })
    const lines = await readRequests(served, 2)
    const ids = lines.map((line) => line.requestId)
    expect(ids).toEqual([headers.get('X-Request-Id'), 'shop-7'])
    const { stdout } = await runServe([], {}, async (root) => {
      const send = createHttpClient(root)
      await send('GET /v1/inventory', { key, headers: { 'X-Request-Id': 'shop-8' } })
    })
    expect(stdout).toMatch(/ sbx_free… {2}shop-8$/m)
  })

  describe('with --log-clients', () => {
    /** Sends a request with an issued key of a partner, one with a shared key, and one without a key. */
    const sendEach = async ({ send }: Served, issued: string) => {
      const headers = { 'X-Forwarded-For': '198.51.100.7' }
      for (const parts of [{ key: issued }, { key: 'sbx_pro' }, {}]) {
        await send('GET /v1/inventory', { ...parts, headers })
      }
      await send('GET /v1/inventory', { key, headers: { 'X-Forwarded-For': '2001:db8:1:2:3::4' } })
    }
    const issue = async () => {
      const args = ['key', '--label', 'acme-staging', '--plan', 'pro', '--key-secret', secret]
      return (await run(args)).stdout.trim()
    }

    test('has the address of the client, and the plan and label of the world', async () => {
      const args = ['--key-secret', secret, '--trust-proxy', '1', '--log-clients']
      const served = await serve(args)
      const issued = await issue()
      await sendEach(served, issued)
      const lines = await readRequests(served, 4)
      const shown = lines.map(({ apiKey, client, plan, label }) => ({
        apiKey,
        client,
        plan,
        label,
      }))
      expect(shown).toEqual([
        { apiKey: 'sbx_pro_defa…', client: '198.51.100.7', plan: 'pro', label: 'acme-staging' },
        { apiKey: 'sbx_pro…', client: '198.51.100.7', plan: 'pro', label: '' },
        { apiKey: undefined, client: '198.51.100.7', plan: undefined, label: undefined },
        { apiKey: 'sbx_free…', client: '2001:db8:1:2::/64', plan: 'free', label: '' },
      ])
      expect(served.read().stdout).not.toContain(issued.slice(-32))
    })

    test('has only the beginning of a label without a key secret, because it is a secret itself', async () => {
      const served = await serve(['--log-clients'])
      const labels = ['acme', '0123456789abcdef0123456789abcdef01234567']
      for (const label of labels) {
        const own = { key: `sbx_free_default_${label}` }
        expect((await served.send('GET /v1/inventory', own)).status).toBe(200)
      }
      const lines = await readRequests(served, 2)
      expect(lines.map(({ client, label }) => [client, label])).toEqual([
        ['127.0.0.1', 'ac…'],
        ['127.0.0.1', '01234567…'],
      ])
      for (const label of labels) expect(served.read().stdout).not.toContain(label)
    })
  })
})

test('serve adds the request handlers that a module exports by name', async () => {
  const directory = await createDirectory({
    'handlers.mjs': `
      import { http, HttpResponse } from '${pathToFileURL('node_modules/msw/lib/core/index.mjs').href}'
      export const handlers = [http.get('*/extra', () => HttpResponse.json({ extra: true }))]`,
  })
  const { send } = await serve(['--handlers', join(directory, 'handlers.mjs')])
  expect((await send('GET /v1/extra')).json).toEqual({ extra: true })
})

test('serve without --handlers does not catch errors of the process', async () => {
  const { read, uncaughtListeners } = startCommand(['--port', '0'])
  await until(() => read().stdout.includes('Ctrl+C'))
  expect(uncaughtListeners).toEqual([])
})

test('serve closes its store when it cannot start', async () => {
  const directory = join(await createDirectory({}), 'worlds')
  const { started } = await serve()
  const { port } = new URL(started.urls.api ?? '')
  // The directory would be in use.
  for (const args of [
    ['--scenario', 'nope'],
    ['--port', port],
    ['--port', port],
  ]) {
    const { code, stderr } = await run(['serve', '--data', directory, ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(/found "nope"|the port is in use/)
  }
})

/** Waits for a number of requests in the JSON log, and returns their lines. */
async function readRequests(served: Served, count: number): Promise<Record<string, unknown>[]> {
  const read = () => readEvents(served).filter(({ event }) => event === 'request')
  await until(() => read().length >= count)
  return read()
}
