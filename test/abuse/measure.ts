import { fork } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, openSocket } from './client.js'
import { createRandom } from './random.js'
import { Server } from './server.js'
import { type Measurement, type Series, targets } from './targets.js'
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
const mebibyte = 2 ** 20
const observer = fileURLToPath(new URL('programs/observer.js', import.meta.url))

/** Starts a server, runs a trial against it and stops the server. */
export async function measureTrial(trial: Trial, settings: RunSettings): Promise<Measurement> {
  const server = await Server.start(trial.server)
  try {
    return await measure(trial, settings, server)
  } finally {
    await server.program.end()
  }
}

async function measure(trial: Trial, settings: RunSettings, server: Server): Promise<Measurement> {
  const retainsMiB = trial.leavesWorlds ? targets.retainsWithWorldsMiB : targets.retainsMiB
  const apiKey = await warmUp(server)
  const bytesBefore = (await server.measureRetained()) ?? 0
  const endObservation = await observe(server, apiKey)
  const startedAt = performance.now()
  const { wasStopped, ...report } = await runTrial(trial, settings, server)
  const seconds = (performance.now() - startedAt) / 1000
  const { maxResidentBytes, ...series } = await endObservation()
  const mostBytes = bytesBefore + retainsMiB * mebibyte
  const bytes = await waitForMemory(server, mostBytes, settings.settleMs)
  return {
    name: trial.name,
    ...report,
    ...series,
    seconds,
    maxResidentMiB: maxResidentBytes / mebibyte,
    retainedMiB: bytes === undefined ? undefined : (bytes - bytesBefore) / mebibyte,
    exitReason: server.exitReason,
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

interface Observation {
  readonly unrelated: Series
  readonly health: Series
  readonly maxResidentBytes: number
}

/** Starts to observe a server. Returns a function that ends the observation. */
async function observe({ port, pid }: Server, apiKey: string): Promise<() => Promise<Observation>> {
  const args = [port, pid, addresses.unrelated, addresses.health, apiKey].map(String)
  const child = fork(observer, args, { execArgv: [] })
  await once(child, 'message')
  return async () => {
    child.send('end')
    const [observation] = await once(child, 'message')
    child.disconnect()
    return observation
  }
}

interface TrialReport extends Pick<Measurement, 'attempts' | 'violations' | 'notes'> {
  /** Whether the time for attempts was over before the trial has ended, or the server has ended. */
  readonly wasStopped: boolean
}

/** Runs a trial until it ends, takes too long or the server ends. */
async function runTrial(trial: Trial, settings: RunSettings, server: Server): Promise<TrialReport> {
  const { context, report, abort } = createContext(trial, settings, server)
  const limitMs = trial.isComplete ? settings.completeMs : settings.limitMs
  const ended = trial.run(context).catch((error) => {
    if (!context.signal.aborted) context.violation(`the trial has failed: ${error}`)
  })
  const late = sleep(limitMs, 'late', { signal: context.signal }).catch(() => undefined)
  if ((await Promise.race([ended, server.program.ended, late])) === 'late') {
    context.violation(`the trial has not ended after ${limitMs} ms`)
  }
  const wasStopped = context.ending.aborted || server.exitReason !== ''
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
  setMaxListeners(0, over.signal, ended.signal)
  const opened: { close(): void }[] = []
  const first: string[] = []
  const notes: string[] = []
  let attempts = 0
  let violations = 0
  const context: TrialContext = {
    server,
    size: settings.size,
    attempts: trial.attempts[settings.size],
    random: createRandom(settings.seed),
    ending: ended.signal,
    signal: over.signal,
    pause: (ms) => sleep(ms, undefined, { signal: over.signal }).catch(() => {}),
    client(from, apiKey) {
      const client = new Client(server.port, from, apiKey, over.signal)
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
