import { describe, expect, test } from 'vitest'
import { createSandbox, type JournalEntry, type Scenario } from '../../src/index.js'

const base = 'https://api.petstore.example/v1'
const secret = '5ecret5ecret5ecret'
const shopKey = `shop-${secret}`
const shortKey = 'S3cr3t-7'

const scenario: Scenario = {
  name: 'watched',
  extends: ['default'],
  apiKeys: [
    { key: shopKey, plan: 'pro' },
    { key: shortKey, plan: 'pro' },
  ],
}

/** Sends a request and returns its journal entry. */
async function recordRequest(
  authorization: string | undefined,
  path = '/inventory',
  init: RequestInit = {},
): Promise<JournalEntry> {
  const sandbox = await createSandbox({ scenario })
  const entries: JournalEntry[] = []
  sandbox.subscribe((entry) => entries.push(entry))
  const headers = new Headers(init.headers)
  if (authorization !== undefined) headers.set('Authorization', authorization)
  await sandbox.fetch(`${base}${path}`, { ...init, headers }).catch(() => {})
  const [entry] = entries
  if (!entry || entries.length > 1) throw new Error(`expected one entry, found ${entries.length}`)
  return entry
}

const keys = {
  'a labelled key': `sbx_free_default_${secret}`,
  'a key of an unknown scenario': `sbx_free_unknown_${secret}`,
  'a revoked key': `sbx_revoked_default_${secret}`,
  'a malformed key': `sbx_gold_default_${secret}`,
  'a used-up key': `sbx_free_rate-limited_${secret}`,
  'a banned key': `sbx_free_banned-key_${secret}`,
  'a key in a sunset world': `sbx_free_sunset-passed_${secret}`,
  'a listed key': shopKey,
  'a short listed key': shortKey,
  'a key of another service': `sk_live_${secret}`,
}

const headerForms: Readonly<Record<string, (key: string) => string>> = {
  'in the valid form': (key) => `Bearer ${key}`,
  'in lower case': (key) => `bearer ${key}`,
  'without a scheme': (key) => key,
  'without a space': (key) => `Bearer${key}`,
  'with two spaces': (key) => `Bearer  ${key}`,
  'with a tab': (key) => `Bearer\t${key}`,
  'with another scheme': (key) => `Basic ${key}`,
  'without a scheme and with more words': (key) => `${key} and more`,
  'with a second key': (key) => `Bearer ${key} ${key}`,
  'with a trailing comma': (key) => `Bearer ${key},`,
  'in quotes': (key) => `Bearer "${key}"`,
}

const requests: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/inventory'],
  ['/inventory', { method: 'HEAD' }],
  ['/inventory', { method: 'DELETE' }],
  ['/nowhere'],
  ['/pets/1'],
  ['/pets/99'],
  ['/inventory', { headers: { 'X-Api-Key': secret, Cookie: `session=${secret}; ${secret}` } }],
  ['/inventory', { headers: { 'Proxy-Authorization': `Basic ${secret}` } }],
  ['/inventory', { headers: { Referer: `https://shop.example/?key=sbx_free_default_${secret}` } }],
  [`/inventory?key=sbx_free_default_${secret}`],
  ['/inventory', { headers: { Prefer: 'code=401' } }],
  ['/inventory', { headers: { Prefer: 'handling=strict, code=418' } }],
  ['/inventory/1', { method: 'PATCH', body: '{"quantity":1}' }],
]

