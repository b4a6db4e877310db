// What `--data` and `--redis` cost: CPU time, memory, and the time to read a world.
import { existsSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sendMany, sendOne } from '../client.js'
import { readCpuMicroseconds, readResidentMb, toSandbox, withServer } from '../http-servers.js'
import { alternate, pick } from '../measure.js'
import { createScenario } from '../programs/pets.js'
import { withRedis } from '../redis.js'
import { toRow } from '../results.js'

const pets = 100
const rounds = 11
const connections = 32
const requestsPerRound = 3_000
/** Number of requests before the first round, as in the subject `requests`. */
const optimizing = 12_000

const memoryRounds = 3
const storedWorlds = 10_000
const settleMs = 1_000

const evictedWorlds = 40
const requestsPerWorld = 100

export const stores = {
  id: 'stores',
  title: 'Worlds in a store',
  method: `CPU time: of the whole \`serve\` process, ${connections} connections with ${connections} worlds of ${pets} pets, median of ${rounds} alternating rounds. Memory: resident, in MB (10⁶ bytes), ${settleMs / 1_000} s after the last response, median of ${memoryRounds} starts. Evicted worlds: of ${evictedWorlds}.`,

  async run(context) {
    if (!existsSync('/proc/self/schedstat')) {
      return { rows: [], notes: ['stores was skipped: it reads /proc, which only Linux has'] }
    }
    const scenario = join(context.directory, 'bench.json')
    await writeFile(scenario, JSON.stringify(createScenario(pets)))
    const rows = [await measureDirectory(context, scenario)]
    const notes = []
    await withRedis(context.directory, async (url) => {
      rows.push(await measureRedis(context, scenario, url))
    }).catch((error) => notes.push(`Redis was skipped: ${error.message}`))
    rows.push(...(await measureMemory(context)), ...(await measureEvicted(context, scenario)))
    return { rows, notes }
  },
}

async function measureDirectory(context, scenario) {
  const directory = await mkdtemp(join(context.directory, 'data-'))
  return toRow({
    measurement: `GET at ${pets} pets with --data, µs of CPU`,
    samples: await measureCpu(context, scenario, ['--data', directory]),
    targets: [{ reference: 'memory only', times: 1.6 }],
  })
}

async function measureRedis(context, scenario, url) {
  return toRow({
    measurement: `GET at ${pets} pets with --redis, µs of CPU without Redis itself`,
    samples: await measureCpu(context, scenario, ['--redis', url]),
    targets: [{ reference: 'memory only', times: 3 }],
  })
}

/** Returns the CPU time per request with a store and without one. */
function measureCpu(context, scenario, storeOptions) {
  const stored = toServer(context, ['--scenario', scenario, ...storeOptions])
  const inMemory = toServer(context, ['--scenario', scenario])
  const node = process.execPath
  return withServer(node, stored, context.directory, (one) =>
    withServer(node, inMemory, context.directory, async (other) => {
      const measure = async ({ port, pid }) => {
        const before = await readCpuMicroseconds(pid)
        await sendMany(port, requestsPerRound, toGet, connections)
        return ((await readCpuMicroseconds(pid)) - before) / requestsPerRound
      }
      for (const { port } of [one, other]) await sendMany(port, optimizing, toGet, connections)
      return alternate(rounds, { new: () => measure(one), 'memory only': () => measure(other) })
    }),
  )
}

/** Uses many worlds, and starts the server again with them. */
async function measureMemory(context) {
  const measure = async () => {
    const directory = await mkdtemp(join(context.directory, 'data-'))
    const server = toServer(context, ['--data', directory])
    const run = (use) => withServer(process.execPath, server, context.directory, use)
    const used = await run(async ({ port, pid }) => {
      await sendMany(port, storedWorlds, (index) => toRequest(`sbx_free_default_w${index}`))
      await wait(settleMs)
      return readResidentMb(pid)
    })
    const restarted = await run(async ({ pid }) => {
      await wait(settleMs)
      return readResidentMb(pid)
    })
    return { used, restarted }
  }
  const samples = await alternate(memoryRounds, { new: measure })
  const name = `${storedWorlds.toLocaleString('en-US')} worlds of default with --data, MB`
  const targets = [{ atMost: 150 }]
  return [
    toRow({
      measurement: `${name} after their first use`,
      samples: pick(samples, 'used'),
      targets,
    }),
    toRow({ measurement: `${name} after a restart`, samples: pick(samples, 'restarted'), targets }),
  ]
}

/** Uses more worlds than may be in memory, and then each of them again. */
async function measureEvicted(context, scenario) {
  const directory = await mkdtemp(join(context.directory, 'data-'))
  const options = ['--scenario', scenario, '--data', directory, '--max-worlds', '10']
  const server = toServer(context, options)
  const times = await withServer(process.execPath, server, context.directory, async ({ port }) => {
    const toKey = (world) => `sbx_enterprise_bench_e${world}`
    for (let world = 0; world < evictedWorlds; world++) {
      await sendMany(port, requestsPerWorld, () => toRequest(toKey(world)))
    }
    const samples = []
    for (let world = 0; world < evictedWorlds; world++) {
      const started = performance.now()
      await sendOne(port, toRequest(toKey(world)))
      samples.push(performance.now() - started)
    }
    return samples
  })
  const name = `first request to an evicted world with ${requestsPerWorld} requests in its journal`
  return [
    toRow({ measurement: `${name}, ms`, samples: { new: times } }),
    toRow({
      measurement: `${name}, slowest, ms`,
      samples: { new: [Math.max(...times)] },
      targets: [{ atMost: 20 }],
    }),
  ]
}

function toGet(index) {
  return toRequest(`sbx_enterprise_bench_w${index % connections}`)
}

function toRequest(apiKey) {
  return { method: 'GET', path: '/v1/inventory', apiKey }
}

/** Returns a server of the current checkout. An older one may not have stores. */
function toServer({ checkouts: [current] }, options) {
  return toSandbox(current, options)
}
