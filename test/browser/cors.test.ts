import { afterAll, expect, test } from 'vitest'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { documentedHeaders } from '../../src/service/headers.js'
import { fetchFromPage, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

let server: SandboxServer
let serverUrl: string
const { open } = usePages(async () => {
  server = await createSandboxServer()
  serverUrl = await server.listen({ port: 0 })
  return openTestPage()
})
afterAll(() => server.close())

test('a page of another origin reads every documented header of a server', async () => {
  const { page } = await open()
  const responses = [
    await fetchFromPage(page, `${serverUrl}/v1/pets/7`, { prefer: 'code=429' }),
    await fetchFromPage(page, `${serverUrl}/v1/inventory`, { key: 'nobody' }),
    await fetchFromPage(page, `${serverUrl}/v1/inventory`, { method: 'DELETE' }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([429, 401, 405])
  const readable = new Set(responses.flatMap(({ headers }) => Object.keys(headers)))
  expect(documentedHeaders.filter((name) => !readable.has(name.toLowerCase()))).toEqual([])
})

test('a page of another origin cannot use the control API over HTTP', async () => {
  const { page } = await open()
  const failure = fetchFromPage(page, `${serverUrl}/sandbox/reset`, { method: 'POST' })
  await expect(failure).rejects.toThrow('Failed to fetch')
})
