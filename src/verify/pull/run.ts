import { promises as fs } from 'node:fs'
import { dirname } from 'node:path'
import type { Platform } from '../../engine/platform.js'
import { maskApiKey } from '../../service/api-key.js'
import { plans } from '../../service/plans.js'
import { toTimestamp } from '../../service/timestamp.js'
import { readErrorField, toCount, toPlainLine } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { createHttpSender, incompleteCode, listUnencrypted } from '../http-sender.js'
import { createMask } from '../mask.js'
import { type Built, buildScenario, type Notes } from './build.js'
import { compare, type Serve } from './compare.js'
import { gather } from './gather.js'
import { readHar } from './har.js'
import { Progress, replaceFile } from './progress.js'
import { type Deployment, listResponses } from './received.js'

/** Options of `pull`. */
export interface PullOptions {
  /** Base URL without a trailing slash. With `har`, it restricts the responses. */
  readonly url?: string | undefined
  readonly apiKey?: string | undefined
  readonly har?: string | undefined
  readonly name: string
  /** Path of the scenario file. */
  readonly output: string
  /** Whether the file is replaced if it exists. */
  readonly force: boolean
  /** Timeout of a request with its response. */
  readonly timeoutSeconds: number
  /** The longest time to wait for the limit of the key, in total. */
  readonly maxWaitSeconds: number
}

/** Where `pull` writes, and how it is interrupted. */
interface PullTerminal {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
  /** Calls the listener on SIGINT and SIGTERM. Returns a function that removes the listener. */
  onStopSignal(listener: () => void): () => void
}

/** What `pull` uses of its environment. */
export interface PullPlatform extends Pick<Platform, 'now' | 'sleep'> {
  /** Serves a scenario in this process. */
  readonly serve: Serve
}

/** Maximum number of printed notes. */
const shownNotes = 100

/**
 * Writes what a deployment serves, or what a HAR file has recorded, as a scenario file.
 *
 * @throws {UsageError} If the responses cannot be received, or the file cannot be written.
 */
export async function pull(
  options: PullOptions,
  terminal: PullTerminal,
  platform: PullPlatform,
): Promise<void> {
  await checkOutput(options)
  const { har, url, apiKey = '' } = options
  const progress = new Progress(`${options.output}.partial`, url ?? '', maskApiKey(apiKey))
  const deployment =
    har === undefined
      ? await receive(options, progress, terminal, platform)
      : await readRecorded(har, url, terminal)
  const mask = createMask([apiKey])
  const built = buildScenario(deployment, options.name)
  await checkScenario(built)
  const bodies = [
    ...built.notes.bodies,
    ...(await compare(deployment, built.scenario, platform.serve)),
  ]
  const masked = listResponses(deployment).filter(({ isMasked }) => isMasked).length
  if (masked > 0) bodies.push(`the API key is in ${masked} bodies, and is masked`)
  await checkOutput(options)
  await replaceFile(options.output, `${JSON.stringify(built.scenario, null, 2)}\n`)
  if (har === undefined) await progress.remove()
  const notes = toNoteLines({ ...built.notes, bodies }).map(mask)
  const lines = [...describeContent(built), ...notes, describeFile(options, built)]
  terminal.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** @throws {UsageError} If the file exists, or its directory cannot be written. */
async function checkOutput({ output, force }: PullOptions): Promise<void> {
  const exists = await fs.lstat(output).then(
    () => true,
    () => false,
  )
  if (exists && !force) {
    throw new UsageError(
      `${output} exists; replace it with --force, or set another --output`,
      incompleteCode,
    )
  }
  try {
    await fs.access(dirname(output), fs.constants.W_OK)
  } catch (error) {
    const reason = readErrorField(error, 'message') ?? String(error)
    throw new UsageError(`cannot write --output ${output}: ${reason}`, incompleteCode)
  }
}

async function receive(
  { url = '', apiKey = '', timeoutSeconds, maxWaitSeconds }: PullOptions,
  progress: Progress,
  terminal: PullTerminal,
  { now, sleep }: PullPlatform,
): Promise<Deployment> {
  const stop = new AbortController()
  const ignoreSignals = terminal.onStopSignal(() => stop.abort())
  const { signal } = stop
  const sender = createHttpSender({
    timeoutMs: timeoutSeconds * 1000,
    keys: [apiKey],
    userAgent: 'petstore-sandbox pull',
  })
  const { send } = sender
  const notify = (line: string) => terminal.stderr.write(`${toPlainLine(line)}\n`)
  for (const line of listUnencrypted([url])) notify(line)
  try {
    await progress.load()
    return await gather({ url, apiKey, send, progress, maxWaitSeconds, now, sleep, signal, notify })
  } finally {
    sender.close()
    ignoreSignals()
  }
}

async function readRecorded(har: string, url: string | undefined, { stderr }: PullTerminal) {
  const { deployment, lines } = await readHar(har, url)
  stderr.write(lines.map((line) => `${line}\n`).join(''))
  return deployment
}

/** Checks the scenario as `petstore-sandbox check` does. */
async function checkScenario({ scenario }: Built): Promise<void> {
  const library = new ScenarioLibrary()
  await library.prepare(library.add(scenario, 'the pulled scenario'))
}

function toNoteLines({ bodies, headers, unknown }: Notes): string[] {
  const differences = [...bodies, ...headers].map((note) => `not the same: ${note}`)
  const lines = [...differences, ...unknown.map((note) => `not known: ${note}`)]
  if (bodies.length === 0) lines.unshift('every body is the same, byte for byte')
  const rest = lines.length - shownNotes
  if (rest > 0) lines.splice(shownNotes, rest, `and ${rest} more kinds of differences`)
  return lines
}

function describeContent({ scenario, plan, limits }: Built): string[] {
  const { pets = [], orders = [], faults = [], deprecation } = scenario
  const { requestsPerMinute, requestsPerDay } = { ...plans[plan], ...limits }
  const { deprecatedAt, sunsetAt } = deprecation ?? {}
  return [
    `${toCount(pets.length, 'pets')} (${faults.length} without a record), ${toCount(orders.length, 'orders')}`,
    `limits of the plan ${plans[plan].title}: ${requestsPerMinute} a minute, ${requestsPerDay} a day`,
    `GET /pets/{petId}: deprecated ${toDay(deprecatedAt)}, sunset ${toDay(sunsetAt)}`,
  ]
}

function describeFile({ output }: PullOptions, { plan }: Built): string {
  return `wrote ${output}; serve it with petstore-sandbox serve --scenario ${output} and use the key sbx_${plan}`
}

function toDay(date: string | undefined): string {
  return date === undefined ? 'unknown' : toTimestamp(Date.parse(date)).slice(0, 10)
}
