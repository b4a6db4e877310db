import type {
  CoverageCell,
  LimiterState,
  Report,
  RuleResult,
  TimelineInterval,
} from '../../src/report/report.js'
import { planIds } from '../../src/service/plans.js'

/** Returns the time of a request `seconds` after the start of the reports below. */
function at(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 15, 9) + seconds * 1_000).toISOString()
}

/** Returns a rule that is kept, except for the given fields. */
function createRule(fields: Partial<RuleResult> = {}): RuleResult {
  return {
    id: 'no-ban',
    title: 'Is never banned',
    severity: 'error',
    outcome: 'kept',
    examines: 'Whether the key was banned.',
    finding: 'no request was rejected because of a ban',
    violations: 0,
    evidence: [],
    fix: 'Stop sending requests when the service answers 429.',
    source: 'spec §8 rule 3',
    ...fields,
  }
}

/** A broken rule of severity error. */
const brokenError: RuleResult = createRule({
  id: 'retry-after',
  title: 'Waits as long as Retry-After says',
  outcome: 'broken',
  examines: 'How long the client waits after a 429 before it repeats the request.',
  finding: '2 of 3 retries were sent before Retry-After had passed',
  violations: 12,
  evidence: [
    { request: 62, at: at(61.2), observation: 'retried getPet after 0.2 s, Retry-After was 59 s' },
    { request: 63, at: at(62), observation: 'retried getPet after 0.8 s, Retry-After was 58 s' },
  ],
  fix: 'Read the header Retry-After of a response with 429, and send the next request when that number of seconds has passed.',
  source: 'spec §8 rule 2, RFC 9110 §10.2.3',
})

/** A broken rule of severity warning. */
export const brokenWarning: RuleResult = createRule({
  id: 'deprecated-in-use',
  title: 'Does not use the deprecated operation',
  severity: 'warning',
  outcome: 'broken',
  examines: 'Whether the client sends requests for getPet, which is deprecated.',
  finding: '40 requests for getPet before its sunset',
  violations: 40,
  evidence: [{ request: 3, at: at(2), observation: 'getPet, 90 days before the sunset' }],
  fix: 'Use getInventoryItem instead of getPet.',
  source: 'spec §5, RFC 8594',
})

const kept = createRule({
  evidence: [{ request: 61, at: at(61), observation: 'listInventory was rejected with 429' }],
})

const unseen = createRule({
  id: 'int64-exact',
  title: 'Keeps int64 ids exact',
  outcome: 'unseen',
  finding: 'no response contained an id beyond 2^53',
})

/** Returns the combinations of an operation. The client has met every third one. */
function createCells(operation: string, request: string, statuses: readonly number[]) {
  const isDeprecated = operation === 'getPet'
  const success = [
    createCell(operation, 200, 'fresh', isDeprecated ? 'before' : null),
    createCell(operation, 200, 'last', isDeprecated ? 'before' : null),
    ...(isDeprecated ? [createCell(operation, 200, 'fresh', 'after')] : []),
  ]
  const errors = statuses.flatMap((status) => {
    if (status === 410) return [createCell(operation, status, 'fresh', 'after')]
    if (status !== 429) return [createCell(operation, status, 'fresh')]
    return [createCell(operation, 429, 'exhausted'), createCell(operation, 429, 'banned')]
  })
  return [...success, ...errors].map(
    (cell, index): CoverageCell => ({
      ...cell,
      count: index % 3 === 0 ? 10 ** (index % 7) : 0,
      howTo: `${request} ${cell.howTo}`,
    }),
  )
}

function createCell(
  operation: string,
  status: number,
  limiter: LimiterState,
  sunset: CoverageCell['sunset'] = null,
): CoverageCell {
  const howTo = `with Prefer: code=${status}, or after the fault {"type":"status","status":${status}} was added`
  return { operation, status, limiter, sunset, count: 0, howTo: scenarios[limiter] ?? howTo }
}

const scenarios: Readonly<Partial<Record<LimiterState, string>>> = {
  last: 'in the scenario nearly-limited',
  exhausted: 'in the scenario rate-limited',
  banned: 'in the scenario banned-key',
}

