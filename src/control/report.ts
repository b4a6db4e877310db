import { z } from 'zod'
import { environments } from '../contract/addresses.js'
import { lazy } from '../contract/lazy.js'
import { planIds, plans } from '../contract/plans.js'
import { timestampSchema } from '../contract/schemas.js'
import type { Report } from '../report/report.js'
import { toReport } from '../report/to-report.js'
import { complete } from '../validation/slices.js'
import { noFacts } from '../world/journal/fact-reader.js'
import { defaultRules } from '../world/rules.js'
import { defineControl, defineResource } from './operation.js'
import { toWorldReport } from './world-report.js'

const totalsSchema = lazy(() =>
  z.strictObject({
    received: z.int().describe('Number of requests, including those that are not assessed.'),
    assessed: z.int().describe('Number of the latest requests that are assessed.'),
    firstAt: timestampSchema().nullable().describe('Time of the first assessed response.'),
    lastAt: timestampSchema().nullable().describe('Time of the last assessed response.'),
  }),
)

const ruleResultSchema = lazy(() =>
  z.strictObject({
    id: z.string().describe('Id of the rule, such as retry-after.'),
    title: z.string().describe('What a client should do.'),
    severity: z
      .enum(['error', 'warning'])
      .describe('error: the client breaks the contract. warning: it works, but should change.'),
    outcome: z
      .enum(['kept', 'broken', 'unseen'])
      .describe('unseen: no request put the rule to the test.'),
    examines: z.string().describe('What the rule examines.'),
    finding: z.string().describe('What was found.'),
    violations: z.int().describe('Number of violations.'),
    evidence: z
      .array(
        z.strictObject({
          request: z.int().describe('Id of the journal entry, which may no longer be retained.'),
          at: timestampSchema().describe('Time of the response.'),
          observation: z.string().describe('What the request shows.'),
        }),
      )
      .describe('The first 10 violations; without one, the first 3 requests that kept the rule.'),
    fix: z.string().describe('What the developer of the client should change.'),
    source: z.string().describe('Section of the specification, or RFC.'),
  }),
)

const coverageSchema = lazy(() =>
  z.strictObject({
    met: z.int().describe('Number of combinations that the client has met.'),
    possible: z.int().describe('Number of combinations.'),
    cells: z.array(
      z.strictObject({
        operation: z.string().describe('Id of the operation.'),
        status: z.int().describe('Documented status.'),
        limiter: z
          .enum(['fresh', 'last', 'exhausted', 'banned'])
          .describe('State of the rate limit. last: the last request of a window.'),
        sunset: z
          .enum(['before', 'after'])
          .nullable()
          .describe('Whether the sunset has passed; null if it makes no difference.'),
        count: z.int().describe('Number of responses.'),
        howTo: z.string().describe('How to produce the combination.'),
      }),
    ),
  }),
)

const forecastSchema = lazy(() =>
  z.strictObject({
    plan: z.enum(planIds),
    refused: z.int().describe('Number of requests that would receive 429.'),
    firstRefusalAt: timestampSchema().nullable().describe('Null if no request would.'),
    bans: z.int().describe('Number of bans that would begin.'),
  }),
)

const intervalSchema = lazy(() =>
  z.strictObject({
    succeeded: z.int(),
    clientErrors: z.int().describe('Statuses 400 to 499 except 429.'),
    rateLimited: z.int().describe('Status 429.'),
    serverErrors: z.int().describe('Statuses from 500.'),
    broken: z.int().describe('A fault or the client closed the connection.'),
  }),
)

/** An assessment of a client. */
const reportSchema = lazy(() =>
  z.strictObject({
    world: z
      .strictObject({ environment: z.enum(environments), scenario: z.string(), label: z.string() })
      .nullable()
      .describe('Identifies the world; null for a report of several worlds.'),
    apiKey: z.string().nullable().describe('Key, masked; null for a report of several keys.'),
    plan: z.enum(planIds).nullable().describe('Plan; null for a report of several plans.'),
    createdAt: timestampSchema().describe('Time of the report, on the clock of the world.'),
    requests: totalsSchema(),
    conduct: z.array(ruleResultSchema()).describe('The result of each rule, errors first.'),
    coverage: coverageSchema().describe(
      'Combinations of operation, documented status, rate limit and sunset.',
    ),
    whatIf: z.array(forecastSchema()).describe('The same requests under each plan.'),
    smallestPlan: z
      .enum(planIds)
      .nullable()
      .describe('The smallest plan that would reject no request; null for none.'),
    timeline: z
      .strictObject({
        startAt: timestampSchema().nullable().describe('Start of the first interval.'),
        intervalMs: z.int().describe('Length of an interval, in milliseconds.'),
        intervals: z.array(intervalSchema()),
      })
      .describe('Number of responses over time, in at most 120 intervals.'),
  }),
)

/** Numbers of entries that the example has of long lists. */
const shownRules = 1
const shownCells = 2

/** Returns an example report, in the `default` scenario. */
function createExample(): Report {
  const report = complete(
    toReport(noFacts, {
      world: { environment: 'production', scenario: 'default', label: '' },
      apiKey: 'sbx_free…',
      plan: 'free',
      nowMs: Date.parse('2026-01-01T09:00:00.000Z'),
      limits: { plans, ban: defaultRules.ban },
      messageStatus: defaultRules.messageStatus,
    }),
  )
  const { conduct, coverage } = report
  return {
    ...report,
    conduct: conduct.slice(0, shownRules),
    coverage: { ...coverage, cells: coverage.cells.slice(0, shownCells) },
  }
}

export const report = defineResource({
  title: 'Report',
  description: 'An assessment of the client from the requests that it sent.',
  operations: {
    getReport: defineControl<undefined, undefined, Report>({
      method: 'GET',
      path: '/report',
      summary: 'Assess the client: conduct, coverage and plans',
      description:
        'Assesses the requests that this key has sent to its world since the world started or its journal was cleared, at most the latest 100,000: whether the client keeps the rules of the service, which documented responses it has met, and what the same requests would have met under each plan.',
      response: {
        description: 'The report.',
        body: {
          name: 'Report',
          schema: reportSchema,
          // Computed for documents only: a server loads this module when it starts.
          get example() {
            return createExample()
          },
        },
      },
      async run({ world, accountId, apiKey, host }) {
        const isUsedElsewhere = host.access.hidesDetails(world)
          ? undefined
          : await host.isUsedElsewhere(world, accountId)
        const key = { accountId, apiKey, isUsedElsewhere }
        return await toWorldReport(world, key, host.slices)
      },
    }),
  },
})
