import { truncate } from '../service/validation/message.js'
import { greet } from './base-url.js'
import { Changes, type Unrestored } from './changes.js'
import type { Check, Deviations } from './check.js'
import { addressChecks } from './checks/addresses.js'
import { authenticationChecks } from './checks/authentication.js'
import { everyResponseChecks } from './checks/every-response.js'
import { exhaustingChecks, limitChecks } from './checks/limits.js'
import { listInventoryChecks } from './checks/list-inventory.js'
import { petAndOrderChecks } from './checks/pets-and-orders.js'
import { sendMessageChecks } from './checks/send-message.js'
import { updateInventoryChecks } from './checks/update-inventory.js'
import { update } from './inventory.js'
import { type Exchange, RequestFailure, toCurl } from './request.js'
import { toObject } from './response.js'
import { Session, type SessionOptions, Skip, Stop } from './session.js'
import { Incomplete } from './usage-error.js'

/** Every check, in the order of their execution: checks that change something run later. */
export const allChecks: readonly Check[] = [
  ...addressChecks,
  ...listInventoryChecks,
  ...petAndOrderChecks,
  ...authenticationChecks,
  ...limitChecks,
  ...updateInventoryChecks,
  ...sendMessageChecks,
  ...exhaustingChecks,
  ...everyResponseChecks,
]

export interface VerifyOptions extends SessionOptions {
  /** Default: all. */
  readonly checks?: readonly Check[]
  readonly allowsWrites: boolean
  /** Whether to use up the limit of the key. */
  readonly exhausts: boolean
}

/** The result of a run. */
export interface Verification {
  readonly results: readonly CheckResult[]
  /** Number of requests that were sent. */
  readonly requests: number
  /** Why the run ended early; undefined if it did not. */
  readonly stopped: string | undefined
  /** One line for each request that succeeded only when it was repeated after a 5xx. */
  readonly unreliable: readonly string[]
  /** The changes that could not be undone. */
  readonly unrestored: readonly Unrestored[]
}

export interface CheckResult extends Outcome {
  readonly id: string
  /** Number of the section, such as `4.1`; `introduction` for the text before section 1. */
  readonly section: string
  readonly sentence: string
  readonly findings: readonly Finding[]
}

interface Outcome {
  /**
   * `agrees` and `deviates`: the behaviour of the service. `skipped`: the check was not run, or the
   * service has no state in which it applies. `failed`: a request of the check had no response.
   */
  readonly outcome: 'agrees' | 'deviates' | 'skipped' | 'failed'
  /** Why the check was skipped or failed. */
  readonly reason?: string
}

/** A deviation for reports: without the key, and cut to 100 characters. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** The commands that reproduce it when they are executed in order. */
  readonly curl: readonly string[]
}

/** After this number of requests in a row without a response, the run ends. */
const maximumFailures = 3

/** Maximum number of findings of a check. The findings of all responses are often the same. */
const maximumFindings = 5

const notUndone = 'a change could not be undone'

/**
 * Runs the checks one after the other.
 *
 * @throws {Incomplete} If the service does not respond, or is another service.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const session = new Session(options)
  const changes = new Changes(session)
  checkPet(await greet(session), options.petId)
  const { checks = allChecks, plan: own } = options
  const results: CheckResult[] = []
  const unrestored: Unrestored[] = []
  // Omits the checks of other plans.
  for (const check of checks.filter(({ plan = own }) => own === undefined || plan === own)) {
    // Before the limit is used up.
    if (check.exhausts) unrestored.push(...(await compare(session, changes)))
    results.push(await run(check, session, changes, options))
  }
  unrestored.push(...(await compare(session, changes)))
  const { requests, stopped, unreliable, mask } = session
  return { results, requests, stopped, unreliable: unreliable.map(mask), unrestored }
}

/** @throws {Incomplete} If the inventory lacks the pet for the checks that change data. */
function checkPet({ json }: Exchange, petId: string | undefined): void {
  if (petId === undefined || !Array.isArray(json)) return
  if (json.some((entry) => String(toObject(entry)?.petId) === petId)) return
  throw new Incomplete(`--pet must be a petId of the inventory, found ${petId}`)
}

