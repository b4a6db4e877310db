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
  [`/sbx_free_default_${secret}/sbx_free_default_${secret}`],
  ['/inventory', { headers: { Prefer: 'code=401' } }],
  ['/inventory', { headers: { Prefer: 'handling=strict, code=418' } }],
  ['/inventory/1', { method: 'PATCH', body: '{"quantity":1}' }],
]

describe('the journal entry of a request', () => {
  async function expectMasked(key: string, authorization: string, rows: typeof requests) {
    for (const [path, init] of rows) {
      const entry = await recordRequest(authorization, path, init)
      const text = JSON.stringify(entry)
      expect(text).not.toContain(key)
      // The label is secret too: with plan and scenario it forms the key.
      expect(text).not.toContain(secret)
    }
  }

  test.each(Object.entries(keys))('masks %s in each kind of request', async (_, key) => {
    await expectMasked(key, `Bearer ${key}`, requests)
  })

  test.each(Object.entries(headerForms))('masks a key sent %s', async (_, toHeader) => {
    for (const key of Object.values(keys)) await expectMasked(key, toHeader(key), [['/inventory']])
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

  test.each([
    [50, 40, undefined],
    [51, 40, 50],
    [16, 256, undefined],
    [17, 256, 16],
  ])('has of %i headers with %i characters each the first %s', async (count, length, retained) => {
    const names = Array.from({ length: count }, (_, at) => `x-${at + 10}`)
    const headers = Object.fromEntries(names.map((name) => [name, 'y'.repeat(length - 4)]))
    const entry = await recordRequest(undefined, '/inventory', { headers })
    const { requestHeaders, incomplete } = entry
    expect(requestHeaders.filter((_, at) => at % 2 === 0)).toEqual(names.slice(0, retained))
    expect(incomplete).toEqual(retained && ['requestHeaders'])
  })

  const patch = (body: string): RequestInit => ({
    method: 'PATCH',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  const header = (text: string): RequestInit => ({ headers: { 'X-Long': text } })

  test.each<
    [
      part: string,
      limit: number,
      end: string,
      toPath: (text: string) => string,
      toInit?: (text: string) => RequestInit,
    ]
  >([
    ['path', 1_024, '…', (text) => text],
    ['query', 1_024, '…', (text) => `/inventory?${text}`],
    ['requestBody', 4_096, '… (4097 bytes)', () => '/inventory/1', patch],
    ['requestHeaders.x-long', 256, '…', () => '/inventory', header],
  ])('has a %s of at most %i characters', async (part, limit, end, toPath, toInit) => {
    const whole = '/'.padEnd(limit, 'y')
    const shown = part === 'requestHeaders.x-long' ? whole.slice(0, -1) : whole
    for (const [sent, recorded, incomplete] of [
      [whole, whole, undefined],
      [`${whole}y`, `${shown}${end}`, [part]],
    ] as const) {
      const entry = await recordRequest('Bearer sbx_free', toPath(sent), toInit?.(sent))
      const { path, query, requestBody, requestHeaders } = entry
      expect([path, query, requestBody, ...requestHeaders]).toContain(recorded)
      expect(entry.incomplete).toEqual(incomplete)
    }
  })

  test('has a part of a large response body, and no request body that exceeds the limit', async () => {
    const large = await recordRequest('Bearer sbx_free_large-catalogue')
    expect(large.responseBody).toMatch(/^.{4096}… \(\d+ bytes\)$/)
    expect(large.incomplete).toEqual(['responseBody'])
    const huge = await recordRequest('Bearer sbx_free', '/inventory/1', patch(' '.repeat(70_000)))
    expect(huge).toMatchObject({ requestBody: '(too large)', incomplete: ['requestBody'] })
  })
})
