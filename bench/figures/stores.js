// What `--data` and `--redis` cost.
import { writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { sendOne } from '../client.js'
import { measureCpu } from '../measure.js'
import { createScenario } from '../pets.js'
import { createServe, withRedis, withServers } from '../processes.js'

/** Each key has a world of its own. */
const keys = 30
const load = { rounds: 7, count: 1_500, warmUp: 6_000, connections: keys }

/** @param {import('../processes.js').Context} context */
export async function measureData(context) {
  const serve = await prepareServe(context)
  const servers = { memory: serve(), data: serve('--data', join(context.directory, 'data')) }
  const cpu = await withServers(context, servers, ({ memory, data }) =>
    measureCpu({ memory: toContender([memory]), data: toContender([data]) }, load),
  )
  return { rows: [toRow('GET with `--data`', cpu.data, cpu.memory)] }
}

/** @param {import('../processes.js').Context} context */
export async function measureReplicas(context) {
  const serve = await prepareServe(context)
  return withRedis(context, (url) => {
    const servers = {}
    for (const number of [1, 2, 3]) {
      servers[`memory ${number}`] = serve()
      servers[`redis ${number}`] = serve('--redis', url)
    }
    return withServers(context, servers, measureRunning)
  })
}

async function measureRunning(running) {
  const find = (kind) => [1, 2, 3].map((number) => running[`${kind} ${number}`])
  const replicas = find('redis')
  const contenders = { memory: toContender(find('memory')), redis: toContender(replicas) }
  const cpu = await measureCpu(contenders, { ...load, warmUp: 3 * load.warmUp })
  const { latencies, wrong } = await measureInTurn(replicas)
  return {
    rows: [
      toRow('GET with Redis, three replicas by key', cpu.redis, cpu.memory),
      { figure: 'three replicas in turn, median', unit: 'ms', own: latencies, atMost: 10 },
      { figure: 'three replicas in turn, wrong responses', unit: '', own: [wrong], atMost: 0 },
    ],
  }
}

/** Returns a function that takes the options of the command `serve`. */
async function prepareServe({ directory }) {
  const scenario = join(directory, 'stores.json')
  await writeFile(scenario, JSON.stringify(createScenario(100)))
  return (...options) => createServe('--scenario', scenario, ...options)
}

/** Sends the requests of a key to the same server of several. */
function toContender(servers) {
  const toRequest = (index) => ({
    port: servers[index % servers.length].port,
    apiKey: `sbx_enterprise_bench_w${index % keys}`,
  })
  return { pids: servers.map(({ pid }) => pid), toRequest }
}

function toRow(figure, own, memoryOnly) {
  return {
    figure,
    unit: 'µs CPU',
    own,
    reference: { name: 'memory only', samples: memoryOnly },
    times: 3,
  }
}

/**
 * Sends the requests of one key to the replicas in turn: first one client that changes a quantity and
 * reads it, then ten clients at the same time. Returns the latencies of the one client, and how many
 * responses have a stale quantity or a remaining quota that is not exact.
 */
async function measureInTurn(replicas) {
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  const send = async (path, body) => {
    const { port } = replicas[sent++ % replicas.length]
    const sentAt = performance.now()
    const response = await sendOne({ port, path, body, apiKey: 'sbx_enterprise_bench_turn' }, agent)
    const remaining = Number(response.headers['x-ratelimit-remaining'])
    return { body: response.body, remaining, latency: performance.now() - sentAt }
  }
  const { remaining: initial } = await send()
  const latencies = []
  let wrong = 0
  for (let quantity = 0; quantity < 500; quantity++) {
    const changed = await send('/v1/inventory/1', JSON.stringify({ quantity }))
    const read = await send()
    latencies.push(changed.latency, read.latency)
    if (JSON.parse(read.body)[0].quantity !== quantity) wrong++
    if (read.remaining !== initial - sent + 1) wrong++
  }
  const expected = new Set(Array.from({ length: 1_000 }, (_, index) => initial - sent - index))
  const client = async () => {
    for (let count = 0; count < 100; count++) {
      if (!expected.delete((await send()).remaining)) wrong++
    }
  }
  await Promise.all(Array.from({ length: 10 }, client))
  agent.destroy()
  return { latencies, wrong: wrong + expected.size }
}
