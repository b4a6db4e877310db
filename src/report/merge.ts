import type {
  Coverage,
  CoverageCell,
  Evidence,
  Outcome,
  PlanForecast,
  Report,
  RequestTotals,
  RuleResult,
  Timeline,
  TimelineInterval,
} from './report.js'
import { createInterval, emptyTimeline, selectInterval } from './timeline.js'
import { findSmallestPlan } from './what-if.js'

/**
 * Merges reports of several worlds and keys: of the tests of a run, for example. A rule is broken if
 * one of them broke it, and a combination is met if one of them met it. Forecasts are summed, because
 * each world has a quota of its own. The id of a request in the evidence belongs to the world that it
 * comes from, which is not named.
 *
 * @throws {RangeError} If there is no report.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first, ...others] = reports
  if (!first) throw new RangeError('mergeReports needs at least one report, found none')
  if (others.length === 0) return first
  const whatIf = mergeForecasts(reports.map((report) => report.whatIf))
  const isSame = (toValue: (report: Report) => unknown) =>
    others.every((report) => JSON.stringify(toValue(report)) === JSON.stringify(toValue(first)))
  return {
    world: isSame(({ world }) => world) ? first.world : null,
    apiKey: isSame(({ apiKey }) => apiKey) ? first.apiKey : null,
    plan: isSame(({ plan }) => plan) ? first.plan : null,
    createdAt: latest(reports.map(({ createdAt }) => createdAt)) ?? first.createdAt,
    requests: mergeTotals(reports.map(({ requests }) => requests)),
    conduct: groupBy(
      reports.flatMap(({ conduct }) => conduct),
      ({ id }) => id,
    ).map(mergeRule),
    coverage: mergeCoverage(reports.map(({ coverage }) => coverage)),
    whatIf,
    smallestPlan: findSmallestPlan(whatIf),
    timeline: mergeTimelines(reports.map(({ timeline }) => timeline)),
  }
}

/** Returns the items with equal keys, in the order of the first ones. */
function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(toKey(item))
    if (group) group.push(item)
    else groups.set(toKey(item), [item])
  }
  return [...groups.values()]
}

function mergeTotals(totals: readonly RequestTotals[]): RequestTotals {
  return {
    received: sum(totals.map(({ received }) => received)),
    assessed: sum(totals.map(({ assessed }) => assessed)),
    firstAt: earliest(totals.map(({ firstAt }) => firstAt)),
    lastAt: latest(totals.map(({ lastAt }) => lastAt)),
  }
}

const outcomes: readonly Outcome[] = ['broken', 'kept', 'unseen']
const shownViolations = 10
const shownKept = 3

function mergeRule(results: readonly RuleResult[]): RuleResult {
  const outcome = outcomes.find((each) => results.some((result) => result.outcome === each))
  const decisive = results.filter((result) => result.outcome === outcome)
  const [first] = decisive as [RuleResult] // a group is not empty
  const violations = sum(decisive.map((result) => result.violations))
  const evidence = decisive
    .flatMap((result) => result.evidence)
    .slice(0, outcome === 'broken' ? shownViolations : shownKept)
  const severity = decisive.some((result) => result.severity === 'error') ? 'error' : 'warning'
  return { ...first, severity, violations, evidence, finding: mergeFindings(decisive, evidence) }
}

function mergeFindings(results: readonly RuleResult[], evidence: readonly Evidence[]): string {
  const findings = [...new Set(results.map(({ finding }) => finding))]
  const [first = ''] = findings
  if (findings.length === 1 || evidence.length === 0) return first
  return `${first}; and in ${results.length - 1} other reports`
}

function mergeCoverage(coverages: readonly Coverage[]): Coverage {
  const all = coverages.flatMap(({ cells }) => cells)
  const cells = groupBy(all, toCellKey).map((group) => {
    const [first] = group as [CoverageCell] // a group is not empty
    return { ...first, count: sum(group.map(({ count }) => count)) }
  })
  const met = cells.filter(({ count }) => count > 0).length
  return { met, possible: cells.length, cells }
}

function toCellKey({ operation, status, limiter, sunset }: CoverageCell): string {
  return `${operation} ${status} ${limiter} ${sunset}`
}

function mergeForecasts(forecasts: readonly (readonly PlanForecast[])[]): PlanForecast[] {
  return groupBy(forecasts.flat(), ({ plan }) => plan).map((group) => {
    const [{ plan }] = group as [PlanForecast] // a group is not empty
    return {
      plan,
      refused: sum(group.map(({ refused }) => refused)),
      firstRefusalAt: earliest(group.map(({ firstRefusalAt }) => firstRefusalAt)),
      bans: sum(group.map(({ bans }) => bans)),
    }
  })
}

/** Merges timelines. An interval of a coarser timeline counts in that of its start. */
function mergeTimelines(timelines: readonly Timeline[]): Timeline {
  const points = timelines.flatMap(({ startAt, intervalMs, intervals }) =>
    startAt === null
      ? []
      : intervals.map((interval, at) => ({
          atMs: Date.parse(startAt) + at * intervalMs,
          interval,
        })),
  )
  if (points.length === 0) return emptyTimeline
  const firstMs = points.reduce((least, { atMs }) => Math.min(least, atMs), Infinity)
  const lastMs = points.reduce((most, { atMs }) => Math.max(most, atMs), -Infinity)
  const finest = timelines.reduce((most, { intervalMs }) => Math.max(most, intervalMs), 0)
  const intervalMs = Math.max(finest, selectInterval(firstMs, lastMs))
  const startMs = Math.floor(firstMs / intervalMs) * intervalMs
  const length = Math.floor((lastMs - startMs) / intervalMs) + 1
  const intervals = Array.from({ length }, createInterval)
  for (const { atMs, interval } of points) {
    const target = intervals[Math.floor((atMs - startMs) / intervalMs)]
    for (const kind of Object.keys(interval) as (keyof TimelineInterval)[]) {
      if (target) target[kind] += interval[kind]
    }
  }
  return { startAt: new Date(startMs).toISOString(), intervalMs, intervals }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Timestamps in ISO 8601 with the same number of digits sort as strings. */
function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).sort()[0] ?? null
}

function latest(times: readonly (string | null)[]): string | null {
  return (
    times
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? null
  )
}
