// Measures one client in one situation, and prints the result as JSON:
// node measure.js <client> <variant> <situation>
//
// The timers and the clock are fakes that jump to the next timer when no request is in progress. The
// request times are those of the journal, whose clock is the same.
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import FakeTimers from '@sinonjs/fake-timers'
import { createSandboxServer } from 'petstore-sandbox/server'
import { situations } from './situations.js'

/** Time after which a client that has not ended is stopped, in seconds. */
const limitSeconds = 600

const [name, variant, situation] = process.argv.slice(2)
const { options, paths } = situations[situation]
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
    paths.map((path) => `${url}/v1${path}`),
    { Authorization: 'Bearer sbx_free' },
  )
  .then((results) => {
    statuses = results
  })
while (!statuses && Date.now() - startMs < limitSeconds * 1000) {
  await waitUntilIdle()
  if (!statuses) await clock.nextAsync()
}
const entries = world.requests.find()
const toSeconds = ({ atMs }) => (atMs - startMs) / 1000
const ban = entries.find(({ code }) => code === 'api_key_banned')
const result = {
  seconds: entries.map(toSeconds),
  bannedAfter: ban && toSeconds(ban),
  ended: statuses,
  endedAfter: statuses && (Date.now() - startMs) / 1000,
}
process.stdout.write(JSON.stringify(result))
process.exit()

/** Resolves when requests have been sent, none is in progress, and their responses are processed. */
async function waitUntilIdle() {
  let before = -1
  while (requests.count === 0 || requests.open > 0 || before !== requests.count) {
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
  for (const name of ['undici:request:trailers', 'http.client.response.finish']) {
    subscribe(name, end)
  }
  return counts
}
