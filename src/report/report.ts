import * as z from 'zod/mini'
import { environments } from '../service/addresses.js'
import { annotate } from '../service/annotate.js'
import { planIds } from '../service/plans.js'
import { timestampSchema } from '../service/schemas.js'

export const evidenceSchema = z.strictObject({
  request: annotate(z.int(), 'Id of the journal entry, which may no longer be retained.'),
  at: annotate(timestampSchema, 'Time of the response.'),
  observation: annotate(
    z.string(),
    'What the request shows: `retried getPet after 0.2 s, Retry-After was 60 s`.',
  ),
  test: annotate(
    z.optional(z.string()),
    'The test that sent the request, only in a report of a test run: `cart.test.ts > retries after 429`.',
  ),
})
/** A request on which a finding is based. */
export type Evidence = z.output<typeof evidenceSchema>

export const ruleResultSchema = z.strictObject({
  id: annotate(z.string(), 'Id of the rule, such as retry-after.'),
  title: annotate(z.string(), 'What a client should do.'),
  severity: annotate(
    z.enum(['error', 'warning']),
    'error: the client breaks the contract, or will fail with the real service. warning: it works, but should change.',
  ),
  outcome: annotate(
    z.enum(['kept', 'broken', 'unseen']),
    'unseen: no request put the rule to the test.',
  ),
  examines: annotate(z.string(), 'What the rule examines, in one sentence.'),
  finding: annotate(
    z.string(),
    'What was found, in one sentence: `2 of 3 retries were sent before Retry-After had passed`.',
  ),
  violations: annotate(z.int(), 'Number of violations.'),
  evidence: annotate(
    z.array(evidenceSchema),
    'The first 10 violations; without one, the first 3 requests that kept the rule.',
  ),
  fix: annotate(z.string(), 'What the developer of the client should change.'),
  source: annotate(
    z.string(),
    'Section of the specification, or RFC: `spec §8 rule 2`, `RFC 9110 §10.2.3`.',
  ),
})
/** The finding of one rule. */
export type RuleResult = z.output<typeof ruleResultSchema>
export type Severity = RuleResult['severity']

export const coverageCellSchema = z.strictObject({
  operation: annotate(z.string(), 'Id of the operation.'),
  status: annotate(z.int(), 'Documented status.'),
  limiter: annotate(
    z.enum(['fresh', 'last', 'exhausted', 'banned']),
    'State of the rate limit. last: the last request of a window.',
  ),
  sunset: annotate(
    z.nullable(z.enum(['before', 'after'])),
    'Whether the sunset has passed; null if it makes no difference: only the success and 410 of a deprecated operation depend on it.',
  ),
  count: annotate(z.int(), 'Number of responses.'),
  howTo: annotate(
    z.string(),
    'How to produce the combination: names a scenario, a fault or a preference.',
  ),
})
/** A combination of an operation, a documented status and the state of the service. */
export type CoverageCell = z.output<typeof coverageCellSchema>
export type LimiterState = CoverageCell['limiter']

export const planForecastSchema = z.strictObject({
  plan: z.enum(planIds),
  refused: annotate(z.int(), 'Number of requests that would receive 429.'),
  firstRefusalAt: annotate(z.nullable(timestampSchema), 'Null if no request would.'),
  bans: annotate(z.int(), 'Number of bans that would begin.'),
})
/** The same arrival times under a plan. */
export type PlanForecast = z.output<typeof planForecastSchema>

export const timelineIntervalSchema = z.strictObject({
  succeeded: z.int(),
  clientErrors: annotate(z.int(), 'Statuses 400 to 499 except 429.'),
  rateLimited: annotate(z.int(), 'Status 429.'),
  serverErrors: annotate(z.int(), 'Statuses from 500.'),
  broken: annotate(z.int(), 'A fault or the client closed the connection.'),
})
/** Number of responses in an interval. */
export type TimelineInterval = z.output<typeof timelineIntervalSchema>

/** Identifies a world. */
export const worldNameSchema = z.strictObject({
  environment: annotate(z.enum(environments), 'Deployment that the world belongs to.'),
  scenario: annotate(z.string(), 'Scenario that the key names.'),
  label: annotate(z.string(), 'Label of the key; empty if it has none.'),
})

export const reportSchema = z.strictObject({
  world: annotate(
    z.nullable(worldNameSchema),
    'Identifies the world; null for a report of several worlds.',
  ),
  apiKey: annotate(z.nullable(z.string()), 'Key, masked; null for a report of several keys.'),
  plan: annotate(z.nullable(z.enum(planIds)), 'Plan; null for a report of several plans.'),
  createdAt: annotate(timestampSchema, 'Time of the report, on the clock of the world.'),
  requests: z.strictObject({
    received: annotate(z.int(), 'Number of requests, including those that are not assessed.'),
    assessed: annotate(z.int(), 'Number of the latest requests that are assessed.'),
    unattributed: annotate(
      z.int(),
      'Number of requests to the world without a valid key, which any client may have sent. They are not assessed.',
    ),
    firstAt: annotate(
      z.nullable(timestampSchema),
      'Time of the first assessed response; null for none.',
    ),
    lastAt: annotate(z.nullable(timestampSchema), 'Time of the last assessed response.'),
  }),
  conduct: annotate(z.array(ruleResultSchema), 'The result of each rule, errors first.'),
  coverage: annotate(
    z.strictObject({
      met: annotate(z.int(), 'Number of combinations that the client has met.'),
      possible: annotate(z.int(), 'Number of combinations.'),
      cells: annotate(z.array(coverageCellSchema), 'One for each combination.'),
    }),
    'Combinations of operation, documented status, rate limit and sunset.',
  ),
  whatIf: annotate(
    z.array(planForecastSchema),
    'What the same requests would have met under each plan, in the order of the plans.',
  ),
  smallestPlan: annotate(
    z.nullable(z.enum(planIds)),
    'The smallest plan that would not have rejected a request; null for none.',
  ),
  timeline: annotate(
    z.strictObject({
      startAt: annotate(z.nullable(timestampSchema), 'Start of the first interval; null for none.'),
      intervalMs: annotate(z.int(), 'Length of an interval, in milliseconds.'),
      intervals: annotate(z.array(timelineIntervalSchema), 'At most 120 intervals, without a gap.'),
    }),
    'Number of responses over time, in intervals of equal length.',
  ),
})
/** Assessment of one client: of the requests that one key has sent to one world. */
export type Report = z.output<typeof reportSchema>
export type Timeline = Report['timeline']
