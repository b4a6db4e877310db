import { openDirectoryStore, StoreError } from 'petstore-sandbox/node'
import { createSandboxServer, type SandboxServerOptions } from 'petstore-sandbox/server'
import { onTestFinished } from 'vitest'
import { startServe } from '../../cli/bin-support.js'
import { createDirectory } from '../../cli/support.js'
import type { RequestRow } from '../../support/http-client.js'
import { MemoryStore } from '../../support/memory-store.js'
import { RawClient } from '../../support/raw-client.js'
import { createSleep } from '../../support/sleep.js'
import { startMs } from '../../support/suite.js'
import { toRequest } from '../../transport/http/support/open-server.js'
import { groups, hosts, rawRequests } from '../documented-requests.js'
import { openServer, toClient } from '../exchange.js'
import { toReadable } from '../readable.js'
import type { Subject } from '../subject.js'

const key = 'sbx_free'
const labelled = 'sbx_free_default_documented'

export const documented: Subject = {
  name: 'documented',
  async produce() {
    const produced: Record<string, unknown> = {}
    for (const [title, [options, rows]] of Object.entries(groups)) {
      const server = await openServer(options)
      produced[title] = shorten(await server.exchange(rows))
    }
    return {
      ...produced,
      page: await readPage(),
      streams: await openStreams(),
      raw: await sendRaw({}, rawRequests),
      hosts: await sendRaw(
        { allowedHosts: ['.shop.example'], publicUrl: 'https://public.example/petstore' },
        hosts.map((host) => `GET /healthz HTTP/1.1\nHost: ${host}\n\n`),
      ),
      timeout: await sendSlowly(),
      closing: await close(),
      'a directory that keeps the worlds': await restart(),
      'a store that cannot be reached': await failToStore(),
    }
  },
}

/** Shortens the strings and lists of long requests. */
function shorten(exchanges: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(exchanges), (name, value) => {
    if (name === 'response') return value
    if (typeof value === 'string' && value.length > 200) {
      return `${value.slice(0, 40)}… (${value.length} characters)`
    }
    return JSON.stringify(value).length > 5_000 && name !== '' && Number.isNaN(Number(name))
      ? `${JSON.stringify(value).slice(0, 40)}… (${JSON.stringify(value).length} characters)`
      : value
  })
}

/** The console of the built program. */
async function readPage() {
  const { url } = await startServe([])
  const page = await toClient(url).send('GET /')
  const headers = Object.fromEntries(page?.headers ?? [])
  // These depend on the build.
  for (const name of ['etag', 'last-modified']) delete headers[name]
  return { status: page?.status, headers, body: toReadable(page?.text ?? '') }
}

/** Opens one stream of events more than a client may open. */
async function openStreams() {
  const { url, exchange } = await openServer({ limits: { clientStreams: 1 } })
  const stream = new RawClient(Number(new URL(url).port))
  onTestFinished(() => stream.abort())
  const request = toRequest('GET /sandbox/events', [`Authorization: Bearer ${key}`])
  await stream.send(request).until(': the requests')
  return exchange([['GET /sandbox/events', { key }]])
}

async function sendRaw(options: SandboxServerOptions, texts: readonly string[]) {
  const { url } = await openServer(options)
  const exchanges: unknown[] = []
  for (const text of texts) {
    const client = new RawClient(Number(new URL(url).port))
    onTestFinished(() => client.abort())
    const sent = text.replaceAll('\n', '\r\n')
    exchanges.push({
      request: text.slice(0, 200).split('\n'),
      ...(await receive(client.send(sent))),
    })
  }
  return exchanges
}

async function receive(client: RawClient) {
  const response = await client.response().catch(() => undefined)
  if (!response) return { response: 'the connection closed' }
  const { status, headers, text } = response
  return { response: { status, headers: Object.fromEntries(headers), body: toReadable(text) } }
}

async function sendSlowly() {
  const limits = { headersTimeoutMs: 40, requestTimeoutMs: 60, lingerMs: 20 }
  const { url } = await openServer({ limits })
  const client = new RawClient(Number(new URL(url).port))
  onTestFinished(() => client.abort())
  return receive(client.send('GET /v1/inv'))
}

/** A server that closes still responds for the time of `noticeMs`. */
async function close() {
  const { sleep, wake: endNotice } = createSleep()
  const server = await createSandboxServer({ now: () => startMs, sleep })
  const { exchange } = toClient(await server.listen({ port: 0 }))
  const closing = server.close({ noticeMs: 1, timeoutMs: 0 })
  const exchanges = await exchange([
    ['GET /readyz'],
    ['GET /healthz'],
    ['GET /v1/inventory', { key: 'sbx_pro' }],
  ])
  endNotice()
  await closing
  return exchanges
}

/** Uses a world, ends the sandbox, and starts another one with the same directory. */
async function restart() {
  const directory = await createDirectory({})
  const before = await useStored(directory, [
    ['PATCH /v1/inventory/1', { key: labelled, json: { quantity: 9 } }],
    ['POST /quickstart/messages', { key: labelled, json: { message: 'Hello' } }],
    ['PATCH /sandbox/clock', { key: labelled, json: { frozen: true, advance: 'PT10S' } }],
    ['POST /sandbox/faults', { key: labelled, json: { type: 'status', status: 503, atMost: 1 } }],
    ['PATCH /sandbox/quota', { key: labelled, json: { minute: { remaining: 2 } } }],
  ])
  const after = await useStored(directory, [
    ['GET /sandbox', { key: labelled }],
    ['GET /sandbox/requests', { key: labelled }],
    ['GET /sandbox/snapshot', { key: labelled }],
    ['GET /v1/inventory', { key: labelled }],
    ['GET /v1/inventory/', { key: labelled }],
    ['GET /v1/inventory', { key: labelled }],
  ])
  return { before, after }
}

async function useStored(directory: string, rows: readonly RequestRow[]) {
  const store = await openDirectoryStore({ directory })
  const server = await createSandboxServer({ store, now: () => startMs })
  const { exchange } = toClient(await server.listen({ port: 0 }))
  const exchanges = await exchange(rows)
  await server.close({ timeoutMs: 0 })
  await server.sandbox.close()
  return exchanges
}

async function failToStore() {
  const store = new MemoryStore(true)
  const { exchange } = await openServer({ store })
  await exchange([['GET /v1/inventory', { key }]])
  store.onAccess = () => {
    throw new StoreError('the disk is full')
  }
  return exchange([
    ['GET /readyz'],
    ['GET /healthz'],
    ['GET /v1/inventory', { key }],
    ['PATCH /v1/inventory/1', { key, json: { quantity: 9 } }],
    ['GET /sandbox/clock', { key: labelled }],
  ])
}