const cells = [
  ...createCells('listInventory', 'GET /inventory', [401, 429, 500, 503]),
  ...createCells('updateInventory', 'PATCH /inventory/7', [400, 401, 404, 415, 429, 500, 503]),
  ...createCells('getPet', 'GET /pets/7', [401, 404, 410, 429, 500, 503]),
  ...createCells('listOrders', 'GET /orders', [401, 429, 500, 503]),
  ...createCells('sendMessage', 'POST /messages', [400, 401, 429, 500, 503]),
]

function createInterval(index: number): TimelineInterval {
  return {
    succeeded: Math.round(20 + 15 * Math.sin(index / 6)),
    clientErrors: index % 7 === 0 ? 3 : 0,
    rateLimited: index > 40 && index < 60 ? 12 : 0,
    serverErrors: index % 17 === 0 ? 4 : 0,
    broken: index % 29 === 0 ? 2 : 0,
  }
}

const noResponses: TimelineInterval = {
  succeeded: 0,
  clientErrors: 0,
  rateLimited: 0,
  serverErrors: 0,
  broken: 0,
}

const intervals = Array.from({ length: 100 }, (_, index) => createInterval(index))
const assessed = intervals
  .flatMap((interval) => Object.values(interval))
  .reduce((sum, count) => sum + count, 0)

/** A report with every outcome. */
export const fullReport: Report = {
  world: { environment: 'production', scenario: 'default', label: 'ci' },
  apiKey: 'sbx_free_de…',
  plan: 'free',
  createdAt: at(700),
  requests: {
    received: assessed + 500,
    assessed,
    unattributed: 0,
    firstAt: at(0),
    lastAt: at(500),
  },
  conduct: [unseen, brokenWarning, kept, brokenError],
  coverage: { met: cells.filter(({ count }) => count > 0).length, possible: cells.length, cells },
  whatIf: planIds.map((plan, index) => ({
    plan,
    refused: [420, 12, 0, 0][index] ?? 0,
    firstRefusalAt: index < 2 ? at(60 + index) : null,
    bans: index === 0 ? 3 : 0,
  })),
  smallestPlan: 'business',
  timeline: {
    startAt: at(0),
    intervalMs: 5_000,
    intervals,
  },
}

/** A report of a key that has sent no request. */
export const emptyReport: Report = {
  ...fullReport,
  requests: { received: 0, assessed: 0, unattributed: 0, firstAt: null, lastAt: null },
  conduct: [createRule({ outcome: 'unseen', finding: 'no request' })],
  coverage: { met: 0, possible: cells.length, cells: cells.map((cell) => ({ ...cell, count: 0 })) },
  whatIf: planIds.map((plan) => ({ plan, refused: 0, firstRefusalAt: null, bans: 0 })),
  smallestPlan: 'free',
  timeline: { startAt: null, intervalMs: 1_000, intervals: [] },
}

/** A report that merges several worlds. */
export const mergedReport: Report = { ...fullReport, world: null, apiKey: null, plan: null }

/** A report whose every request was rejected, in a single interval. */
export const shortReport: Report = {
  ...fullReport,
  requests: { received: 1, assessed: 1, unattributed: 0, firstAt: at(0), lastAt: at(0) },
  smallestPlan: null,
  timeline: { startAt: at(0), intervalMs: 1_000, intervals: [{ ...noResponses, rateLimited: 1 }] },
}

/** Returns a report whose every string is replaced, except for names that the contract defines. */
export function createHostileReport(text: string): Report {
  const hostile = (rule: RuleResult): RuleResult => ({
    ...rule,
    id: text,
    title: text,
    examines: text,
    finding: text,
    fix: text,
    source: text,
    evidence: [{ request: 1, at: text, observation: text }],
  })
  return {
    ...fullReport,
    world: { environment: 'production', scenario: text, label: text },
    apiKey: text,
    createdAt: text,
    requests: { received: 1, assessed: 1, unattributed: 0, firstAt: text, lastAt: text },
    conduct: fullReport.conduct.map(hostile),
    coverage: {
      ...fullReport.coverage,
      cells: cells.map((cell) => ({ ...cell, operation: text, howTo: text })),
    },
    whatIf: fullReport.whatIf.map((forecast) => ({ ...forecast, firstRefusalAt: text })),
    timeline: { ...fullReport.timeline, startAt: text },
  }
}
