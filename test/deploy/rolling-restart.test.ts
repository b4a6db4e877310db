import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { RedisServer } from '../redis/support/redis.js'
import { createHttpClient } from '../support/http-client.js'
import { findFreePort } from '../support/server.js'
import { type Nginx, startNginx } from './support/nginx.js'
import { requireProgram, startSandbox } from './support/programs.js'

const requestCount = 3_000
const clientCount = 12

beforeAll(async () => {
  for (const name of ['nginx', 'redis-server']) await requireProgram(name)
})

/** Starts Redis until the end of the test. */
async function openRedis(): Promise<RedisServer> {
  const redis = await RedisServer.start()
  onTestFinished(() => redis.stop())
  return redis
}

/** Starts a replica with the default notice. */
function startReplica(redisUrl: string, port: number) {
  return startSandbox({
    command: [
      ...[process.execPath, 'dist/cjs/cli.js', 'serve', '--port', String(port)],
      ...['--redis', redisUrl, '--trust-proxy', '1', '--allowed-hosts', 'sandbox.example'],
    ],
    // An empty variable is as if it were not set.
    env: { PETSTORE_SANDBOX_NOTICE: '' },
  })
}

type Send = (method: 'GET' | 'PATCH', key: string) => Promise<number>

/** Returns a function that sends a request through nginx, and resolves to the status. */
async function connect({ port, certificate }: Nginx): Promise<Send> {
  const agent = new Agent({ keepAlive: true, maxSockets: clientCount })
  onTestFinished(() => agent.destroy())
  const ca = await readFile(certificate)
  const client = createHttpClient(`https://127.0.0.1:${port}/petstore`, {
    ...{ agent, ca, servername: 'sandbox.example' },
  })
  const headers = { Host: `sandbox.example:${port}` }
  return async (method, key) => {
    const isRead = method === 'GET'
    const path = isRead ? '/v1/inventory' : '/v1/inventory/7'
    const json = isRead ? undefined : { quantity: 5 }
    return (await client(`${method} ${path}`, { key, headers, json })).status
  }
}

test('a rolling restart of two replicas loses none of 3,000 requests', async () => {
  const redis = await openRedis()
  const ports = [await findFreePort(), await findFreePort()]
  const replicas = []
  for (const port of ports) replicas.push(await startReplica(redis.url, port))
  const nginx = await startNginx({
    replicas: ports.map((port) => `127.0.0.1:${port}`),
    replaced: { 'server sandbox-3:4010 max_fails=0;': '' },
  })
  const send = await connect(nginx)
  const statuses: Record<number, number> = {}
  let sentCount = 0
  let isRestarting = true
  // The requests continue until both replicas were restarted. Nothing but their number ends them earlier.
  const sendRequests = async (client: number) => {
    for (let at = 0; isRestarting || sentCount < requestCount; at++) {
      sentCount += 1
      // One key per client and 900 requests, below the limit of its minute.
      const key = `sbx_enterprise_default_client-${client}-${Math.floor(at / 900)}`
      const status = await send(at % 2 === 0 ? 'GET' : 'PATCH', key)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const sending = Array.from({ length: clientCount }, (_, client) => sendRequests(client))
  for (const [at, port] of ports.entries()) {
    const child = replicas[at]?.child
    if (!child) throw new Error('the replica is missing')
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    await startReplica(redis.url, port)
  }
  isRestarting = false
  await Promise.all(sending)
  expect(statuses).toEqual({ 200: sentCount })
  expect(sentCount).toBeGreaterThanOrEqual(requestCount)
})
