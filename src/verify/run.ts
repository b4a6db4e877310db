import { createMask } from '../service/mask.js'
import { truncate } from '../service/validation/message.js'
import { greet } from './base-url.js'
import type { Unrestored } from './changes.js'
import { type Check, type Deviation, type Quote, Skip } from './check.js'
import { addressChecks } from './checks/addresses.js'
import { authenticationChecks } from './checks/authentication.js'
import { chargeChecks } from './checks/charges.js'
import { everyResponseChecks } from './checks/every-response.js'
import { exhaustingChecks, limitChecks } from './checks/limits.js'
import { listInventoryChecks } from './checks/list-inventory.js'
import { petAndOrderChecks } from './checks/pets-and-orders.js'
import { sendMessageChecks } from './checks/send-message.js'
import { updateInventoryChecks } from './checks/update-inventory.js'
import { toCurl } from './curl.js'
import { update } from './inventory.js'
import { RequestFailure } from './request.js'
import { Session, type SessionOptions, Stop } from './session.js'

/** Every check, in the order in which they run: those that change something come later. */
export const allChecks: readonly Check[] = [
  ...addressChecks,
  ...listInventoryChecks,
  ...petAndOrderChecks,
  ...authenticationChecks,
  ...limitChecks,
  ...updateInventoryChecks,
  ...sendMessageChecks,
  ...exhaustingChecks,
  ...chargeChecks,
  ...everyResponseChecks,
]

export interface VerifyOptions extends SessionOptions {
  /** Default: all. */
  readonly checks?: readonly Check[]
  readonly allowsWrites: boolean
  /** Whether to use up the limit of the key. */
  readonly exhausts: boolean
}

/** What a run found. */
export interface Verification {
  readonly results: readonly CheckResult[]
  /** Number of requests that were sent. */
  readonly requests: number
  /** Why the run ended early; undefined if it did not. */
  readonly stopped: string | undefined
  /** One line for each request that succeeded only when it was repeated after a 5xx. */
  readonly unreliable: readonly string[]
  /** What could not be undone. */
  readonly unrestored: readonly Leftover[]
}

/** A change that could not be undone, and the command that may undo it. */
export interface Leftover extends Unrestored {
  readonly curl?: string
}

/**
 * `agrees` and `deviates`: what the service does. `skipped`: the check was not run, or the service
 * has no state in which it applies. `failed`: a request of the check had no response.
 */
export type CheckOutcome = 'agrees' | 'deviates' | 'skipped' | 'failed'

export interface CheckResult extends Quote {
  readonly id: string
  readonly outcome: CheckOutcome
  /** Why the check was skipped or failed. */
  readonly reason?: string
  readonly findings: readonly Finding[]
}

/** A deviation as it is shown: without the key, and cut to 100 characters. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** The commands that show it when they are executed in order. */
  readonly curl: readonly string[]
}

/** After this number of requests in a row without a response, the run ends. */
const maximumFailures = 3

/** A check reports no more findings than this. The findings of all responses are often the same. */
const maximumFindings = 5

/**
 * Runs the checks one after the other.
 *
 * @throws {CannotVerify} If the service does not respond, or not like one of its kind.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const session = new Session(options)
  const { key, stagingKey = key } = options
  // URLs may contain the keys, or a response of another sender.
  const mask = createMask([key, stagingKey])
  await greet(session, mask, options.signal)
  const runner = new Runner(session, options, mask)
  const results: CheckResult[] = []
  for (const check of listChecks(options)) {
    // Before the limit is used up.
    if (check.exhausts) await runner.compare()
    results.push(await runner.run(check))
  }
  await runner.compare()
  const { requests, stopped, unreliable } = session
  const { unrestored } = runner
  return { results, requests, stopped, unreliable: unreliable.map(mask), unrestored }
}

/** Returns the checks, without the checks of plans that the key does not have. */
function listChecks({ checks = allChecks, plan: own }: VerifyOptions): readonly Check[] {
  return checks.filter(({ plan }) => plan === undefined || own === undefined || plan === own)
}

type Mask = (text: string) => string

/** Runs checks until one ends the run. */
class Runner {
  readonly unrestored: Leftover[] = []
  readonly #session: Session
  readonly #options: VerifyOptions
  readonly #mask: Mask

  constructor(session: Session, options: VerifyOptions, mask: Mask) {
    this.#session = session
    this.#options = options
    this.#mask = mask
  }

