import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { controlOperationIds } from '../../../src/control/operations.js'
import { ReservedSandbox } from '../../../src/testing/reserved-sandbox.js'
import { readText } from '../../support/event-stream.js'
import { controlOperations } from '../../support/operations.js'
import { issueKey, openAccess, type Send, secret, token } from './support/access.js'

const signed = { access: { keySecrets: [secret], keyIssuing: 'open' } }

/** A request of each control operation that a world without further data accepts. */
const bodies: Readonly<Record<string, unknown>> = {
  putScenario: 'low-stock',
  changeClock: { frozen: true },
  changeQuota: { ban: null },
  addFault: { type: 'reset' },
  replaceFaults: [],
  addPet: { petId: 77, name: 'Rex' },
  changePet: { quantity: 1 },
  addOrder: { id: 900, petId: 1 },
  changeOrder: { quantity: 1 },
}

/** Sends each control operation in turn, and returns the outcome of each by its id. */
async function sendAll(send: Send, key: string): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {}
  for (const id of controlOperationIds.filter((operation) => operation !== 'streamEvents')) {
    const { method, path } = controlOperations[id]
    const ids = { '{petId}': '1', '{id}': '1001' }
    const target = path.replace(/\{\w+\}/, (name) => Object(ids)[name])
    const { status, code } = await send(method, `/sandbox${target}`, { key, json: bodies[id] })
    outcomes[id] = `${status} ${code ?? 'success'}`
  }
  return outcomes
}

const isRead = (id: string) => Object(controlOperations)[id].method === 'GET'

