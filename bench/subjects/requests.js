// CPU time of the server process per request over HTTP.

import { findEntryFile } from '../checkout.js'
import { sendMany, sendOne } from '../client.js'
import { alternate } from '../measure.js'
import { withPrograms, withSeparateCores } from '../processes.js'
import { toRow } from '../results.js'

const sizes = [10, 100, 1_000, 10_000]

/**
 * A ratio differs by a tenth from one process to another (measured). The checkouts and the reference
 * of a target are therefore measured in further processes, too.
 */
const further = { sets: 3, rounds: 11 }
const rounds = 9

/**
 * Number of requests before the first measurement of an operation. V8 has then optimized the code
 * that they execute, in all servers; the first thousands take several times as long (measured). At
 * 10,000 pets, a GET spends most of its time in native code.
 */
const optimizing = 12_000
const optimizingLong = 6_000
const references = { Express: 'express', 'node:http': 'node-http', 'same bytes': 'same-bytes' }

const list = () => ({ method: 'GET', path: '/v1/inventory' })
const update = (pets) => (index) => ({
  method: 'PATCH',
  path: `/v1/inventory/${(index % pets) + 1}`,
  body: `{"quantity":${index % 1000}}`,
})
const alternating = (pets) => (index) => (index % 2 === 0 ? list() : update(pets)(index))

export const requests = {
  id: 'requests',
  title: 'Requests over HTTP',
  method: `CPU time of the server process per request in µs, with the journal on; median of ${rounds} alternating rounds of optimized code. GET of the sandbox and of “same bytes” is also measured in ${further.sets} further sets of processes, with ${further.rounds} rounds each. Where the command taskset exists, the servers run on one core and the client on the others.`,

  async run({ checkouts }) {
    const rows = []
    for (const pets of sizes) rows.push(...(await measureSize(checkouts, pets)))
    return { rows, notes: [] }
  },
}

async function measureSize(checkouts, pets) {
  const names = Object.keys(references)
  const all = await withServers(checkouts, pets, names, (servers) => measureAll(servers, pets))
  const get = all.GET
  for (let set = 0; set < further.sets; set++) {
    const samples = await withServers(checkouts, pets, ['same bytes'], (servers) =>
      measureCpu(servers, toGetting(pets), further.rounds),
    )
    for (const [name, list] of Object.entries(samples)) get[name].push(...list)
  }
  const inTurn = pets === sizes.at(-1) ? [{ reference: 'Express', times: 0.5 }] : []
  return [
    toSizeRow(pets, 'GET', get, [{ reference: 'same bytes', times: 1.25 }]),
    toSizeRow(pets, 'PATCH', all.PATCH),
    toSizeRow(pets, 'GET and PATCH in turn', all.inTurn, inTurn),
  ]
}

function toSizeRow(pets, title, samples, targets = []) {
  const measurement = `${pets.toLocaleString('en-US')} pets, ${title}, µs`
  return toRow({ measurement, samples, targets })
}

/** Starts a server of each checkout and reference. */
function withServers(checkouts, pets, names, measure) {
  const options = {}
  for (const checkout of checkouts) {
    const args = [pets, findEntryFile(checkout, './server', 'node')]
    options[checkout.label] = { file: toFile('sandbox'), args }
  }
  for (const name of names) options[name] = { file: toFile(references[name]), args: [pets] }
  return withPrograms(options, (servers) => {
    const pids = Object.values(servers).map(({ pid }) => pid)
    return withSeparateCores(pids, async () => {
      await sendSameBytes(servers, update(pets)(0))
      return measure(servers)
    })
  })
}

async function measureAll(servers, pets) {
  const getting = toGetting(pets)
  const { count } = getting
  const updating = { count: 1_000, warmUp: optimizing, toRequest: update(pets) }
  // Both are optimized by now.
  const both = { count, warmUp: 2 * count, toRequest: alternating(pets) }
  return {
    GET: await measureCpu(servers, getting, rounds),
    PATCH: await measureCpu(servers, updating, rounds),
    inTurn: await measureCpu(servers, both, rounds),
  }
}

function toGetting(pets) {
  const isLong = pets > 1_000
  return {
    count: isLong ? 200 : 1_000,
    warmUp: isLong ? optimizingLong : optimizing,
    toRequest: list,
  }
}

function toFile(name) {
  return new URL(`../servers/${name}.js`, import.meta.url)
}

/** Lets the server `same bytes` send what the sandbox sends. */
async function sendSameBytes(servers, change) {
  for (const request of [list(), change]) {
    const { rawHeaders, body } = await sendOne(servers.new.ready.port, request)
    const { method } = request
    await servers['same bytes'].ask({ method, rawHeaders, body: body.toString('base64') })
  }
}

/** Returns the CPU time per request of each server, in µs, in each round. */
async function measureCpu(servers, { count, warmUp, toRequest }, roundCount) {
  const contenders = {}
  for (const [name, { ready, ask }] of Object.entries(servers)) {
    await sendMany(ready.port, warmUp, toRequest)
    contenders[name] = async () => {
      const before = await ask('cpu')
      await sendMany(ready.port, count, toRequest)
      return ((await ask('cpu')) - before) / count
    }
  }
  return alternate(roundCount, contenders)
}