async function run(
  check: Check,
  session: Session,
  changes: Changes,
  options: VerifyOptions,
): Promise<CheckResult> {
  const [, section = '', sentence = ''] = /^§(\S+) (.+)$/.exec(check.statement) ?? []
  const quote = { id: check.id, section, sentence, findings: [] }
  const reason = findReason(check, session, options)
  if (reason !== undefined) return { ...quote, outcome: 'skipped', reason }
  try {
    // A check must not wait with a changed pet. One request undoes the change.
    if (check.writes) await session.makeRoom(check.writes + 1)
    const prepared = await prepare(check, session)
    const deviations = await check.run(session)
    if (deviations.length === 0) return { ...quote, ...prepared }
    return { ...quote, outcome: 'deviates', findings: toFindings(deviations, session) }
  } catch (error) {
    return { ...quote, ...toOutcome(error, session) }
  } finally {
    if (!(await changes.restore())) session.stopped ??= notUndone
  }
}

/** Returns why a check is not run. */
function findReason(
  { writes, exhausts, prepare, needs, plan }: Check,
  { stopped }: Session,
  options: VerifyOptions,
): string | undefined {
  if (stopped !== undefined && !prepare) return `not run: ${stopped}`
  if (needs && options.urls[needs] === undefined) return `needs --${needs}-url`
  if (writes && !options.allowsWrites) return 'needs --allow-writes'
  if (exhausts && !options.exhausts) return 'needs --exhaust'
  return plan && options.plan === undefined ? `needs --plan ${plan}` : undefined
}

/** Returns the outcome of a check without deviations: it may have examined only some responses. */
async function prepare(check: Check, session: Session): Promise<Outcome> {
  const { stopped } = session
  if (!check.prepare) return { outcome: 'agrees' }
  if (stopped !== undefined) return { outcome: 'skipped', reason: `not complete: ${stopped}` }
  try {
    await check.prepare(session)
    return { outcome: 'agrees' }
  } catch (error) {
    return toOutcome(error, session)
  }
}

function toOutcome(error: unknown, session: Session): Outcome {
  if (session.options.signal?.aborted) {
    session.stopped = 'interrupted'
  } else if (error instanceof Stop) {
    session.stopped = error.message
  } else if (error instanceof Skip) {
    return { outcome: 'skipped', reason: session.mask(error.message) }
  } else if (error instanceof RequestFailure) {
    const reason = session.mask(error.message)
    if (session.failures >= maximumFailures) session.stopped = reason
    return { outcome: 'failed', reason }
  } else throw error
  return { outcome: 'skipped', reason: `not run: ${session.stopped}` }
}

/** Compares the inventory with its state before the checks. */
async function compare(session: Session, changes: Changes): Promise<readonly Unrestored[]> {
  const unrestored = await changes.compare()
  if (unrestored.length > 0) session.stopped ??= notUndone
  return unrestored.map(({ petId, field, ...values }) => {
    // A service can return a key as a status.
    const [now, before] = [toShown(values.now, session), toShown(values.before, session)]
    const request = update(petId, { quantity: Number(before) })
    const curl = field === 'quantity' && { curl: toCurl(request, session.options.urls, '$KEY') }
    return { petId, field, now, before, ...curl }
  })
}

function toFindings(deviations: Deviations, session: Session): readonly Finding[] {
  const { urls, stagingKey } = session.options
  const findings = deviations.slice(0, maximumFindings).map(({ expected, actual, exchanges }) => ({
    expected: toShown(expected, session),
    actual: toShown(actual, session),
    curl: exchanges.map(({ request }) => {
      const isStaging = request.address === 'staging' && stagingKey !== undefined
      return session.mask(toCurl(request, urls, isStaging ? '$STAGING_KEY' : '$KEY'))
    }),
  }))
  const others = deviations.length - findings.length
  const more = { expected: 'none of them', actual: `${others} more findings of this check` }
  return others > 0 ? [...findings, { ...more, curl: [] }] : findings
}

/** Masks before cutting, so that no part of a key remains. */
function toShown(text: string, { mask }: Session): string {
  return truncate(mask(text), 100)
}
