import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type ConnectOptions, connect, RemoteError } from '../../../src/connect.js'
import { version } from '../../../src/service/version.js'
import { openServer, serve } from '../../support/server.js'
import { connectTo } from './support.js'

const apiKey = 'sbx_free_default_secret-label'

/** Starts an HTTP server that is no sandbox. Returns its URL and the headers that it received. */
async function openForeign(respond: RequestListener) {
  const authorizations: (string | undefined)[] = []
  const url = await serve((req, res) => {
    authorizations.push(req.headers.authorization)
    respond(req, res)
  })
  return { url, authorizations }
}

/** Returns the error of a connection that fails. */
async function findError(options: ConnectOptions): Promise<RemoteError> {
  const error: unknown = await connect(options).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RemoteError)
  expect(String(error)).not.toContain('secret-label')
  return error as RemoteError // the assertion above
}

describe('connect', () => {
  test('resolves to the world of the key, with the addresses for a client', async () => {
    const { url, server } = await openServer()
    const world = await connectTo(`${url}/`, { apiKey })
    expect(world.name).toEqual({
      environment: 'production',
      scenario: 'default',
      label: 'secret-label',
    })
    expect(world.baseUrl).toBe(`${url}/v1`)
    expect(world.quickstartBaseUrl).toBe(`${url}/quickstart`)
    const response = await fetch(`${world.baseUrl}/inventory`, { headers: world.headers })
    expect(response.status).toBe(200)
    const { requests } = await server.sandbox.worldFor(apiKey)
    expect(requests.count('listInventory')).toBe(1)
  })

  test('reaches the staging world with environment: staging', async () => {
    const { url, server } = await openServer()
    const world = await connectTo(url, { apiKey, environment: 'staging' })
    await world.faults.add({ type: 'reset' })
    expect(world.baseUrl).toBe(`${url}/staging/v1`)
    expect((await server.sandbox.worldFor(apiKey, 'staging')).faults.size).toBe(1)
    expect((await server.sandbox.worldFor(apiKey)).faults.size).toBe(0)
  })

  test('works below the path prefix of a reverse proxy', async () => {
    const { url } = await openServer()
    const proxy = await openForeign(async (req, res) => {
      const target = `${url}${req.url?.replace(/^\/petstore/, '')}`
      const headers = { Authorization: req.headers.authorization ?? '' }
      const response = await fetch(target, { headers })
      res.writeHead(response.status, Object.fromEntries(response.headers))
      res.end(await response.text())
    })
    const world = await connectTo(`${proxy.url}/petstore/`, { apiKey })
    expect(world.baseUrl).toBe(`${proxy.url}/petstore/v1`)
    expect(await world.db.pets.count).toBeGreaterThan(0)
  })

  test('sends the token of a sandbox that requires one', async () => {
    const token = 'token-of-16-characters'
    const { url } = await openServer({ access: { control: token } })
    const denied = await findError({ url, apiKey })
    expect(denied).toMatchObject({ code: 'control_denied', status: 403 })
    expect(denied.advice).toContain('token')
    const wrong = await findError({ url, apiKey, token: `${token}x` })
    expect(wrong.message).not.toContain(token)
    const world = await connectTo(url, { apiKey, token })
    expect(await world.scenario).toBe('default')
  })

  test('rejects if the major version of the sandbox differs', async () => {
    const { url } = await openServer()
    const withVersion = (found: string | undefined) => async (to: string, init: RequestInit) => {
      const response = await fetch(to, init)
      return Response.json({ ...(await response.json()), version: found }, response)
    }
    const error = await findError({ url, apiKey, fetch: withVersion('2.0.0') })
    expect(error.code).toBe('version_mismatch')
    expect(error.message).toBe(
      `the sandbox at ${url} must have version 1, like this petstore-sandbox/connect, found 2.0.0; install the same version of petstore-sandbox for both`,
    )
    const none = await findError({ url, apiKey, fetch: withVersion(undefined) })
    expect(none.code).toBe('version_mismatch')
    const world = await connect({ url, apiKey, fetch: withVersion('1.9.9') })
    expect(world.name.label).toBe('secret-label')
  })

  test('does not follow a redirect, so that no other server receives the key', async () => {
    const other = await openForeign((_, res) => res.end('{}'))
    const redirect = await openForeign((_, res) => {
      res.writeHead(307, { Location: `${other.url}/sandbox` }).end()
    })
    const error = await findError({ url: redirect.url, apiKey })
    expect(error).toMatchObject({ code: 'foreign_response', status: 307 })
    expect(error.message).toContain(`found a redirect to ${other.url}/sandbox`)
    expect(error.advice).toContain('the key is not sent there')
    expect(other.authorizations).toEqual([])
    // Without the protection, fetch follows it. It removes the key only for another origin.
    const same = await openForeign((req, res) => {
      if (req.url === '/sandbox') res.writeHead(307, { Location: '/login' }).end()
      else res.end('{}')
    })
    await findError({ url: same.url, apiKey })
    expect(same.authorizations).toEqual([`Bearer ${apiKey}`])
    const follow = (to: string, init: RequestInit) => fetch(to, { ...init, redirect: 'follow' })
    await findError({ url: same.url, apiKey, fetch: follow })
    expect(same.authorizations).toHaveLength(3)
  })

  test('masks a key and a token that a server repeats', async () => {
    const token = 'token-of-16-characters'
    const { url } = await openForeign((_, res) => {
      const message = `unknown key ${apiKey} with ${token}`
      res.writeHead(401, { 'Content-Type': 'application/json' })
      res.end(JSON.stringify({ code: 'invalid_api_key', message, status: 401 }))
    })
    const error = await findError({ url, apiKey, token })
    expect(error.message).toContain('unknown key sbx_free_def… with …')
  })

  test('rejects after timeoutMs if the server does not respond', async () => {
    const { url } = await openForeign(() => {})
    const error = await findError({ url, apiKey, timeoutMs: 30 })
    expect(error).toMatchObject({ code: 'timeout', status: undefined })
    expect(error.message).toContain(`no response from ${url} within 30 ms`)
  })

  test('rejects with the code closed if its signal is aborted, before or while it connects', async () => {
    const { url } = await openForeign(() => {})
    const signals = [AbortSignal.abort(new Error('the test ends')), AbortSignal.timeout(30)]
    for (const signal of signals) {
      expect(await findError({ url, apiKey, signal })).toMatchObject({ code: 'closed' })
    }
  })

  test.each([
    [{ url: 'http://localhost/?key=secret-label' }, 'in the URL of localhost/'],
    [{ apiKey: 'sbx_free secret-label' }, 'found another string'],
    [{ token: 'ä secret-label' }, 'token must be printable ASCII'],
    [{ timeoutMs: 0 }, 'timeoutMs must be a number above 0'],
    [{ fetch: 7 }, 'fetch must be a function, found 7 (number)'],
  ])('rejects the options %j', async (options, message) => {
    const given = { url: 'http://127.0.0.1:1', apiKey, ...options } as ConnectOptions
    const error: unknown = await connect(given).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('secret-label')
  })
})