describe('a key with a label', () => {
  test('creates a world only if it was issued', async () => {
    const open = await openAccess()
    const closed = await openAccess(signed)
    const attack = async ({ server, send }: typeof open) => {
      const before = server.sandbox.core.worlds.count
      for (let label = 0; label < 20; label++) {
        const key = `sbx_free_default_${label}`
        await send('GET', '/v1/inventory', { key })
        await send('PUT', '/sandbox/scenario', { key, json: 'empty-store' })
      }
      return server.sandbox.core.worlds.count - before
    }

    expect(await attack(open)).toBe(20)
    expect(await attack(closed)).toBe(0)
  })

  const valid = issueKey('acme')
  test.each([
    ['another plan', valid.replace('free', 'enterprise')],
    ['another scenario', valid.replace('default', 'low-stock')],
    ['another label', valid.replace('acme', 'acma')],
    ['a longer label', valid.replace('acme', 'acme-acme')],
    ['another signature', valid.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['a signature in upper case', valid.toUpperCase().replace('SBX_FREE_DEFAULT_ACME', 'acme')],
    ['a shorter signature', valid.slice(0, -1)],
    ['no signature', valid.replace(/-\w+$/, '')],
    ['the signature as its label', valid.replace('acme-', '')],
  ])('with %s than the issued key receives 401', async (_, key) => {
    const { send } = await openAccess(signed)
    const response = await send('GET', '/v1/inventory', { key })
    expect(response).toMatchObject({ status: 401, code: 'invalid_api_key' })
    expect(response.text).not.toContain(valid.slice(-32))
    expect(Object(response.json).message).toMatch(
      /^the API key \S+… (has a label, but was not issued by this sandbox; POST \/sandbox\/keys issues a key$|must be sbx_)/,
    )
  })

  test('reaches the same world with each plan', async () => {
    const { send } = await openAccess(signed)
    await send('PUT', '/sandbox/scenario', { key: issueKey('acme'), json: 'empty-store' })
    const pro = await send('GET', '/sandbox', { key: issueKey('acme', 'pro') })
    expect(pro.json).toMatchObject({
      world: { label: 'acme' },
      scenario: 'empty-store',
      quota: { plan: 'pro' },
    })
    const other = await send('GET', '/sandbox', { key: issueKey('beta') })
    expect(other.json).toMatchObject({ scenario: 'default' })
  })

  test('works as long as its secret is one of the secrets, and new keys have the first', async () => {
    const rotated = await openAccess({
      access: { keySecrets: ['the next secret of it', secret], keyIssuing: 'open' },
    })
    const replaced = await openAccess({ access: { keySecrets: ['the next secret of it'] } })
    const old = issueKey('acme')
    expect((await rotated.send('GET', '/v1/inventory', { key: old })).status).toBe(200)
    expect((await replaced.send('GET', '/v1/inventory', { key: old })).status).toBe(401)
    const { apiKey } = Object((await rotated.send('POST', '/sandbox/keys')).json)
    expect((await replaced.send('GET', '/v1/inventory', { key: apiKey })).status).toBe(200)
  })

  test('is issued to each test that uses the sandbox of a server', async () => {
    const { server } = await openAccess(signed)
    const settings = { title: 'a test', plan: 'free', scenario: 'low-stock' } as const
    const opened = await ReservedSandbox.open(server.sandbox, settings)
    expect((await opened.fetch('/inventory')).status).toBe(200)
    expect(opened.world.name.label).toMatch(/^a-test-\w{12}$/)
  })
})

describe('a key with an expiry', () => {
  const expiresMs = 1_900_000_000_000
  const expiring = issueKey('acme', 'free', 'default', expiresMs)
  const at = (ms: number) => {
    const mock = vi.spyOn(Date, 'now').mockReturnValue(ms)
    onTestFinished(() => mock.mockRestore())
  }

  test.each([['used before'], ['new']])(
    'is rejected from this time on if it is %s',
    async (use) => {
      const { send } = await openAccess(signed)
      at(expiresMs - 1)
      if (use === 'used before') {
        expect((await send('GET', '/v1/inventory', { key: expiring })).status).toBe(200)
      }
      at(expiresMs)
      const response = await send('GET', '/v1/inventory', { key: expiring })
      expect(response).toMatchObject({ status: 401, code: 'invalid_api_key' })
      expect(response.json).toMatchObject({
        message:
          'the API key sbx_free_def… expired at 2030-03-17T17:46:40.000Z; POST /sandbox/keys issues a key',
      })
      expect((await send('GET', '/sandbox', { key: expiring })).status).toBe(401)
    },
  )

  test('ends its event streams instead of sending an event from this time on', async () => {
    const { url, send } = await openAccess(signed)
    at(expiresMs - 1)
    const headers = { Authorization: `Bearer ${expiring}` }
    const { body } = await fetch(`${url}/sandbox/events`, { headers })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    await reader?.read() // the opening comment
    await send('GET', '/v1/inventory', { key: issueKey('acme') })
    expect((await reader?.read())?.value).toContain('event: request\n')
    at(expiresMs)
    await send('GET', '/v1/inventory', { key: issueKey('acme') })
    expect(await reader?.read()).toEqual({ done: true, value: undefined })
  })

  test('ends its event streams when its world restarts', async () => {
    const { url, send } = await openAccess(signed)
    const headers = { Authorization: `Bearer ${expiring}` }
    const { body } = await fetch(`${url}/sandbox/events`, { headers })
    await send('POST', '/sandbox/reset', { key: expiring })
    expect(await new Response(body).text()).toContain('event: end\n')
  })

  test('depends on the time of the machine, not on the clock of its world', async () => {
    const { send } = await openAccess(signed)
    at(expiresMs - 1)
    await send('PATCH', '/sandbox/clock', { key: expiring, json: { advance: 'P1Y' } })
    expect((await send('GET', '/v1/inventory', { key: expiring })).status).toBe(200)
  })

  test('has the world of the same label without an expiry', async () => {
    const { send } = await openAccess(signed)
    await send('PUT', '/sandbox/scenario', { key: issueKey('acme'), json: 'empty-store' })
    const { json } = await send('GET', '/sandbox', { key: expiring })
    expect(json).toMatchObject({ world: { label: 'acme' }, scenario: 'empty-store' })
  })

  test.each([
    ['a later expiry', expiring.replace('1900000000', '1900000001')],
    ['no expiry', expiring.replace('.1900000000', '')],
    ['the expiry of another key', issueKey('beta').replace('beta', 'beta.1900000000')],
  ])('with %s receives 401', async (_, key) => {
    const { send } = await openAccess(signed)
    expect((await send('GET', '/v1/inventory', { key })).status).toBe(401)
  })

  test('is issued by POST /sandbox/keys, to the second', async () => {
    const { send } = await openAccess(signed)
    const json = { plan: 'pro', expiresAt: '2030-03-17T18:46:40.999+01:00' }
    const { apiKey } = Object((await send('POST', '/sandbox/keys', { json })).json)
    expect(apiKey).toMatch(/^sbx_pro_default_[0-9a-f]{40}\.1900000000-[0-9a-f]{32}$/)
    expect((await send('GET', '/v1/inventory', { key: apiKey })).status).toBe(200)
  })

  test.each([
    [signed, '2020-01-01T00:00:00Z', /^expiresAt must be later than 20.*, found "2020-01-01T/],
    [{}, '2030-01-01T00:00:00Z', /^expiresAt requires a sandbox with a key secret$/],
  ])('is not issued by the sandbox %j at %s', async (options, expiresAt, message) => {
    const { send } = await openAccess(options)
    const response = await send('POST', '/sandbox/keys', { json: { expiresAt } })
    expect(response).toMatchObject({ status: 400, code: 'invalid_field' })
    expect(Object(response.json).message).toMatch(message)
  })
})

describe('POST /sandbox/keys', () => {
  test('issues a key that controls its world, to a shared key and without a body', async () => {
    const { send } = await openAccess(signed)
    const issued = await send('POST', '/sandbox/keys')
    const { apiKey: key } = Object(issued.json)
    expect(issued.status).toBe(201)
    expect(key).toMatch(/^sbx_free_default_[0-9a-f]{40}-[0-9a-f]{32}$/)
    const used = await send('PUT', '/sandbox/scenario', { key, json: 'low-stock' })
    expect(used).toMatchObject({ status: 200, json: { scenario: 'low-stock' } })
    expect((await send('GET', '/sandbox')).json).toMatchObject({ scenario: 'default' })
  })

  test.each([
    ['open', undefined, 201],
    ['off', undefined, 403],
    ['off', token, 403],
    [token, undefined, 403],
    [token, `${token}x`, 403],
    [token, token, 201],
  ])('with keyIssuing %s and the token %s responds with %i', async (keyIssuing, sent, status) => {
    for (const keySecrets of [[], [secret]]) {
      const { send } = await openAccess({ access: { keySecrets, keyIssuing } })
      const response = await send(
        'POST',
        '/sandbox/keys',
        sent === undefined ? {} : { token: sent },
      )
      expect(response.status).toBe(status)
      expect(response.code).toBe(status === 403 ? 'control_denied' : undefined)
      expect(response.text.replace(`${token}x`, '')).not.toContain(token)
    }
  })
})

describe('control', () => {
  test('off: every control operation receives 403 control_denied', async () => {
    const own = await openAccess()
    const off = await openAccess({ access: { control: 'off', keyIssuing: 'off' } })
    const allowed = Object.values(await sendAll(own.send, 'sbx_free_default_a'))
    expect(allowed.every((outcome) => /^20[01] success$/.test(outcome))).toBe(true)
    for (const key of ['sbx_free', 'sbx_free_default_a']) {
      const denied = Object.values(await sendAll(off.send, key))
      expect(new Set(denied)).toEqual(new Set(['403 control_denied']))
    }
    expect((await off.send('GET', '/sandbox/events')).code).toBe('control_denied')
    expect((await off.send('GET', '/v1/inventory')).status).toBe(200)
  })

  test('with a token: control requests need it in addition to the key', async () => {
    const { send } = await openAccess({ access: { control: token } })
    for (const path of ['/sandbox', '/sandbox/requests', '/staging/sandbox']) {
      expect(await send('GET', path)).toMatchObject({ status: 403, code: 'control_denied' })
      const wrong = await send('GET', path, { token: 'another-token-of-it' })
      expect(wrong).toMatchObject({ status: 403, code: 'control_denied' })
      expect(wrong.text).not.toContain(token)
      expect((await send('GET', path, { token })).status).toBe(200)
      expect((await send('GET', path, { token, key: 'sbx_gold' })).status).toBe(401)
    }
    expect((await send('POST', '/sandbox/reset', { token })).status).toBe(200)
    expect((await send('GET', '/v1/inventory')).status).toBe(200)
  })

  test('with a key secret: the world of a shared key can be read but not changed', async () => {
    const open = await openAccess()
    const closed = await openAccess(signed)
    for (const key of ['sbx_free', 'sbx_pro_default', 'sbx_free_low-stock']) {
      const before = Object.values(await sendAll(open.send, key))
      expect(before.every((outcome) => /^20[01] success$/.test(outcome))).toBe(true)
      const { createKey, ...outcomes } = await sendAll(closed.send, key)
      expect(createKey).toBe('201 success')
      for (const [id, outcome] of Object.entries(outcomes)) {
        expect(outcome, `${key} ${id}`).toBe(isRead(id) ? '200 success' : '403 control_denied')
      }
    }
  })
})

describe('the details of requests', () => {
  const body = 'the body of a client'
  /** Sends requests with a secret query, header and body, and returns what the key can read of them. */
  async function read({ send, url }: Awaited<ReturnType<typeof openAccess>>, key: string) {
    const Authorization = `Bearer ${key}`
    const stream = readText(await fetch(`${url}/sandbox/events`, { headers: { Authorization } }))
    const headers = { Authorization, 'Content-Type': 'application/json', 'User-Agent': 'agent-7' }
    const target = `${url}/quickstart/messages?search=needle`
    const message = JSON.stringify({ message: body })
    await fetch(target, { method: 'POST', headers, body: message })
    await fetch(target, { method: 'POST', headers, body: JSON.stringify({ message: [body] }) })
    await fetch(target, { method: 'POST', headers, body: `${body}?` })
    const paths = ['/requests', '/messages', '/snapshot', '/journal']
    const report = await send('GET', '/sandbox/report', { key })
    for (const detail of [body, 'needle', 'agent-7']) expect(report.text).not.toContain(detail)
    expect(JSON.parse(report.text).requests.received).toBe(3)
    const texts = await Promise.all(
      paths.map(async (path) => (await send('GET', `/sandbox${path}`, { key })).text),
    )
    for (let count = 0; count < 3; count++) {
      await stream.next('event: request\n')
      texts.push(await stream.next('\n\n'))
    }
    stream.cancel()
    const searched = ['needle', 'agent-7', 'body%20of%20a'].map(async (text) => {
      const { json } = await send('GET', `/sandbox/requests?text=${text}`, { key })
      return json.length
    })
    const found = await Promise.all(searched)
    return { texts, requests: JSON.parse(texts[0] ?? ''), found }
  }

  test.each([
    ['a shared key without a key secret', undefined, 'sbx_free', 0],
    ['an issued key', signed, issueKey('acme'), 3],
  ])('are shown in the world of %s, and can be searched', async (_, access, key, withQuery) => {
    const { texts, found } = await read(await openAccess(access), key)
    for (const text of texts) expect(text).toContain(body)
    expect(texts[0]).toContain('search')
    expect(texts[0]).toContain('user-agent')
    // The values of queries are never shown in a shared world over HTTP.
    expect(found).toEqual([withQuery, 3, 3])
  })

  test('are neither shown nor found in the world of a shared key with a key secret', async () => {
    const access = await openAccess(signed)
    const { texts, requests, found } = await read(access, 'sbx_free')
    texts.push(JSON.stringify(access.server.sandbox.world.requests.find()))
    for (const text of texts) {
      for (const detail of [body, 'needle', 'agent-7']) expect(text).not.toContain(detail)
    }
    expect(found).toEqual([0, 0, 0])
    expect(requests.at(-1)).toMatchObject({
      operation: 'sendMessage',
      apiKey: 'sbx_free…',
      request: { method: 'POST', path: '/messages', query: null, headers: {}, body: null },
      response: { status: 200, headers: {}, body: null },
      explanation: expect.arrayContaining(['sendMessage responds with 200']),
      changes: [],
    })
    expect(requests[0]).toMatchObject({
      response: { status: 400, code: 'invalid_json' },
      explanation: expect.arrayContaining(['rejected with 400 invalid_json']),
    })
  })
})
