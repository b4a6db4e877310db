// Measures one client in one situation, and prints the result as JSON:
// node measure.js <client> <variant> <situation>
//
// The timers and the clock are fakes that jump to the next timer when no request is in progress. The
// request times are from the journal, whose clock is the same.
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import FakeTimers from '@sinonjs/fake-timers'
import { createSandboxServer } from 'petstore-sandbox/server'
import { conductSituations } from './situations.js'

/** Time after which a client that has not ended is stopped, in seconds. */
const limitSeconds = 600

const [name, variant, situation] = process.argv.slice(2)
const { options, paths, init, address = '/v1' } = conductSituations[situation]
const server = await createSandboxServer({ ...options, now: () => Date.now() })
const url = await server.listen({ port: 0 })
const clock = FakeTimers.install({
  now: Date.UTC(2026, 0, 15, 9),
  toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
})
// The jitter of the clients is half of its maximum.
Math.random = () => 0.5

const requests = countRequests()
const { world } = server.sandbox
world.reset()
const client = await import(`./clients/${name}.js`)
const startMs = Date.now()
let statuses
client
  .run(
    client.variants[variant],
    paths.map((path) => `${url}${address}${path}`),
    { Authorization: 'Bearer sbx_free', ...(init && { 'Content-Type': 'application/json' }) },
    init,
  )
  .then((results) => {
    statuses = results
  })
while (!statuses && Date.now() - startMs < limitSeconds * 1000) {
  await waitUntilIdle()
  if (!statuses) await clock.nextAsync()
}
// A client that has given up sends nothing for a minute.
const endMs = Date.now()
if (statuses) await clock.tickAsync(61_000)
await waitUntilIdle()
const { conduct } = await world.report()
const entries = world.requests.find()
const toSeconds = ({ atMs }) => (atMs - startMs) / 1000
const ban = entries.find(({ code }) => code === 'api_key_banned')
const result = {
  seconds: entries.map(toSeconds),
  bannedAfter: ban && toSeconds(ban),
  ended: statuses,
  endedAfter: statuses && (endMs - startMs) / 1000,
  conduct: conduct.map(({ id, outcome, finding }) => ({ id, outcome, finding })),
}
process.stdout.write(JSON.stringify(result))
process.exit()

/**
 * Resolves when requests have been sent, none is in progress except those that a fault delays, and
 * their responses are processed.
 */
async function waitUntilIdle() {
  let before = -1
  const isBusy = () => requests.open > world.requests.pending().length
  // Not every client reports that its connection was closed.
  for (let turn = 0; turn < 30; turn += 1) {
    if (requests.count > 0 && !isBusy() && before === requests.count) return
    before = requests.count
    await sleep(60)
  }
}

/** Counts the requests of `fetch` and of `node:http`. */
function countRequests() {
  const counts = { count: 0, open: 0 }
  const begin = () => {
    counts.count += 1
    counts.open += 1
  }
  const end = () => {
    counts.open -= 1
  }
  for (const name of ['undici:request:create', 'http.client.request.start']) subscribe(name, begin)
  const ends = ['undici:request:trailers', 'undici:request:error']
  for (const name of [...ends, 'http.client.response.finish', 'http.client.request.error']) {
    subscribe(name, end)
  }
  return counts
}
