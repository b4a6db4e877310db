// Observes a server under attack from a separate process, so that the attacker's own work does not
// delay it. Arguments: port and process id of the server, addresses of the client and of the health
// checks, key of the client.
//
// - An unrelated client sends a request every few milliseconds.
// - Health checks are sent on new connections.
// - The resident memory of the server is read from /proc.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { startWatch } from './watch.js'

const [port, serverPid, clientAddress, healthAddress, apiKey] = process.argv.slice(2)

const clientIntervalMs = 5
const healthIntervalMs = 100
const memoryIntervalMs = 20

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const unrelated = createSeries()
const health = createSeries()
let maxResidentBytes = 0

const authorization = { Authorization: `Bearer ${apiKey}` }
const requests = {
  list: { path: '/v1/inventory', headers: authorization, agent },
  // A client that opens a connection for each request.
  connect: { path: '/v1/inventory', headers: { ...authorization, Connection: 'close' } },
  update: {
    method: 'PATCH',
    path: '/v1/inventory/1',
    headers: { ...authorization, 'Content-Type': 'application/json', 'Content-Length': '14' },
    body: '{"quantity":5}',
    agent,
  },
}

const sendAsClient = (round) => {
  const kind = round % 20 === 0 ? 'connect' : round % 10 === 5 ? 'update' : 'list'
  return unrelated.measure({ ...requests[kind], localAddress: clientAddress })
}
const checkHealth = (round) => {
  const path = round % 2 === 0 ? '/healthz' : '/readyz'
  const headers = { Connection: 'close' }
  return health.measure({ path, headers, localAddress: healthAddress })
}

// The first requests are sent before the attack begins.
await Promise.all([sendAsClient(0), checkHealth(0)])
process.send('ready')
void repeat(clientIntervalMs, sendAsClient)
void repeat(healthIntervalMs, checkHealth)
setInterval(sampleMemory, memoryIntervalMs)

process.on('message', () => {
  sampleMemory()
  process.send({ unrelated: unrelated.report(), health: health.report(), maxResidentBytes })
})
// Ends with the process that started it.
process.on('disconnect', () => process.exit())

/** Runs an action again and again, with a pause before each run. */
async function repeat(pauseMs, action) {
  for (let round = 1; ; round++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    await action(round)
  }
}

/** Creates a series of requests that are sent one after the other. */
function createSeries() {
  const figures = { count: 0, failures: 0, slowestMs: 0, reason: '' }
  let readMs
  const include = () => {
    figures.slowestMs = Math.max(figures.slowestMs, readMs())
  }
  return {
    async measure(options) {
      readMs = startWatch(serverPid)
      const reason = await send(options)
      include()
      readMs = undefined
      figures.count += 1
      if (reason === '') return
      figures.failures += 1
      figures.reason ||= `${options.path}: ${reason}`
    },
    /** A request without a response counts with its age. */
    report() {
      if (readMs) include()
      return figures
    },
  }
}

/** Sends a request. Resolves with an empty string, or with the reason of a failure. */
function send({ body, ...options }) {
  return new Promise((resolve) => {
    const onError = (error) => resolve(error.code ?? error.message)
    const sent = request({ host: '127.0.0.1', port, ...options }, (response) => {
      const { statusCode } = response
      response
        .on('error', onError)
        .on('end', () => resolve(statusCode === 200 ? '' : `${statusCode}`))
      response.resume()
    })
    sent.on('error', onError).end(body)
  })
}

function sampleMemory() {
  try {
    const status = readFileSync(`/proc/${serverPid}/status`, 'latin1')
    const [, kibibytes = '0'] = /VmHWM:\s*(\d+) kB/.exec(status) ?? []
    maxResidentBytes = Math.max(maxResidentBytes, Number(kibibytes) * 1024)
  } catch {
    // The server has ended.
  }
}
