// Replicas that share their worlds in Redis: `serve --redis`.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { sendOne } from '../client.js'
import { readCpuMicroseconds, startServer, toSandbox } from '../http-servers.js'
import { alternate, median } from '../measure.js'
import { stopProcess } from '../processes.js'
import { createScenario } from '../programs/pets.js'
import { startRedis } from '../redis.js'
import { toRow } from '../results.js'

const pets = 100
const connections = 32
const rounds = 5
const requestsPerRound = 4_000
/** Number of requests after which V8 has optimized the code of a replica. */
const optimizing = 12_000
const alternatingRequests = 1_000
const replicaCounts = [1, 2, 3]

export const replicas = {
  id: 'replicas',
  title: 'Replicas with Redis',
  method: `\`serve --redis\` with ${pets} pets and the journal on, and Redis with \`--appendonly yes --appendfsync always\`, all on this machine; median of ${rounds} alternating rounds. Throughput and CPU: GET requests on ${connections} keep-alive connections, each with its own key; “memory only” is the same load on as many servers without a store. “In turn”: the requests of a key reach the replicas in turn, so that each replica repeats the requests of the others. “By key”: those of a key reach the same replica.`,

  async run({ checkouts, directory }) {
    if (spawnSync('redis-server', ['--version']).error) {
      return { rows: [], notes: ['skipped: redis-server is not installed'] }
    }
    const [checkout] = checkouts
    const started = []
    try {
      return await measure(checkout, await mkdtemp(join(directory, 'replicas-')), started)
    } finally {
      for (const { child } of started.toReversed()) await stopProcess(child)
    }
  },
}

async function measure(checkout, directory, started) {
  const scenario = join(directory, 'bench.json')
  await writeFile(scenario, JSON.stringify(createScenario(pets)))
  const redis = await startRedis(directory)
  started.push(redis)
  const serve = async (...options) => {
    const server = toSandbox(checkout, ['--scenario', scenario, ...options])
    const running = await startServer(process.execPath, server, directory)
    started.push(running)
    return running
  }
  const memory = []
  const all = []
  for (const _ of replicaCounts) {
    memory.push(await serve())
    all.push(await serve('--redis', redis.url))
  }
  for (const server of memory) await send([server], optimizing)
  // In turn, so that the replicas also repeat the requests of the others.
  await send(all, optimizing * all.length)

  const groups = replicaCounts.map((count) => all.slice(0, count))
  const contenders = {}
  for (const count of replicaCounts) {
    contenders[count] = () => measureLoad(all.slice(0, count), redis)
    contenders[`memory ${count}`] = () => measureLoad(memory.slice(0, count), redis)
  }
  contenders['by key'] = () => measureLoad(all, redis, true)
  contenders['memory by key'] = () => measureLoad(memory, redis, true)
  const loads = await alternate(rounds, contenders)
  const latencies = await alternate(rounds, {
    2: () => measureLatency(groups[1]),
    3: () => measureLatency(groups[2]),
  })
  await rm(directory, { recursive: true })
  return { rows: toRows(loads, latencies), notes: [estimate(loads)] }
}

function toRows(loads, latencies) {
  const figure = (count, name) => loads[count].map((load) => load[name])
  const latencyRow = (count) =>
    toRow({
      measurement: `one client, GET and PATCH in turn, alternating between ${count} replicas: p50, ms`,
      samples: { new: latencies[count] },
      targets: [{ atMost: 3 }],
    })
  const cpuRow = (count) =>
    toRow({
      measurement: `GET, ${toTitle(count)}: CPU of the replicas per request, µs`,
      samples: {
        new: figure(count, 'replicaUs'),
        'memory only': figure(`memory ${count}`, 'replicaUs'),
      },
      targets: [{ reference: 'memory only', times: 3 }],
    })
  const redisRow = (count) =>
    toRow({
      measurement: `GET, ${toTitle(count)}: CPU of Redis per request, µs`,
      samples: { new: figure(count, 'redisUs') },
    })
  const throughputRow = (count) =>
    toRow({
      measurement: `GET, ${toTitle(count)}: requests per second, with the client on the same 2 cores`,
      samples: {
        new: figure(count, 'perSecond'),
        'memory only': figure(`memory ${count}`, 'perSecond'),
      },
    })
  return [
    ...[2, 3].map(latencyRow),
    ...[cpuRow, redisRow, throughputRow].flatMap((row) => [...replicaCounts, 'by key'].map(row)),
  ]
}

function toTitle(count) {
  if (count === 'by key') return '3 replicas, by key'
  return count === 1 ? '1 replica' : `${count} replicas, in turn`
}

/** Describes what replicas and Redis would reach if each process had a core of its own. */
function estimate(loads) {
  const perSecond = (count, name) => 1e6 / median(loads[count].map((load) => load[name]))
  const format = (figure) => (Math.round(figure / 100) * 100).toLocaleString('en-US')
  const toText = (count) => {
    const [replica, redis] = [perSecond(count, 'replicaUs'), perSecond(count, 'redisUs')]
    return `${format(replica)} requests per second for each replica, until Redis is busy at ${format(redis)}`
  }
  return `Estimate for more replicas, from the CPU per request with three, if each process has a core of its own: ${toText('by key')} if a proxy selects the replica by key; ${toText(3)} in turn, where each further replica also repeats the requests of the others to the keys that it serves.`
}

/** Sends requests on all connections. Returns the CPU times per request and the throughput. */
async function measureLoad(servers, redis, isByKey = false) {
  const readReplicas = async () =>
    sum(await Promise.all(servers.map(({ child }) => readCpuMicroseconds(child.pid))))
  const before = [
    await readReplicas(),
    await readCpuMicroseconds(redis.child.pid),
    performance.now(),
  ]
  await send(servers, requestsPerRound, isByKey)
  const elapsedMs = performance.now() - before[2]
  return {
    replicaUs: ((await readReplicas()) - before[0]) / requestsPerRound,
    redisUs: ((await readCpuMicroseconds(redis.child.pid)) - before[1]) / requestsPerRound,
    perSecond: (requestsPerRound / elapsedMs) * 1_000,
  }
}

function sum(figures) {
  return figures.reduce((total, figure) => total + figure, 0)
}

/** @param {boolean} [isByKey] Whether all requests of a key are sent to the same server. */
async function send(servers, count, isByKey = false) {
  let next = 0
  const work = async (_, worker) => {
    const agents = servers.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
    const apiKey = `sbx_enterprise_bench_worker-${worker}`
    while (next < count) {
      const number = next++
      const at = (isByKey ? worker : number) % servers.length
      await sendOne(servers[at].port, { method: 'GET', path: '/v1/inventory', apiKey }, agents[at])
    }
    for (const agent of agents) agent.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
}

/** Sends requests one at a time, each to the next server. Returns the median latency. */
async function measureLatency(servers) {
  const agent = new Agent({ keepAlive: true })
  const apiKey = 'sbx_enterprise_bench_alternating'
  const latencies = []
  for (let number = 0; number < alternatingRequests; number++) {
    const body = `{"quantity":${number}}`
    const request =
      number % 2 === 0
        ? { method: 'GET', path: '/v1/inventory', apiKey }
        : { method: 'PATCH', path: '/v1/inventory/1', body, apiKey }
    const sentAt = performance.now()
    await sendOne(servers[number % servers.length].port, request, agent)
    latencies.push(performance.now() - sentAt)
  }
  agent.destroy()
  return median(latencies)
}
