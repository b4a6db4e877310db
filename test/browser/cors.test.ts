import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addresses } from '../../src/contract/addresses.js'
import { documentedHeaders } from '../../src/contract/headers.js'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { type PageAnswer, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

interface PageCall {
  readonly address?: 'api' | 'quickstart'
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Documented headers that this answer has beside those of the limits. */
  readonly has?: readonly string[]
}

const key = { Authorization: 'Bearer sbx_free' }
const jsonKey = { ...key, 'Content-Type': 'application/json' }
const notice = ['Deprecation', 'Sunset', 'Link']

const calls: readonly PageCall[] = [
  { path: '/inventory', headers: key },
  { path: '/inventory', method: 'HEAD', headers: key },
  { path: '/inventory/1', method: 'PATCH', headers: jsonKey, body: '{"quantity":5}' },
  { path: '/inventory/1', method: 'PATCH', headers: jsonKey, body: '{}' },
  { path: '/inventory/77', method: 'PATCH', headers: jsonKey, body: '{"quantity":5}' },
  { path: '/store/orders', headers: key },
  { path: '/pets/1', headers: key, has: notice },
  { path: '/pets/77', headers: key, has: notice },
  { path: '/inventory', has: ['WWW-Authenticate'] },
  { path: '/inventory', headers: { Authorization: 'Bearer nobody' }, has: ['WWW-Authenticate'] },
  { path: '/inventory', headers: { ...key, Prefer: 'code=200' }, has: ['Preference-Applied'] },
  {
    path: '/inventory',
    headers: { ...key, Prefer: 'code=429' },
    has: ['Retry-After', 'Preference-Applied'],
  },
  { path: '/inventory', method: 'DELETE', headers: key, has: ['Allow'] },
  { path: '/nowhere', headers: key },
  {
    address: 'quickstart',
    path: '/messages',
    method: 'POST',
    headers: jsonKey,
    body: '{"message":"Hello"}',
  },
]

/** Time stands still, so that two sandboxes answer the same. */
const scenario = {
  name: 'still',
  extends: 'default',
  clock: { now: '2026-01-15T09:00:00Z', frozen: true },
}

const { open, start } = usePages(openTestPage)
let server: SandboxServer
let serverUrl: string

beforeAll(async () => {
  server = await createSandboxServer({ scenario })
  serverUrl = await server.listen({ port: 0 })
})
afterAll(() => server.close())

test('a page reads the same from the sandbox over HTTP as from the one that it is itself', async () => {
  const { page: overHttp } = await open()
  const { page: inPage } = await start({ scenario })
  const seen = new Set<string>()
  for (const call of calls) {
    const { address = 'api' } = call
    const answer = await send(overHttp, call, `${serverUrl}${addresses[address].httpPath}`)
    const what = `${call.method ?? 'GET'} ${call.path}`
    expect(toComparable(answer), what).toEqual(
      toComparable(await send(inPage, call, addresses[address].url)),
    )
    const readable = documentedHeaders.filter((name) => name.toLowerCase() in answer.headers)
    const limits = documentedHeaders.filter((name) => name.startsWith('X-RateLimit'))
    expect(new Set(readable), what).toEqual(new Set([...limits, ...(call.has ?? [])]))
    for (const name of readable) seen.add(name)
  }
  expect([...seen].sort(), 'documented headers that a script can read').toEqual(
    [...documentedHeaders].sort(),
  )
})

test('no page of another origin steers a world over HTTP', async () => {
  const { page } = await open()
  const failure = page.evaluate(async (url) => {
    const headers = { Authorization: 'Bearer sbx_free' }
    const response = await fetch(`${url}/sandbox/reset`, { method: 'POST', headers })
    return response.status
  }, serverUrl)
  await expect(failure).rejects.toThrow('Failed to fetch')
})

function send(page: Page, call: PageCall, base: string): Promise<PageAnswer> {
  return page.evaluate(
    async ([url, method, headers, body]) => {
      const response = await fetch(url, { method, headers, body })
      const received = Object.fromEntries(response.headers)
      return { status: response.status, headers: received, text: await response.text() }
    },
    [`${base}${call.path}`, call.method ?? 'GET', call.headers ?? {}, call.body ?? null] as const,
  )
}

/** What a script can tell one sandbox from another by, were they not the same. */
function toComparable({ status, headers, text }: PageAnswer) {
  const names = [...documentedHeaders, 'Content-Type']
  const documented = names.map((name) => [name, headers[name.toLowerCase()]])
  return { status, text, headers: Object.fromEntries(documented) }
}
