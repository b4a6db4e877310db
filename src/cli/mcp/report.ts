import { partition } from 'es-toolkit/array'
import { pick } from 'es-toolkit/object'
import * as z from 'zod/mini'
import type { ControlResult } from '../../control/operations.js'
import { groupByOperation, groupMissing } from '../../report/format/coverage.js'
import {
  describeConduct,
  describeCoverage,
  describeRequests,
  describeSmallestPlan,
  describeUnattributed,
  sortRules,
} from '../../report/format/words.js'
import { describeWays, selectWays } from '../../report/how-to.js'
import type { CoverageCell } from '../../report/report.js'
import * as ruleTable from '../../report/rules/table.js'
import { annotate } from '../../service/annotate.js'
import { type OperationId, operations } from '../../service/operations/operations.js'
import { describeValue } from '../../service/validation/validate.js'
import { UsageError } from '../../verify/usage-error.js'
import { recordedNote } from './recorded.js'
import { defineTool, type ToolOutput } from './tool.js'

/** The call of a tool that puts the client to the test, by the id of the rule. */
export const rehearsals: ReadonlyMap<string, string> = new Map([
  // Two, because the first retry may use another connection: whether it had the response is then unknown.
  [
    'retry-after',
    'set_faults {"faults":[{"type":"status","status":429,"retryAfterSeconds":2,"atMost":2}]}',
  ],
  ['back-off', 'set_faults {"faults":[{"type":"status","status":503,"atMost":4}]}'],
  ['stop-on-401', 'set_faults {"faults":[{"type":"status","status":401,"atMost":1}]}'],
  [
    'message-once',
    'set_faults {"faults":[{"type":"reset","phase":"after","operation":"sendMessage","atMost":1}]}',
  ],
  ['int64-exact', 'use_scenario {"scenario":"int64-ids"}'],
  ['no-ban', 'set_quota {"minute":{"remaining":0}}'],
  ['no-repeat', 'set_faults {"faults":[{"type":"status","status":404,"atMost":1}]}'],
])

type Report = ControlResult<'getReport'>

/** Maximum number of missing combinations that coverage lists for all operations. */
const maximumMissing = 20

/** Maximum number of unseen rules that a report says how to rehearse. */
const maximumRehearsals = 4

const operationIds = Object.keys(operations) as OperationId[] // the keys of the table

export const report = defineTool('getReport', {
  description:
    'Assesses the client from its requests: which rules of the service it keeps and breaks, with evidence and what to change, and how to rehearse those that no request has tested.',
  run: async ({ client }) => toReportOutput(await client.send('getReport')),
})

export const coverage = defineTool('getReport', {
  description:
    'Lists the documented responses that the client has not received yet, with the way to produce each.',
  shape: {
    operation: annotate(
      z.optional(z.enum(operationIds)),
      `Lists all of this operation. Default: ${maximumMissing} of all operations.`,
    ),
  },
  run: async ({ client }, { operation }) => {
    if (operation !== undefined && !operationIds.includes(operation as OperationId)) {
      const found = describeValue(operation)
      throw new UsageError(`operation must be one of ${operationIds.join(', ')}, found ${found}`)
    }
    return toCoverageOutput(await client.send('getReport'), operation)
  },
})

function toReportOutput(report: Report): ToolOutput {
  const known = new Map(Object.values(ruleTable).map((rule) => [rule.id, rule]))
  // This version has words for its own rules. Other rules stay in the block.
  const rules = sortRules(report.conduct)
  const [own, foreign] = partition(rules, ({ id }) => known.has(id))
  const list = (outcome: string) => own.filter((rule) => rule.outcome === outcome)
  const toIds = (outcome: string) => list(outcome).map(({ id }) => id)
  const broken = list('broken').map((rule) => ({
    ...rule,
    ...pick(known.get(rule.id) ?? rule, ['title', 'examines', 'fix', 'source']),
  }))
  const evidence = broken.map((rule) => ({
    rule: rule.id,
    finding: rule.finding,
    evidence: rule.evidence.map(({ request, observation }) => `#${request} ${observation}`),
  }))
  const { received, unattributed } = report.requests
  const kept = toIds('kept')
  const unseen = toIds('unseen')
  return {
    text: [
      `Requests: ${describeRequests(report)}. ${describeConduct(report)}.`,
      ...(unattributed > 0 ? [`Without ${describeUnattributed(unattributed)}.`] : []),
      ...broken.map(({ severity, id, title, fix }) => `${severity} ${id}: ${title}. Fix: ${fix}`),
      `kept: ${kept.join(', ') || 'none'}`,
      `unseen: ${unseen.join(', ') || 'none'}`,
      ...listRehearsals(unseen),
      ...(received > 0 ? [`${describeSmallestPlan(report)}.`] : []),
    ].join('\n'),
    recorded: [...evidence, ...foreign],
    next: toNext(report, broken.length, unseen.length),
    data: {
      note: recordedNote,
      ...pick(report, ['world', 'requests', 'whatIf', 'smallestPlan']),
      broken,
      kept,
      unseen,
    },
  }
}

/** Returns how to rehearse the first unseen rules that have a call for it. */
function listRehearsals(unseen: readonly string[]): readonly string[] {
  const lines = unseen.flatMap((id) => {
    const call = rehearsals.get(id)
    return call === undefined ? [] : [`To rehearse ${id}: ${call}, then run your client.`]
  })
  return lines.slice(0, maximumRehearsals)
}

function toNext({ requests }: Report, broken: number, unseen: number): string {
  if (requests.received === 0)
    return 'No request was assessed. Run your client, then call report again.'
  if (broken > 0)
    return 'Fix the client, call reset, produce the same limits and faults again, run the client, and call report.'
  if (unseen > 0)
    return `No rule is broken; ${unseen} are unseen. Rehearse those that your client can meet, and call report again.`
  return 'The report is clean. Call coverage for the responses that the client has not met.'
}

function toCoverageOutput(report: Report, operation: unknown): ToolOutput {
  const { cells, met, possible } = report.coverage
  const missing = groupByOperation(cells.flatMap(withHowTo)).flatMap(([id, group]) =>
    groupMissing(group).map((each) => ({ operation: id, ...each })),
  )
  const wanted = missing.filter((each) => operation === undefined || each.operation === operation)
  const shown = operation === undefined ? wanted.slice(0, maximumMissing) : wanted
  const leftOut = wanted.slice(shown.length)
  const others = [...new Set(leftOut.map((each) => each.operation))]
  return {
    text: [
      `The client has met ${describeCoverage(report)}. Missing, by operation, status and limiter:`,
      ...shown.map((each) => `${each.operation} ${each.combinations}: ${each.howTo}`),
      ...(leftOut.length > 0
        ? [`and ${leftOut.length} more; pass an operation for all of it: ${others.join(', ')}`]
        : []),
    ].join('\n'),
    next: 'Produce one with use_scenario or set_faults, run your client, then call report.',
    data: { met, possible, missing: shown, leftOut: leftOut.length },
  }
}

/** Returns a combination with the way of this version to produce it. Unknown operations are left out. */
function withHowTo(cell: CoverageCell): CoverageCell[] {
  const id = operationIds.find((each) => each === cell.operation)
  return id ? [{ ...cell, howTo: describeWays(id, selectWays(cell)) }] : []
}