describe('the journal entry of a request', () => {
  const rows = Object.entries(keys).flatMap(([what, key]) =>
    Object.entries(headerForms).map(
      ([form, toHeader]) => [what, form, key, toHeader(key)] as const,
    ),
  )

  test.each(rows)('masks %s sent %s', async (_, __, key, authorization) => {
    for (const [path, init] of requests) {
      const entry = await recordRequest(authorization, path, init)
      const text = JSON.stringify(entry)
      expect(text).not.toContain(key)
      // The label is secret too: with plan and scenario it forms the key.
      expect(text).not.toContain(secret)
    }
  })

  test('masks a key in the message of an error that a fault does not let the client receive', async () => {
    const sandbox = await createSandbox({ scenario: 'default' })
    sandbox.world.faults.add({ type: 'reset', phase: 'after' })
    const entries: JournalEntry[] = []
    sandbox.subscribe((entry) => entries.push(entry))
    const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ quantity: `sbx_free_default_${secret}` })
    const lost = sandbox.fetch(`${base}/inventory/1`, { method: 'PATCH', headers, body })
    await expect(lost).rejects.toThrow()
    expect(entries).toMatchObject([{ status: 0, code: undefined }])
    expect(entries[0]?.explanation.at(-1)).toMatch(/^rejected with 400 .*sbx_free_def…/)
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('has the key, the world, the decisions and the response', async () => {
    const entry = await recordRequest('Bearer sbx_free')
    expect(entry).toMatchObject({
      id: 1,
      environment: 'production',
      method: 'GET',
      path: '/inventory',
      operation: 'listInventory',
      apiKey: 'sbx_free…',
      requestBody: undefined,
      status: 200,
      code: undefined,
      changes: [],
    })
    expect(entry.explanation).toEqual([
      'key sbx_free… is on plan Free, world production/watched',
      expect.stringMatching(/^minute window: 1st of 60, resets \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      'listInventory responds with 200',
    ])
    expect(entry.responseHeaders).toContain('X-RateLimit-Remaining')
    expect(entry.responseBody).toMatch(/^\[\{"petId":1,/)
  })

  test('has the headers and the query, masked and limited in size', async () => {
    const headers: Record<string, string> = {
      'X-Trace': 't-1',
      'X-Long': 'x'.repeat(5_000),
      'Proxy-Authorization': 'Basic abc',
      Cookie: 'session=abc; theme=dark',
    }
    const entry = await recordRequest('Bearer sbx_free_low-stock_ci', '/inventory?page=2', {
      headers,
    })
    const headersOfEntry = entry.requestHeaders
    const headerOf = (name: string) => headersOfEntry[headersOfEntry.indexOf(name) + 1]
    expect(entry.query).toBe('page=2')
    expect(entry.address).toBe('api')
    expect(headerOf('x-trace')).toBe('t-1')
    expect(headerOf('x-long')).toBe(`${'x'.repeat(255)}…`)
    expect(headerOf('authorization')).toBe('Bearer sbx_free_low…')
    expect(headerOf('proxy-authorization')).toBe('…')
    expect(headerOf('cookie')).toBe('session=…; theme=…')
    const names = Array.from({ length: 80 }, (_, index) => [`X-${index}`, 'one'])
    const many = await recordRequest(undefined, '/inventory', {
      headers: Object.fromEntries(names),
    })
    expect(many.requestHeaders).toHaveLength(100)

    const long = Array.from({ length: 40 }, (_, at) => [`x-${at}`, 'y'.repeat(250)])
    const full = await recordRequest(undefined, '/inventory', { headers: Object.fromEntries(long) })
    expect(full.requestHeaders.join('').length).toBeGreaterThan(3_000)
    expect(full.requestHeaders.join('').length).toBeLessThanOrEqual(4_096)
  })

  test.each([
    [
      'GET',
      '/v1',
      '/v1/inventory',
      'of the Production address; did you mean listInventory, GET /inventory?',
    ],
    [
      'GET',
      '/v1',
      '/inventori',
      'of the Production address; did you mean listInventory, GET /inventory?',
    ],
    [
      'POST',
      '/v1',
      '/messages',
      'of the Production address; sendMessage, POST /messages, is at the Quickstart address',
    ],
    [
      'GET',
      '/v1',
      '/messages',
      'of the Production address; did you mean sendMessage, POST /messages, at the Quickstart address?',
    ],
    [
      'GET',
      '',
      '/pets/7',
      'of the Quickstart address; getPet, GET /pets/{petId}, is at the Production address',
    ],
    ['GET', '/v1', '/favicon.ico', 'of the Production address'],
  ])('suggests the nearest operation for %s %s%s', async (method, place, path, wanted) => {
    const host = place === '' ? 'quickstart' : 'api'
    const sandbox = await createSandbox()
    const response = await sandbox.fetch(`https://${host}.petstore.example${place}${path}`, {
      method,
    })
    const { message } = (await response.json()) as { message: string } // an Error body
    expect(message).toBe(`${method} ${path} is not an operation ${wanted}`)
  })

  test('has the changes of the request', async () => {
    const entry = await recordRequest('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: '{"quantity":9}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(entry.requestBody).toBe('{"quantity":9}')
    expect(entry.changes).toEqual([{ type: 'quantity.set', petId: '1', from: 4, to: 9 }])
  })

  test('has the code and reason of an error, also if no operation matched', async () => {
    const rejected = await recordRequest(undefined)
    expect(rejected).toMatchObject({ status: 401, code: 'missing_api_key', apiKey: undefined })
    expect(rejected.explanation.at(-1)).toMatch(/^rejected with 401 missing_api_key: /)
    const unknown = await recordRequest('Bearer sbx_free', '/nowhere')
    expect(unknown).toMatchObject({ status: 404, code: 'route_not_found', operation: undefined })
  })

  test('has shortened bodies and paths', async () => {
    const long = await recordRequest('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: `{"quantity":9}${' '.repeat(60_000)}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(long.requestBody?.length).toBeLessThan(5_000)
    expect(long.requestBody).toMatch(/… \(60014 bytes\)$/)
    const large = await recordRequest('Bearer sbx_free_large-catalogue')
    expect(large.responseBody?.length).toBeLessThan(5_000)
    const far = await recordRequest('Bearer sbx_free', `/${'x'.repeat(3_000)}`)
    expect(far.path.length).toBeLessThan(1_100)
    const huge = await recordRequest('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: ' '.repeat(70_000),
    })
    expect(huge.requestBody).toBe('(too large)')
  })

  test('is evicted when newer entries exceed the capacity', async () => {
    const sandbox = await createSandbox({ journalCapacity: 5 })
    for (let count = 0; count < 12; count++) await sandbox.fetch(`${base}/inventory`)
    expect(sandbox.world.journal.entries().map(({ id }) => id)).toEqual([8, 9, 10, 11, 12])
  })
})
