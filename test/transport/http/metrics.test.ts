import { describe, expect, test } from 'vitest'
import { HttpLimits } from '../../../src/service/bounds.js'
import { PublicAddress } from '../../../src/transport/http/hosts.js'
import { createPages } from '../../../src/transport/http/pages.js'
import { serve } from '../../support/server.js'
import { authorization, openServer, toRequest } from './support/open-server.js'

const bearer = (apiKey: string) => ({ headers: { Authorization: `Bearer ${apiKey}` } })

/** Returns the samples of a text in the format of Prometheus: their values by name and labels. */
function readSamples(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** Starts a server, and returns a function that reads its metrics. */
async function open(...options: Parameters<typeof openServer>) {
  const opened = await openServer(...options)
  const read = async () => {
    const response = await opened.fetch('/metrics')
    expect(response.status).toBe(200)
    return readSamples(await response.text())
  }
  return { ...opened, read }
}

describe('the metrics', () => {
  test('count only the requests to their own server, also if servers share a sandbox', async () => {
    const { fetch, read, server } = await open()
    const { sandbox } = server
    const other = await openServer({ sandbox })
    await fetch('/v1/inventory', bearer('sbx_free'))
    await other.fetch('/v1/store/orders', bearer('sbx_free'))
    await sandbox.fetch('https://api.petstore.example/v1/inventory', bearer('sbx_free'))
    const samples = await read()
    const count = (operation: string) =>
      samples.get(
        `petstore_sandbox_requests_total{operation="${operation}",method="GET",status="200"}`,
      )
    expect([count('listInventory'), count('listOrders')]).toEqual([1, undefined])
  })

  test('have the size of the worlds, and count the requests that are rejected', async () => {
    const { fetch, server, read } = await open({ maxWorldMemory: 1_048_576 })
    const { headers } = bearer('sbx_free_default_memory')
    await fetch('/v1/inventory', { headers })
    const before = await read()
    const pet = (name: string) =>
      fetch('/sandbox/pets', {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ petId: 777, name }),
      })
    expect((await pet('x'.repeat(1_048_000))).status).toBe(503)
    expect((await pet('x'.repeat(500_000))).status).toBe(201)
    const after = await read()
    const size = 'petstore_sandbox_world_bytes'
    expect(before.get(size)).toBeGreaterThan(2 * 16_384)
    expect(after.get(size)).toBe(server.sandbox.core.worlds.bytes)
    expect(after.get(size)).toBeGreaterThan((before.get(size) ?? 0) + 500_000)
    expect(after.get('petstore_sandbox_rejections_total')).toBe(1)
  })

  test('count the connections that are rejected because a client has too many', async () => {
    const { connect, readMetric } = await openServer({ limits: { clientConnections: 2 } })
    const request = toRequest('GET /v1/inventory', [authorization])
    const clients = [connect().send(request), connect().send(request)]
    await Promise.all(clients.map((client) => client.response()))
    expect((await connect().send(request).response()).status).toBe(503)
    for (const client of clients) client.abort()
    await expect.poll(() => readMetric('rejections_total'), { timeout: 9_000 }).toBeGreaterThan(0)
  })

  test('have the delay of the event loop, and the memory of the process', async () => {
    const { read } = await open()
    const samples = await read()
    expect(samples.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  })
})

test('/metrics says what to install if prom-client is missing, and tries again', async () => {
  const missing = Object.assign(new Error("Cannot find package 'prom-client' imported from x"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  let attempts = 0
  const url = await servePages(async () => {
    attempts += 1
    if (attempts === 1) throw missing
    return { contentType: 'text/plain', metrics: async () => 'x 1\n' }
  })
  const response = await fetch(`${url}/metrics`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    code: 'route_not_found',
    message: expect.stringContaining('npm install prom-client'),
  })
  expect(await (await fetch(`${url}/metrics`)).text()).toBe('x 1\n')
})

/** Serves pages with the given metrics. */
async function servePages(
  createMetricsReader: Parameters<typeof createPages>[0]['createMetricsReader'],
) {
  const pages = createPages({
    address: new PublicAddress(undefined, new HttpLimits()),
    createMetricsReader,
    consoleDirectory: new URL('no-console/', import.meta.url),
    packageDirectory: new URL('no-console/', import.meta.url),
    reportError: () => {},
    allowsAnyPage: false,
  })
  return serve(pages)
}
