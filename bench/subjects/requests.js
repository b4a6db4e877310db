// CPU time of the server process per request over HTTP.

import { findEntryFile } from '../checkout.js'
import { sendMany, sendOne } from '../client.js'
import { alternate, alternateCompared } from '../measure.js'
import { withPrograms, withSeparateCores } from '../processes.js'
import { toRow } from '../results.js'

const sizes = [10, 100, 1_000, 10_000]
const rounds = { all: 9, compared: 32 }

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
  method: `CPU time of the server process per request in µs, with the journal on; median of ${rounds.all} alternating rounds of optimized code, or of ${rounds.all + rounds.compared} of a figure with a target and its reference. Where the command taskset exists, the servers run on one core and the client on the others.`,

  async run({ checkouts }) {
    const rows = []
    for (const pets of sizes) rows.push(...(await measureSize(checkouts, pets)))
    return { rows, notes: [] }
  },
}

function measureSize(checkouts, pets) {
  const options = {}
  for (const checkout of checkouts) {
    const args = [pets, findEntryFile(checkout, './server', 'node')]
    options[checkout.label] = { file: toFile('sandbox'), args }
  }
  for (const [name, file] of Object.entries(references)) {
    options[name] = { file: toFile(file), args: [pets] }
  }
  return withPrograms(options, (servers) => {
    const pids = Object.values(servers).map(({ pid }) => pid)
    return withSeparateCores(pids, () => measureRequests(servers, pets))
  })
}

async function measureRequests(servers, pets) {
  await sendSameBytes(servers, update(pets)(0))
  const isLong = pets > 1_000
  const count = isLong ? 200 : 1_000
  const measure = async (title, settings, targets = []) =>
    toRow({
      measurement: `${pets.toLocaleString('en-US')} pets, ${title}, µs`,
      samples: await measureCpu(servers, settings, targets),
      targets,
    })
  const getting = { count, warmUp: isLong ? optimizingLong : optimizing, toRequest: list }
  const updating = { count: 1_000, warmUp: optimizing, toRequest: update(pets) }
  // Both are optimized by now.
  const both = { count, warmUp: 2 * count, toRequest: alternating(pets) }
  return [
    await measure('GET', getting, [{ reference: 'same bytes', times: 1.25 }]),
    await measure('PATCH', updating),
    await measure(
      'GET and PATCH in turn',
      both,
      pets === sizes.at(-1) ? [{ reference: 'Express', times: 0.5 }] : [],
    ),
  ]
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

async function measureCpu(servers, { count, warmUp, toRequest }, targets) {
  const contenders = {}
  for (const [name, { ready, ask }] of Object.entries(servers)) {
    await sendMany(ready.port, warmUp, toRequest)
    contenders[name] = async () => {
      const before = await ask('cpu')
      await sendMany(ready.port, count, toRequest)
      return ((await ask('cpu')) - before) / count
    }
  }
  if (targets.length === 0) return alternate(rounds.all, contenders)
  const compared = ['new', ...targets.map(({ reference }) => reference)]
  return alternateCompared(rounds, contenders, compared)
}
