import * as z from 'zod/mini'
import type { Report } from '../report/report.js'
import { toReport } from '../report/to-report.js'
import { environments } from '../service/addresses.js'
import { annotate } from '../service/annotate.js'
import { planIds } from '../service/plans.js'
import { timestampSchema } from '../service/schemas.js'
import { hidesDetails } from './access.js'
import { type ControlResource, defineControl } from './operation.js'

const worldSchema = z.strictObject({
  environment: z.enum(environments),
  scenario: z.string(),
  label: z.string(),
})

const totalsSchema = z.strictObject({
  received: annotate(z.int(), 'Number of requests, including those that are not assessed.'),
  assessed: annotate(z.int(), 'Number of the latest requests that are assessed.'),
  unattributed: annotate(
    z.int(),
    'Number of requests to the world without a valid key, which any client may have sent. They are not assessed.',
  ),
  firstAt: annotate(z.nullable(timestampSchema), 'Time of the first assessed response.'),
  lastAt: annotate(z.nullable(timestampSchema), 'Time of the last assessed response.'),
})

const evidenceSchema = z.strictObject({
  request: annotate(z.int(), 'Id of the journal entry, which may no longer be retained.'),
  at: annotate(timestampSchema, 'Time of the response.'),
  observation: annotate(z.string(), 'What the request shows.'),
})

const ruleResultSchema = z.strictObject({
  id: annotate(z.string(), 'Id of the rule, such as retry-after.'),
  title: annotate(z.string(), 'What a client should do.'),
  severity: annotate(
    z.enum(['error', 'warning']),
    'error: the client breaks the contract. warning: it works, but should change.',
  ),
  outcome: annotate(
    z.enum(['kept', 'broken', 'unseen']),
    'unseen: no request put the rule to the test.',
  ),
  examines: annotate(z.string(), 'What the rule examines.'),
  finding: annotate(z.string(), 'What was found.'),
  violations: annotate(z.int(), 'Number of violations.'),
  evidence: annotate(
    z.array(evidenceSchema),
    'The first 10 violations; without one, the first 3 requests that kept the rule.',
  ),
  fix: annotate(z.string(), 'What the developer of the client should change.'),
  source: annotate(z.string(), 'Section of the specification, or RFC.'),
})

const cellSchema = z.strictObject({
  operation: annotate(z.string(), 'Id of the operation.'),
  status: annotate(z.int(), 'Documented status.'),
  limiter: annotate(
    z.enum(['fresh', 'last', 'exhausted', 'banned']),
    'State of the rate limit. last: the last request of a window.',
  ),
  sunset: annotate(
    z.nullable(z.enum(['before', 'after'])),
    'Whether the sunset has passed; null if it makes no difference.',
  ),
  count: annotate(z.int(), 'Number of responses.'),
  howTo: annotate(z.string(), 'How to produce the combination.'),
})

const coverageSchema = z.strictObject({
  met: annotate(z.int(), 'Number of combinations that the client has met.'),
  possible: annotate(z.int(), 'Number of combinations.'),
  cells: z.array(cellSchema),
})

const forecastSchema = z.strictObject({
  plan: z.enum(planIds),
  refused: annotate(z.int(), 'Number of requests that would receive 429.'),
  firstRefusalAt: annotate(z.nullable(timestampSchema), 'Null if no request would.'),
  bans: annotate(z.int(), 'Number of bans that would begin.'),
})

const intervalSchema = z.strictObject({
  succeeded: z.int(),
  clientErrors: annotate(z.int(), 'Statuses 400 to 499 except 429.'),
  rateLimited: annotate(z.int(), 'Status 429.'),
  serverErrors: annotate(z.int(), 'Statuses from 500.'),
  broken: annotate(z.int(), 'A fault or the client closed the connection.'),
})

const timelineSchema = z.strictObject({
  startAt: annotate(z.nullable(timestampSchema), 'Start of the first interval.'),
  intervalMs: annotate(z.int(), 'Length of an interval, in milliseconds.'),
  intervals: z.array(intervalSchema),
})

/** An assessment of a client. */
const reportSchema = z.strictObject({
  world: annotate(
    z.nullable(worldSchema),
    'Identifies the world; null for a report of several worlds.',
  ),
  apiKey: annotate(z.nullable(z.string()), 'Key, masked; null for a report of several keys.'),
  plan: annotate(z.nullable(z.enum(planIds)), 'Plan; null for a report of several plans.'),
  createdAt: annotate(timestampSchema, 'Time of the report, on the clock of the world.'),
  requests: totalsSchema,
  conduct: annotate(z.array(ruleResultSchema), 'The result of each rule, errors first.'),
  coverage: annotate(
    coverageSchema,
    'Combinations of operation, documented status, rate limit and sunset.',
  ),
  whatIf: annotate(z.array(forecastSchema), 'The same requests under each plan.'),
  smallestPlan: annotate(
    z.nullable(z.enum(planIds)),
    'The smallest plan that would reject no request; null for none.',
  ),
  timeline: annotate(timelineSchema, 'Number of responses over time, in at most 120 intervals.'),
})

export const report = {
  title: 'Report',
  description: 'An assessment of the client from the requests that it sent.',
  operations: {
    getReport: defineControl<undefined, undefined, Report>({
      isPrepared: true,
      method: 'GET',
      path: '/report',
      summary: 'Assess the client: conduct, coverage and plans',
      description:
        'Assesses the requests that this key has sent to its world since the world started or its journal was cleared, at most the latest 10,000: whether the client keeps the rules of the service, which documented responses it has met, and what the same requests would have met under each plan.',
      response: {
        description: 'The report.',
        body: { name: 'Report', schema: reportSchema },
      },
      async run({ world, accountId, apiKey, sandbox }) {
        const isUsedElsewhere = hidesDetails(sandbox.access, world)
          ? undefined
          : await sandbox.worlds.isUsedElsewhere(world, accountId)
        return toReport(world, { accountId, apiKey, isUsedElsewhere })
      },
    }),
  },
} satisfies ControlResource
