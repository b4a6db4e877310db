import { pick } from 'es-toolkit/object'
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
import { recordedNote, toRecordedBlock } from './recorded.js'
import { defineTool, type ToolOutput } from './tool.js'

type Report = ControlResult<'getReport'>

/** Maximum number of missing combinations that coverage lists. */
const maximumMissing = 20

export const report = defineTool('getReport', {
  description:
    'Assesses the client from its requests: which rules of the service it keeps and breaks, with evidence and what to change. The report is clean if no rule is broken.',
  run: async ({ client }) => toReportOutput(await client.send('getReport')),
})

export const coverage = defineTool('getReport', {
  description:
    'Lists the documented responses that the client has not received yet, with the way to produce each.',
  run: async ({ client }) => toCoverageOutput(await client.send('getReport')),
})

function toReportOutput(report: Report): ToolOutput {
  const rules = sortRules(report.conduct)
  const broken = rules.filter(({ outcome }) => outcome === 'broken')
  const list = (outcome: string) =>
    rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id)
  const evidence = broken.map((rule) => ({
    rule: rule.id,
    finding: rule.finding,
    evidence: rule.evidence.map(({ request, observation }) => `#${request} ${observation}`),
  }))
  const { unattributed } = report.requests
  const kept = list('kept')
  const unseen = list('unseen')
  return {
    text: [
      `Requests: ${describeRequests(report)}. ${describeConduct(report)}.`,
      ...(unattributed > 0 ? [`Without ${describeUnattributed(unattributed)}.`] : []),
      ...broken.map(({ severity, id, title, fix }) => `${severity} ${id}: ${title}. Fix: ${fix}`),
      ...(broken.length > 0 ? [toRecordedBlock(evidence)] : []),
      `kept: ${kept.join(', ') || 'none'}`,
      `unseen: ${unseen.join(', ') || 'none'}`,
      `${describeSmallestPlan(report)}.`,
    ].join('\n'),
    next: toNext(report, broken.length),
    data: {
      note: recordedNote,
      ...pick(report, ['world', 'requests', 'whatIf', 'smallestPlan']),
      broken,
      kept,
      unseen,
    },
  }
}

function toNext({ requests }: Report, broken: number): string {
  if (requests.received === 0)
    return 'No request was assessed. Run your client, then call report again.'
  if (broken === 0)
    return 'The report is clean. Call coverage for the responses that the client has not met.'
  return 'Fix the client, call reset, produce the same limits and faults again, run the client, and call report.'
}

function toCoverageOutput(report: Report): ToolOutput {
  const { cells, met, possible } = report.coverage
  const missing = groupByOperation(cells).flatMap(([operation, group]) =>
    groupMissing(group).map((each) => ({ operation, ...each })),
  )
  const shown = missing.slice(0, maximumMissing)
  const leftOut = missing.length - shown.length
  return {
    text: [
      `The client has met ${describeCoverage(report)}. Missing, by operation, status and limiter:`,
      ...shown.map(
        ({ operation, combinations, howTo }) => `${operation} ${combinations}: ${howTo}`,
      ),
      ...(leftOut > 0 ? [`and ${leftOut} more`] : []),
    ].join('\n'),
    next: 'Produce one with use_scenario or set_faults, run your client, then call report.',
    data: { met, possible, missing: shown, leftOut },
  }
}
