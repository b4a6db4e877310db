import type { Platform } from '../../engine/platform.js'
import { createMask } from '../../service/mask.js'
import { plans } from '../../service/plans.js'
import { listFirst, toCount, toPlainLine } from '../../service/validation/message.js'
import { createHttpSender, incompleteCode, listUnencrypted } from '../../verify/http-sender.js'
import { type Deployment, readDeployment } from '../../verify/pull/deployment.js'
import { readHar } from '../../verify/pull/har.js'
import { type Built, buildScenario } from '../../verify/pull/scenario.js'
import { UsageError } from '../../verify/usage-error.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { checkOutput, type Terminal, writeFile } from '../terminal.js'

/** The options of `pull`, after validation. */
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
  readonly timeoutSeconds: number
  readonly maxWaitSeconds: number
}

type PullPlatform = Pick<Platform, 'monotonic' | 'now' | 'sleep'>

/** Maximum number of printed notes. */
const shownNotes = 100

/**
 * Writes what a deployment serves, or what a HAR file has recorded, as a scenario file.
 *
 * @throws {UsageError} If the responses cannot be received, or the file cannot be written.
 */
export async function pull(
  options: PullOptions,
  terminal: Terminal,
  platform: PullPlatform,
): Promise<void> {
  const { har, url, apiKey = '', output, force } = options
  const notify = (line: string) => terminal.stderr.write(`${toPlainLine(line)}\n`)
  await checkOutput(options).catch(rejectOutput)
  const deployment =
    har === undefined
      ? await receive(options, terminal, platform, notify)
      : await readHar(har, url, notify)
  const built = buildScenario(deployment, options.name)
  const library = new ScenarioLibrary()
  await library.prepare(library.add(built.scenario, 'the pulled scenario'))
  const mask = createMask([apiKey])
  const text = mask(`${JSON.stringify(built.scenario, null, 2)}\n`)
  await writeFile(output, text, force).catch(rejectOutput)
  const lines = [
    ...describeContent(built),
    ...listFirst(built.notes.toLines(), shownNotes).map(mask),
    `wrote ${output}; serve it with petstore-sandbox serve --scenario ${output} and use the key sbx_${built.plan}`,
  ]
  terminal.stdout.write(lines.map((line) => `${toPlainLine(line)}\n`).join(''))
}

/** Throws an error about the file again, with the exit code of a scenario that is not written. */
function rejectOutput(error: unknown): never {
  throw error instanceof UsageError ? new UsageError(error.message, incompleteCode) : error
}

async function receive(
  { url = '', apiKey = '', timeoutSeconds, maxWaitSeconds }: PullOptions,
  terminal: Terminal,
  platform: PullPlatform,
  notify: (line: string) => void,
): Promise<Deployment> {
  const stop = new AbortController()
  terminal.onStopSignal(() => stop.abort())
  const userAgent = 'petstore-sandbox pull'
  const sender = createHttpSender({ timeoutMs: timeoutSeconds * 1000, keys: [apiKey], userAgent })
  for (const line of listUnencrypted([url])) notify(line)
  try {
    const { send } = sender
    const settings = { urls: { api: url }, key: apiKey, send, maxWaitSeconds, notify }
    return await readDeployment({ ...platform, ...settings, signal: stop.signal })
  } finally {
    sender.close()
  }
}

function describeContent({ scenario, plan }: Built): string[] {
  const { pets = [], orders = [], faults = [], deprecation } = scenario
  const { requestsPerMinute, requestsPerDay } = { ...plans[plan], ...scenario.plans?.[plan] }
  const { deprecatedAt = 'unknown', sunsetAt = 'unknown' } = deprecation ?? {}
  const [deprecated, sunset] = [deprecatedAt, sunsetAt].map((date) => date.split('T')[0])
  return [
    `${toCount(pets.length, 'pets')} (${faults.length} without a record), ${toCount(orders.length, 'orders')}`,
    `limits of the plan ${plans[plan].title}: ${requestsPerMinute} a minute, ${requestsPerDay} a day`,
    `GET /pets/{petId}: deprecated ${deprecated}, sunset ${sunset}`,
  ]
}