test('the exported version agrees with package.json', async () => {
  const file = new URL('../../../package.json', import.meta.url)
  expect(version).toBe(JSON.parse(await readFile(file, 'utf8')).version)
})

test('an error of the control API has the wait of a sandbox without capacity', async () => {
  const { url } = await openServer({ limits: { clientControlRequests: 2 } })
  const world = await connectTo(url, { apiKey })
  const settled = await Promise.allSettled([world.clock.now(), world.clock.now()])
  const reasons = settled.flatMap((result) => ('reason' in result ? [result.reason] : []))
  expect(reasons).toMatchObject([
    { code: 'sandbox_capacity', status: 503, retryAfterSeconds: expect.any(Number) },
  ])
})

describe('close', () => {
  test('ends pending requests and waits, and later ones reject', async () => {
    const { url } = await openServer()
    const world = await connectTo(url, { apiKey })
    const waiting = world.requests.waitFor('listInventory', { timeoutMs: 60_000 })
    const listening = world.journal.subscribe(() => {})
    await listening
    world.close()
    await expect(waiting).rejects.toMatchObject({ code: 'closed' })
    await expect(world.clock.now()).rejects.toThrow('this handle is closed; connect again')
  })

  test('is called at the end of await using, and by an aborted signal', async () => {
    const { url } = await openServer()
    const world = await connectTo(url, { apiKey })
    await world[Symbol.asyncDispose]()
    await expect(world.clock.now()).rejects.toMatchObject({ code: 'closed' })
    const controller = new AbortController()
    const aborted = await connectTo(url, { apiKey, signal: controller.signal })
    const fork = await aborted.fork()
    const pending = aborted.clock.now()
    controller.abort(new Error('the test ends'))
    for (const request of [pending, aborted.clock.now(), aborted.fork(), fork.clock.now()]) {
      await expect(request).rejects.toBeInstanceOf(RemoteError)
      await expect(request).rejects.toMatchObject({ code: 'closed', advice: 'connect again' })
    }
  })
})

