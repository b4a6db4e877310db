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

/** Sends a request and gives what the sandbox told of it. */
async function tell(
  authorization: string | undefined,
  path = '/inventory',
  init: RequestInit = {},
): Promise<JournalEntry> {
  const sandbox = await createSandbox({ scenario })
  const told: JournalEntry[] = []
  sandbox.subscribe((entry) => told.push(entry))
  const headers = new Headers(init.headers)
  if (authorization !== undefined) headers.set('Authorization', authorization)
  await sandbox.fetch(`${base}${path}`, { ...init, headers }).catch(() => {})
  const [entry] = told
  if (!entry || told.length > 1) throw new Error(`expected one entry, found ${told.length}`)
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

const ways: Readonly<Record<string, (key: string) => string>> = {
  'as it should be': (key) => `Bearer ${key}`,
  'in lower case': (key) => `bearer ${key}`,
  'without a scheme': (key) => key,
  'without a space': (key) => `Bearer${key}`,
  'with two spaces': (key) => `Bearer  ${key}`,
  'with a tab': (key) => `Bearer\t${key}`,
  'with another scheme': (key) => `Basic ${key}`,
  'without a scheme, with text behind it': (key) => `${key} and more`,
  'with text behind it': (key) => `Bearer ${key} ${key}`,
  'with a comma behind it': (key) => `Bearer ${key},`,
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
  ['/inventory', { headers: { Prefer: 'code=418' } }],
  ['/inventory/1', { method: 'PATCH', body: '{"quantity":1}' }],
]

describe('journal of a sandbox', () => {
  const rows = Object.entries(keys).flatMap(([what, key]) =>
    Object.entries(ways).map(([way, toHeader]) => [what, way, key, toHeader(key)] as const),
  )

  test.each(rows)('never holds %s whole, sent %s', async (_, __, key, authorization) => {
    for (const [path, init] of requests) {
      const entry = await tell(authorization, path, init)
      const text = JSON.stringify(entry)
      expect(text).not.toContain(key)
      // Nor its label, which with plan and scenario beside it is as good as the key.
      expect(text).not.toContain(secret)
    }
  })

  test('says for every request what was decided, on which world, and with which response', async () => {
    const entry = await tell('Bearer sbx_free')
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
      'listInventory answers 200',
    ])
    expect(entry.responseHeaders).toContain('X-RateLimit-Remaining')
    expect(entry.responseBody).toMatch(/^\[\{"petId":1,/)
  })

  test('holds headers and query, secrets masked and all of it bounded', async () => {
    const headers: Record<string, string> = {
      'X-Trace': 't-1',
      'X-Long': 'x'.repeat(5_000),
      'Proxy-Authorization': 'Basic abc',
      Cookie: 'session=abc; theme=dark',
    }
    const entry = await tell('Bearer sbx_free_low-stock_ci', '/inventory?page=2', { headers })
    const kept = entry.requestHeaders
    const keptValue = (name: string) => kept[kept.indexOf(name) + 1]
    expect(entry.query).toBe('page=2')
    expect(entry.address).toBe('api')
    expect(keptValue('x-trace')).toBe('t-1')
    expect(keptValue('x-long')).toBe(`${'x'.repeat(255)}…`)
    expect(keptValue('authorization')).toBe('Bearer sbx_free_low…')
    expect(keptValue('proxy-authorization')).toBe('…')
    expect(keptValue('cookie')).toBe('session=…; theme=…')
    const names = Array.from({ length: 80 }, (_, index) => [`X-${index}`, 'one'])
    const many = await tell(undefined, '/inventory', { headers: Object.fromEntries(names) })
    expect(many.requestHeaders).toHaveLength(100)

    const long = Array.from({ length: 40 }, (_, at) => [`x-${at}`, 'y'.repeat(250)])
    const full = await tell(undefined, '/inventory', { headers: Object.fromEntries(long) })
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
  ])('says of %s %s%s what was probably meant', async (method, place, path, wanted) => {
    const host = place === '' ? 'quickstart' : 'api'
    const sandbox = await createSandbox()
    const response = await sandbox.fetch(`https://${host}.petstore.example${place}${path}`, {
      method,
    })
    const { message } = (await response.json()) as { message: string } // an Error body
    expect(message).toBe(`${method} ${path} is no operation ${wanted}`)
  })

  test('holds what a request changed', async () => {
    const entry = await tell('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: '{"quantity":9}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(entry.requestBody).toBe('{"quantity":9}')
    expect(entry.changes).toEqual([{ type: 'quantity.set', petId: '1', from: 4, to: 9 }])
  })

  test('holds a refusal with its code and reason, and requests that no operation takes', async () => {
    const refused = await tell(undefined)
    expect(refused).toMatchObject({ status: 401, code: 'missing_api_key', apiKey: undefined })
    expect(refused.explanation.at(-1)).toMatch(/^refused with 401 missing_api_key: /)
    const unknown = await tell('Bearer sbx_free', '/nowhere')
    expect(unknown).toMatchObject({ status: 404, code: 'route_not_found', operation: undefined })
  })

  test('shortens long bodies and paths', async () => {
    const long = await tell('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: `{"quantity":9}${' '.repeat(60_000)}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(long.requestBody?.length).toBeLessThan(5_000)
    expect(long.requestBody).toMatch(/… \(60014 bytes\)$/)
    const answered = await tell('Bearer sbx_free_large-catalogue')
    expect(answered.responseBody?.length).toBeLessThan(5_000)
    const far = await tell('Bearer sbx_free', `/${'x'.repeat(3_000)}`)
    expect(far.path.length).toBeLessThan(1_100)
    const huge = await tell('Bearer sbx_free', '/inventory/1', {
      method: 'PATCH',
      body: ' '.repeat(70_000),
    })
    expect(huge.requestBody).toBe('(too large)')
  })

  test('keeps as many requests as it was told to', async () => {
    const sandbox = await createSandbox({ journalCapacity: 5 })
    for (let count = 0; count < 12; count++) await sandbox.fetch(`${base}/inventory`)
    expect(sandbox.world.journal.entries().map(({ id }) => id)).toEqual([8, 9, 10, 11, 12])
  })
})
