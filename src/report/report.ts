import type { Environment } from '../service/addresses.js'
import type { PlanId } from '../service/plans.js'

/** Assessment of one client: of the requests that one key has sent to one world. */
export interface Report {
  /** Null for a report that merges several worlds. */
  readonly world: {
    readonly environment: Environment
    readonly scenario: string
    readonly label: string
  } | null
  /** Masked; null for a report that merges several keys. */
  readonly apiKey: string | null
  /** Null for a report that merges several plans. */
  readonly plan: PlanId | null
  /** Time of the report, on the clock of the world. */
  readonly createdAt: string
  readonly requests: RequestTotals
  readonly conduct: readonly RuleResult[]
  readonly coverage: Coverage
  /** What the same requests would have met under each plan, in the order of the plans. */
  readonly whatIf: readonly PlanForecast[]
  /** The smallest plan that would not have rejected a request; null for none. */
  readonly smallestPlan: PlanId | null
  readonly timeline: Timeline
}

export interface RequestTotals {
  /** Number of requests, including those that are not assessed. */
  readonly received: number
  /** Number of the latest requests that are assessed. */
  readonly assessed: number
  /** Number of requests to the world without a valid key, which any client may have sent. */
  readonly unattributed: number
  /** Time of the first assessed request; null for none. */
  readonly firstAt: string | null
  readonly lastAt: string | null
}

/**
 * `error`: the client breaks the contract, or will fail with the real service. `warning`: it works,
 * but should change.
 */
export type Severity = 'error' | 'warning'

/** `unseen`: no request put the rule to the test. */
export type Outcome = 'kept' | 'broken' | 'unseen'

/** What one rule found. */
export interface RuleResult {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly outcome: Outcome
  /** What the rule examines, in one sentence. */
  readonly examines: string
  /** What was found, in one sentence: `2 of 3 retries were sent before Retry-After had passed`. */
  readonly finding: string
  /** Number of violations. */
  readonly violations: number
  /** The first violations, at most 10; without one, the first requests that kept the rule, at most 3. */
  readonly evidence: readonly Evidence[]
  /** What the developer of the client should change. */
  readonly fix: string
  /** Section of the specification, or RFC: `spec §8 rule 2`, `RFC 9110 §10.2.3`. */
  readonly source: string
}

/** A request on which a finding is based. */
export interface Evidence {
  /** Id of the journal entry, which the journal may no longer retain. */
  readonly request: number
  /** Time of the response. */
  readonly at: string
  /** What the request shows: `retried getPet after 0.2 s, Retry-After was 60 s`. */
  readonly observation: string
  /** The test that sent the request, in a report of a test run: `cart.test.ts > retries after 429`. */
  readonly test?: string | undefined
}

/** States of the rate limiter. `last`: the request used the last one of a window. */
export type LimiterState = 'fresh' | 'last' | 'exhausted' | 'banned'

export interface Coverage {
  /** Number of cells that the client has met. */
  readonly met: number
  readonly possible: number
  readonly cells: readonly CoverageCell[]
}

/** A combination of an operation, a documented status and the state of the service. */
export interface CoverageCell {
  readonly operation: string
  readonly status: number
  readonly limiter: LimiterState
  /** Null if it makes no difference: only the success and 410 of a deprecated operation depend on it. */
  readonly sunset: 'before' | 'after' | null
  /** Number of responses. */
  readonly count: number
  /** How to produce the combination: names a scenario, a fault or a preference. */
  readonly howTo: string
}

/** The same arrival times under a plan. */
export interface PlanForecast {
  readonly plan: PlanId
  /** Number of requests that would receive 429. */
  readonly refused: number
  readonly firstRefusalAt: string | null
  /** Number of bans that would start. */
  readonly bans: number
}

/** Number of responses over time, in intervals of equal length. */
export interface Timeline {
  /** Start of the first interval; null if there is no request. */
  readonly startAt: string | null
  readonly intervalMs: number
  /** At most 120 intervals, without a gap. */
  readonly intervals: readonly TimelineInterval[]
}

export interface TimelineInterval {
  readonly succeeded: number
  /** Statuses 400 to 499 except 429. */
  readonly clientErrors: number
  readonly rateLimited: number
  readonly serverErrors: number
  /** Requests without a response: a fault or the client closed the connection. */
  readonly broken: number
}