  async run(check: Check): Promise<CheckResult> {
    const { id, section, sentence } = check
    const quote = { id, section, sentence, findings: [] }
    const skipReason = this.#whySkip(check)
    if (skipReason !== undefined) return { ...quote, outcome: 'skipped', reason: skipReason }
    try {
      // Nothing that it changes stays changed while it waits. One request undoes the change.
      if (check.writes) await this.#session.makeRoom(check.requests + 1)
      const failed = await this.#prepare(check)
      const deviations = await check.run(this.#session)
      if (deviations.length === 0) return { ...quote, ...(failed ?? { outcome: 'agrees' }) }
      return { ...quote, outcome: 'deviates', findings: this.#toFindings(deviations) }
    } catch (error) {
      return { ...quote, ...this.#toOutcome(error) }
    } finally {
      if (!(await this.#session.changes.restore()))
        this.#session.stopped ??= 'a change could not be undone'
    }
  }

  /** Returns the outcome of a check that can examine some responses only, unless they deviate. */
  async #prepare({ prepare }: Check): Promise<Pick<CheckResult, 'outcome' | 'reason'> | undefined> {
    if (!prepare) return undefined
    const { stopped } = this.#session
    if (stopped !== undefined) return { outcome: 'skipped', reason: `not complete: ${stopped}` }
    try {
      await prepare(this.#session)
      return undefined
    } catch (error) {
      return this.#toOutcome(error)
    }
  }

  /** Compares the inventory with what it was before the checks. */
  async compare(): Promise<void> {
    for (const unrestored of await this.#session.changes.compare(
      this.#session.stopped === undefined,
    )) {
      const { petId, field } = unrestored
      // A service can return a key as a status.
      const [now, before] = [this.#toShown(unrestored.now), this.#toShown(unrestored.before)]
      const request = update(petId, { quantity: Number(before) })
      const curl = field === 'quantity' && { curl: toCurl(request, this.#options.urls, 'KEY') }
      this.unrestored.push({ petId, field, now, before, ...curl })
      this.#session.stopped ??= 'a change could not be undone'
    }
  }

  #whySkip({ writes, exhausts, prepare, needs, plan }: Check): string | undefined {
    const { urls, allowsWrites, exhausts: mayExhaust, plan: own } = this.#options
    const { stopped } = this.#session
    if (stopped !== undefined && !prepare) return `not run: ${stopped}`
    if (needs && urls[needs] === undefined) return `needs --${needs}-url`
    if (writes && !allowsWrites) return 'needs --allow-writes'
    if (exhausts && !mayExhaust) return 'needs --exhaust'
    if (plan && own === undefined) return `needs --plan ${plan}`
    return undefined
  }

  #toOutcome(error: unknown): Pick<CheckResult, 'outcome' | 'reason'> {
    if (this.#options.signal?.aborted) {
      this.#session.stopped = 'interrupted'
    } else if (error instanceof Stop) {
      this.#session.stopped = error.message
    } else if (error instanceof Skip) {
      return { outcome: 'skipped', reason: this.#mask(error.message) }
    } else if (error instanceof RequestFailure) {
      const reason = this.#mask(error.message)
      if (this.#session.failures >= maximumFailures) this.#session.stopped = reason
      return { outcome: 'failed', reason }
    } else throw error
    return { outcome: 'skipped', reason: `not run: ${this.#session.stopped}` }
  }

  #toFindings(deviations: readonly Deviation[]): readonly Finding[] {
    const findings = deviations.slice(0, maximumFindings).map((deviation) => ({
      expected: this.#toShown(deviation.expected),
      actual: this.#toShown(deviation.actual),
      curl: deviation.exchanges.map(({ request }) => {
        const isStaging = request.address === 'staging' && this.#options.stagingKey !== undefined
        const command = toCurl(request, this.#options.urls, isStaging ? 'STAGING_KEY' : 'KEY')
        return this.#mask(command)
      }),
    }))
    const others = deviations.length - findings.length
    const more = { expected: 'none of them', actual: `${others} more findings of this check` }
    return others > 0 ? [...findings, { ...more, curl: [] }] : findings
  }

  /** Masks before it cuts, so that no part of a key remains. */
  #toShown(text: string): string {
    return truncate(this.#mask(text), 100)
  }
}