describe('fork', () => {
  test('can be closed on its own, and is closed with its origin', async () => {
    const { url } = await openServer()
    const world = await connectTo(url, { apiKey })
    const [closed, open] = [await world.fork(), await world.fork()]
    closed.close()
    await expect(closed.clock.now()).rejects.toMatchObject({ code: 'closed' })
    expect(await Promise.all([open.clock.now(), world.clock.now()])).toHaveLength(2)
    world.close()
    await expect(open.clock.now()).rejects.toMatchObject({ code: 'closed' })
  })

  test('connects to a new world with the state of this one, which it does not affect', async () => {
    const { url } = await openServer()
    const world = await connectTo(url, { apiKey })
    await world.db.pets.add({ petId: 70, name: 'Rex' })
    const forks = await Promise.all([world.fork(), world.fork({ plan: 'pro' })])
    expect(new Set([world, ...forks].map((each) => each.apiKey)).size).toBe(3)
    expect(forks[1]?.apiKey).toMatch(/^sbx_pro_default_/)
    await forks[0].db.pets.change('70', { name: 'Max' })
    await forks[1].db.pets.remove('70')
    expect(await forks[0]?.db.pets.find('70')).toMatchObject({ name: 'Max' })
    expect(await world.db.pets.find('70')).toMatchObject({ name: 'Rex' })
  })

  test('starts from a scenario, also with a key secret', async () => {
    const keySecrets = ['a-secret-of-32-characters-000000']
    const { url } = await openServer({ access: { keySecrets, keyIssuing: 'open' } })
    const shared = await connectTo(url, { apiKey: 'sbx_free' })
    await expect(shared.reset()).rejects.toMatchObject({ code: 'control_denied' })
    const world = await shared.fork({ scenario: 'rate-limited' })
    expect(await world.scenario).toBe('rate-limited')
    expect(world.name.label).not.toBe('')
    const response = await fetch(`${world.baseUrl}/inventory`, { headers: world.headers })
    expect(response.status).toBe(429)
  })

  test('from a named scenario keeps it when a server without a store restarts', async () => {
    const { url, server } = await openServer()
    const world = await connectTo(url, { apiKey })
    const fork = await world.fork({ plan: 'pro', scenario: 'rate-limited' })
    expect(fork.apiKey).toMatch(/^sbx_pro_rate-limited_/)
    const unnamed = await world.fork({ scenario: [{ name: 'mine', extends: 'rate-limited' }] })
    server.sandbox.reset()
    expect([await fork.scenario, await unnamed.scenario]).toEqual(['rate-limited', 'default'])
  })

  test('rejects a misspelled field before it creates a key', async () => {
    const { url } = await openServer()
    const world = await connectTo(url, { apiKey })
    const forking = world.fork({ scenaro: 'default' } as object)
    await expect(forking).rejects.toThrow(TypeError)
    await expect(forking).rejects.toThrow('has no field "scenaro"; did you mean "scenario"?')
  })

  test('of a world whose scenario lists keys does not list them', async () => {
    const listed = { key: 'acme-live-key-0001', plan: 'pro' as const }
    const { url } = await openServer({ scenario: { name: 'listed', apiKeys: [listed] } })
    const world = await connectTo(url, { apiKey: listed.key })
    expect(await world.snapshot()).toMatchObject({ apiKeys: [listed] })
    expect(await world.quota.account(listed.key).plan).toBe('pro')
    expect(() => world.quota.account('free')).toThrow(RangeError)
    const fork = await world.fork()
    expect(await fork.snapshot()).toMatchObject({ apiKeys: [] })
  })
})
