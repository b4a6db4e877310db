import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { planIds } from '../../src/service/plans.js'
import { createHttpClient } from '../support/http-client.js'
import {
  createDirectory,
  run,
  runServe,
  type Served,
  serve,
  startCommand,
  until,
} from './support.js'

const authorization = { Authorization: 'Bearer sbx_free' }
const secret = 'a secret of the operator'

describe('the start of serve', () => {
  test('prints URLs that work', async () => {
    const { started } = await serve()
    const { api, staging, quickstart, control, openapi } = started.urls
    expect(await getStatus(`${api}/inventory`)).toBe(200)
    expect(await getStatus(`${staging}/inventory`)).toBe(200)
    expect(await getStatus(`${openapi}`)).toBe(200)
    expect(await getBody(`${control}`)).toMatchObject({
      status: 200,
      body: { world: { environment: 'production', scenario: 'default' }, apiKey: 'sbx_free…' },
    })
    expect(await getBody(`${control}/faults`)).toEqual({ status: 200, body: [] })
    const message = { method: 'POST', body: '{"message":"hi"}' }
    const headers = { ...authorization, 'Content-Type': 'application/json' }
    expect((await fetch(`${quickstart}/messages`, { ...message, headers })).status).toBe(200)
  })

  test('prints keys that work, one of them for another scenario', async () => {
    const { started } = await serve(['--scenario', 'low-stock'])
    const { initial, other } = started.keys as { initial: string[]; other: string }
    expect(initial).toEqual(planIds.map((plan) => `sbx_${plan}`))
    for (const key of [...initial, other]) {
      const headers = { Authorization: `Bearer ${key}` }
      const response = await fetch(`${started.urls.api}/inventory`, { headers })
      expect(response.status).toBe(200)
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
    const { control } = (await serve(args)).started.urls
    expect(await getStatus(`${control}`)).toBe(status)
    const keys = await fetch(`${control}/keys`, { method: 'POST', headers: authorization })
    expect(keys.status).toBe(keyStatus)
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
  const { started } = await serve(args)
  expect(await getStatusOf(String(started.listening), 'shop.example')).toBe(status)
})

test('serve --journal-header adds headers to the journals of shared worlds', async () => {
  const env = { PETSTORE_SANDBOX_JOURNAL_HEADER: 'X-Never' }
  const { started } = await serve(['--journal-header', 'X-A', '--journal-header', 'X-B,X-C'], env)
  const headers = { ...authorization, 'X-A': 'a', 'X-B': 'b', 'X-C': 'c', 'X-D': 'd' }
  await getStatus(`${started.urls.api}/inventory`, headers)
  const { body } = await getBody(`${started.urls.control}/requests`)
  expect(body).toMatchObject([{ request: { headers: { 'x-a': 'a', 'x-b': 'b', 'x-c': 'c' } } }])
  expect(JSON.stringify(body)).not.toContain('x-d')
})

describe('the log of serve', () => {
  test('has no query, header or body of a request, also of one without a valid key', async () => {
    const served = await serve(['--host', '0.0.0.0'])
    const { quickstart } = served.started.urls
    const body = '{"message":"5ecret"}'
    for (const key of ['sbx_free', 'sbx_free_default_own', 'unknown-5ecret', undefined]) {
      const headers = { 'Content-Type': 'application/json', 'X-Trace': '5ecret' }
      const bearer = key === undefined ? {} : { Authorization: `Bearer ${key}` }
      const init = { method: 'POST', headers: { ...headers, ...bearer }, body }
      await fetch(`${quickstart}/messages?q=5ecret`, init)
    }
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
    const url = `${served.started.urls.api}/inventory`
    const response = await fetch(url, { headers: authorization })
    await response.text()
    await getStatus(url, { ...authorization, 'X-Request-Id': 'shop-7' })
    const lines = await readRequests(served, 2)
    const ids = lines.map((line) => line.requestId)
    expect(ids).toEqual([response.headers.get('X-Request-Id'), 'shop-7'])
    const { stdout } = await runServe([], {}, async (root) => {
      await getStatus(`${root}/v1/inventory`, { ...authorization, 'X-Request-Id': 'shop-8' })
    })
    expect(stdout).toMatch(/ sbx_free… {2}shop-8$/m)
  })

  describe('with --log-clients', () => {
    const forwarded = { 'X-Forwarded-For': '198.51.100.7' }
    /** Sends a request with an issued key of a partner, one with a shared key, and one without a key. */
    const sendEach = async (api: string, issued: string) => {
      for (const key of [issued, 'sbx_pro', undefined]) {
        const bearer = key === undefined ? {} : { Authorization: `Bearer ${key}` }
        await getStatus(`${api}/inventory`, { ...forwarded, ...bearer })
      }
      await getStatus(`${api}/inventory`, {
        ...authorization,
        'X-Forwarded-For': '2001:db8:1:2:3::4',
      })
    }
    const issue = async () => {
      const args = ['key', '--label', 'acme-staging', '--plan', 'pro', '--key-secret', secret]
      return (await run(args)).stdout.trim()
    }

    test('has the address of the client, and the plan and label of the world', async () => {
      const args = ['--key-secret', secret, '--trust-proxy', '1', '--log-clients']
      const served = await serve(args)
      const issued = await issue()
      await sendEach(`${served.started.urls.api}`, issued)
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
        const headers = { Authorization: `Bearer sbx_free_default_${label}` }
        expect(await getStatus(`${served.started.urls.api}/inventory`, headers)).toBe(200)
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
  const { started } = await serve(['--handlers', join(directory, 'handlers.mjs')])
  const { body } = await getBody(`${started.urls.api}/extra`)
  expect(body).toEqual({ extra: true })
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

/** Returns the status of a request that names a host. `fetch` does not send another Host. */
async function getStatusOf(url: string, host: string): Promise<number> {
  const headers = { ...authorization, Host: host }
  return (await createHttpClient(url)('GET /v1/inventory', { headers })).status
}

async function getBody(url: string, headers: Record<string, string> = authorization) {
  const response = await fetch(url, { headers })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

async function getStatus(url: string, headers: Record<string, string> = authorization) {
  return (await fetch(url, { headers })).status
}

/** Waits for a number of requests in the JSON log, and returns their lines. */
async function readRequests(served: Served, count: number): Promise<Record<string, unknown>[]> {
  const read = () =>
    served
      .read()
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'request')
  await until(() => read().length >= count)
  return read()
}
