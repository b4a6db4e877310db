// Requests over HTTP, start and memory, next to other tools.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sendOne } from '../client.js'
import { alternate, measureCpu, median, readResidentMb } from '../measure.js'
import { express, preparePeers } from '../peers.js'
import { createScenario } from '../pets.js'
import { createServe, withServers } from '../processes.js'

const startRounds = 5
const settleMs = 1_000
const own = 'petstore-sandbox'

/** @param {import('../processes.js').Context} context */
export async function measurePeers(context) {
  const tools = { [own]: await serve(context, 100), ...(await preparePeers(context.directory)) }
  const cpu = await withServers(context, { express, ...tools }, async (running) => {
    const contenders = {}
    for (const [name, { port, pid }] of Object.entries(running)) {
      const { body } = await sendOne({ port })
      if (JSON.parse(body).length !== 100) throw new Error(`${name} responded with ${body}`)
      contenders[name] = { pids: [pid], toRequest: () => ({ port }) }
    }
    return measureCpu(contenders, { rounds: 15, count: 600, warmUp: 16_000 })
  })
  const start = await measureStart(context, tools)
  const names = Object.keys(tools)
  return {
    rows: toRows(cpu, start),
    peers: names.map((name) => [name, cpu[name], start.ms[name], start.mb[name]]),
  }
}

function toRows(cpu, { ms, mb }) {
  const { express: expressCpu, ...toolsCpu } = cpu
  const get = { figure: 'GET of 100 pets over HTTP', unit: 'µs CPU', own: cpu[own] }
  const memory = { figure: 'memory of `serve` at rest', unit: 'MB', own: mb[own] }
  return [
    { ...get, reference: findBest(toolsCpu), times: 0.5 },
    { ...get, reference: { name: 'Express `res.json`', samples: expressCpu }, times: 1 },
    {
      figure: 'first response of `serve`',
      unit: 'ms',
      own: ms[own],
      reference: findBest(ms),
      times: 1,
    },
    { ...memory, reference: findBest(mb), times: 1 },
    { ...memory, atMost: 90 },
  ]
}

/** Returns the other tool with the smallest figure. */
function findBest({ [own]: _, ...others }) {
  const [[name, samples]] = Object.entries(others).sort(([, a], [, b]) => median(a) - median(b))
  return { name, samples }
}

/** Starts each tool again and again. The first start, which may fill a compile cache, does not count. */
async function measureStart(context, tools) {
  const contenders = {}
  for (const [name, tool] of Object.entries(tools)) {
    await withServers(context, { tool }, async () => {})
    contenders[name] = () =>
      withServers(context, { tool }, async ({ tool: { pid, startMs } }) => {
        await wait(settleMs)
        return { ms: startMs, mb: await readResidentMb(pid) }
      })
  }
  const samples = await alternate(startRounds, contenders)
  const pick = (figure) =>
    Object.fromEntries(
      Object.entries(samples).map(([name, list]) => [name, list.map((each) => each[figure])]),
    )
  return { ms: pick('ms'), mb: pick('mb') }
}

/** @param {import('../processes.js').Context} context */
export async function measurePatch(context) {
  const servers = { 10: await serve(context, 10), 10000: await serve(context, 10_000) }
  const cpu = await withServers(context, servers, (running) => {
    const contenders = {}
    for (const [pets, { port, pid }] of Object.entries(running)) {
      const toRequest = (index) => {
        const path = `/v1/inventory/${1 + (index % Number(pets))}`
        return { port, path, body: `{"quantity":${index % 100}}` }
      }
      contenders[pets] = { pids: [pid], toRequest }
    }
    return measureCpu(contenders, { rounds: 15, count: 1_000, warmUp: 5_000 })
  })
  const reference = { name: 'PATCH at 10 pets', samples: cpu[10] }
  return {
    rows: [
      { figure: 'PATCH at 10,000 pets', unit: 'µs CPU', own: cpu[10_000], reference, times: 2 },
    ],
  }
}

/** Returns the command `serve` with so many pets. */
async function serve({ directory }, pets) {
  const file = join(directory, `pets-${pets}.json`)
  await writeFile(file, JSON.stringify(createScenario(pets)))
  return createServe('--scenario', file)
}
