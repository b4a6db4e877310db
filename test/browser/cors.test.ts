import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { addresses } from '../../src/service/addresses.js'
import { documentedHeaders } from '../../src/service/headers.js'
import { type PageResponse, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

interface PageRequest {
  readonly address?: 'api' | 'quickstart'
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Documented headers of the response in addition to the rate-limit headers. */
  readonly has?: readonly string[]
}

const key = { Authorization: 'Bearer sbx_free' }
const jsonKey = { ...key, 'Content-Type': 'application/json' }
const notice = ['Deprecation', 'Sunset', 'Link']

const requests: readonly PageRequest[] = [
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

/** The clock is frozen, so that two sandboxes respond the same. */
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

test('a page reads the same responses from a server as from a sandbox in the page', async () => {
  const { page: overHttp } = await open()
  const { page: inPage } = await start({ scenario })
  const seen = new Set<string>()
  for (const request of requests) {
    const { address = 'api' } = request
    const response = await send(overHttp, request, `${serverUrl}${addresses[address].httpPath}`)
    const title = `${request.method ?? 'GET'} ${request.path}`
    expect(toComparable(response), title).toEqual(
      toComparable(await send(inPage, request, addresses[address].url)),
    )
    const readable = documentedHeaders.filter((name) => name.toLowerCase() in response.headers)
    const always = documentedHeaders.filter((name) => /^X-(?:RateLimit|Request-Id)/.test(name))
    expect(new Set(readable), title).toEqual(new Set([...always, ...(request.has ?? [])]))
    for (const name of readable) seen.add(name)
  }
  expect([...seen].sort(), 'documented headers that a script can read').toEqual(
    [...documentedHeaders].sort(),
  )
})

test('a page of another origin cannot use the control API over HTTP', async () => {
  const { page } = await open()
  const failure = page.evaluate(async (url) => {
    const headers = { Authorization: 'Bearer sbx_free' }
    const response = await fetch(`${url}/sandbox/reset`, { method: 'POST', headers })
    return response.status
  }, serverUrl)
  await expect(failure).rejects.toThrow('Failed to fetch')
})

function send(page: Page, request: PageRequest, base: string): Promise<PageResponse> {
  return page.evaluate(
    async ([url, method, headers, body]) => {
      const response = await fetch(url, { method, headers, body })
      const received = Object.fromEntries(response.headers)
      return { status: response.status, headers: received, text: await response.text() }
    },
    [
      `${base}${request.path}`,
      request.method ?? 'GET',
      request.headers ?? {},
      request.body ?? null,
    ] as const,
  )
}

/** Returns the parts of a response that a script can read. */
function toComparable({ status, headers, text }: PageResponse) {
  const names = [...documentedHeaders, 'Content-Type']
  const documented = names.map((name) => [name, headers[name.toLowerCase()]])
  return { status, text, headers: Object.fromEntries(documented) }
}
