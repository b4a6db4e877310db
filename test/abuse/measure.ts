import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, openSocket } from './client.js'
import type { Measurement } from './measurement.js'
import { observe, type Series } from './observer.js'
import { createRandom } from './random.js'
import { Server } from './server.js'
import { targets } from './targets.js'
import { addresses, type Size, type Trial, type TrialContext } from './trial.js'

/** How all trials of a run are measured. */
export interface RunSettings {
  readonly size: Size
  readonly seed: number
  /** Time after its first attempt after which a trial makes no further ones, in milliseconds. */
  readonly attemptsMs: number
  /** Time after which the connections of a trial are closed, in milliseconds. */
  readonly limitMs: number
  /** Time for a trial that must make all attempts, in milliseconds. */
  readonly completeMs: number
  /** Time for the memory to return to normal, in milliseconds. */
  readonly settleMs: number
}

const shownViolations = 5
/** Maximum time for an attack to end after its connections were closed, in milliseconds. */
const closeMs = 2_000

/** Starts a server, runs a trial against it and stops the server. */
export async function measureTrial(trial: Trial, settings: RunSettings): Promise<Measurement> {
  const server = await Server.start(trial.server)
  try {
    return await measure(trial, settings, server)
  } finally {
    await server.stop()
  }
}

async function measure(trial: Trial, settings: RunSettings, server: Server): Promise<Measurement> {
  const retainsMiB = trial.leavesWorlds ? targets.retainsWithWorldsMiB : targets.retainsMiB
  const unrelatedKey = await warmUp(server)
  const retainedBefore = (await server.measureRetained()) ?? 0
  await server.beginMeasurement()
  const observer = await observe(server, unrelatedKey)
  const startedAt = performance.now()
  const { wasStopped, ...report } = await runTrial(trial, settings, server).finally(() =>
    observer.end(),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const { client, health, maxResidentBytes } = await observer.end()
  const { blockMs, blockWallMs } = await server.endMeasurement()
  const mostBytes = retainedBefore + retainsMiB * 2 ** 20
  const retainedBytes = await waitForMemory(server, mostBytes, settings.settleMs)
  return {
    name: trial.name,
    ...report,
    seconds: round(seconds),
    blockMs: round(blockMs),
    blockWallMs: round(blockWallMs),
    maxResidentMiB: toMiB(maxResidentBytes),
    retainedMiB: retainedBytes === undefined ? undefined : toMiB(retainedBytes - retainedBefore),
    unrelated: roundSeries(client),
    health: roundSeries(health),
    exits: server.exit === undefined ? 0 : 1,
    exitReason: describeExit(server),
    limits: {
      attempts: trial.isComplete || !wasStopped ? trial.attempts[settings.size] : 1,
      healthMs: trial.healthMs ?? targets.unrelatedMs,
      retainsMiB,
    },
  }
}

/** Waits until the server retains at most this many bytes. Returns what it retains at the end. */
async function waitForMemory(
  server: Server,
  mostBytes: number,
  settleMs: number,
): Promise<number | undefined> {
  const deadline = performance.now() + settleMs
  for (;;) {
    const bytes = await server.measureRetained()
    if (bytes === undefined || bytes <= mostBytes || performance.now() > deadline) return bytes
    await sleep(500)
  }
}

/**
 * Prepares the world of the unrelated client, without a rate limit, and requests everything that the
 * server loads on the first request. Returns the key of the client.
 */
async function warmUp(server: Server): Promise<string> {
  const signal = AbortSignal.timeout(20_000)
  const newcomer = new Client(server.port, addresses.unrelated, undefined, signal)
  const apiKey = await newcomer.createKey('enterprise', 'default')
  newcomer.close()
  const client = new Client(server.port, addresses.unrelated, apiKey, signal)
  const limits = { requestsPerMinute: 10_000_000, requestsPerDay: 10_000_000 }
  const scenario = { name: 'unrelated', extends: 'default', plans: { enterprise: limits } }
  await client.expect({ method: 'PUT', path: '/sandbox/scenario', body: scenario })
  const paths = ['/healthz', '/readyz', '/openapi.json', '/v1/inventory', '/sandbox']
  for (const path of paths) await client.expect({ path })
  client.close()
  return apiKey
}

interface TrialReport extends Pick<Measurement, 'attempts' | 'violations' | 'notes'> {
  /** Whether the time for attempts was over before the trial has ended, or the server has ended. */
  readonly wasStopped: boolean
}

/** Runs a trial until it ends, takes too long or the server ends. */
async function runTrial(trial: Trial, settings: RunSettings, server: Server): Promise<TrialReport> {
  const { context, report, abort } = createContext(trial, settings, server)
  const limitMs = trial.isComplete ? settings.completeMs : settings.limitMs
  const started = trial.run(context)
  const ended = started.catch((error) => {
    if (!context.signal.aborted) context.violation(`the trial has failed: ${error}`)
  })
  const isOver = await Promise.race([
    ended.then(() => false),
    waitForEnd(server, limitMs, context.signal).then(() => true),
  ])
  if (isOver && server.exit === undefined) {
    context.violation(`the trial has not ended after ${limitMs} ms`)
  }
  const wasStopped = context.ending.aborted || server.exit !== undefined
  abort()
  await Promise.race([ended, sleep(closeMs)])
  // Lets the server notice that the connections are closed.
  await sleep(100)
  return { ...report(), wasStopped }
}

/** Creates the context of a trial, and functions that return its report and that abort it. */
function createContext(trial: Trial, settings: RunSettings, server: Server) {
  const over = new AbortController()
  const attemptsMs = trial.isComplete ? settings.completeMs : settings.attemptsMs
  // Node 20 collects the signals of AbortSignal.any and AbortSignal.timeout, which then never abort.
  const ended = new AbortController()
  const end = () => ended.abort()
  over.signal.addEventListener('abort', end)
  const ending = ended.signal
  setMaxListeners(0, over.signal, ending)
  const opened: { close(): void }[] = []
  const first: string[] = []
  const notes: string[] = []
  let attempts = 0
  let violations = 0
  const context: TrialContext = {
    server,
    attempts: trial.attempts[settings.size],
    random: createRandom(settings.seed),
    ending,
    signal: over.signal,
    pause: (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => {}),
    client(from, apiKey, port = server.port) {
      const client = new Client(port, from, apiKey, over.signal)
      opened.push(client)
      return client
    },
    socket(from) {
      const socket = openSocket(server.port, from)
      opened.push({ close: () => socket.destroy() })
      return socket
    },
    count(made = 1) {
      if (attempts === 0) setTimeout(end, attemptsMs).unref()
      attempts += made
    },
    violation(message) {
      violations += 1
      if (first.length < shownViolations) first.push(message)
    },
    note: (sentence) => notes.push(sentence),
  }
  return {
    context,
    report: () => ({ attempts, violations: { count: violations, first }, notes }),
    abort() {
      over.abort()
      for (const item of opened) item.close()
    },
  }
}

/** Resolves when the time is over, the server has ended or the signal is aborted. */
async function waitForEnd(server: Server, limitMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limitMs
  while (performance.now() < deadline && server.exit === undefined && !signal.aborted) {
    await sleep(50)
  }
}

function describeExit(server: Server): string {
  if (server.exit === undefined) return ''
  const [line = ''] = /^.*(?:FATAL ERROR|Error).*$/m.exec(server.errors) ?? []
  return `${server.exit} ${line.trim().slice(0, 200)}`.trim()
}

function roundSeries(series: Series): Series {
  return {
    ...series,
    slowestMs: round(series.slowestMs),
    slowestWallMs: round(series.slowestWallMs),
  }
}

function toMiB(bytes: number): number {
  return round(bytes / 2 ** 20)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
