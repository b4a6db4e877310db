import { expect, test } from 'vitest'
import { mergeReports } from '../../src/report/merge.js'
import type { Report } from '../../src/report/report.js'
import { openClient } from './support.js'

/** Returns the reports of an impatient client, of a patient one, and of one without a request. */
async function createReports(): Promise<[Report, Report, Report]> {
  const impatient = await openClient('rate-limited')
  await impatient.send('/inventory')
  await impatient.after(500, '/inventory')
  const patient = await openClient('rate-limited', {}, 'pro')
  await patient.after(1_000_000, '/inventory')
  await patient.after(60_000, '/inventory')
  const idle = await openClient()
  return [await impatient.report(), await patient.report(), await idle.report()]
}

function findRule(report: Report, id: string) {
  return report.conduct.find((rule) => rule.id === id)
}

test('a merged report has the worst outcome of each rule, with its evidence', async () => {
  const [impatient, patient, idle] = await createReports()
  const merged = mergeReports([patient, idle, impatient])
  expect(merged.conduct.map(({ id }) => id)).toEqual(idle.conduct.map(({ id }) => id))
  expect(findRule(merged, 'retry-after')).toEqual(findRule(impatient, 'retry-after'))
  expect(findRule(mergeReports([idle, patient]), 'retry-after')).toMatchObject({ outcome: 'kept' })
  expect(findRule(merged, 'int64-exact')).toMatchObject({ outcome: 'unseen' })
  expect(merged).toMatchObject({ world: null, apiKey: null, plan: null })
})

test('a merged report sums requests, coverage, forecasts and timelines', async () => {
  const reports = await createReports()
  const merged = mergeReports(reports)
  expect(merged.requests).toMatchObject({
    received: 4,
    assessed: 4,
    lastAt: reports[1].requests.lastAt,
  })
  const met = merged.coverage.cells.filter(({ count }) => count > 0)
  expect(met.map(({ status, limiter, count }) => [status, limiter, count])).toEqual([
    [200, 'fresh', 1],
    [429, 'exhausted', 3],
  ])
  expect(merged.coverage).toMatchObject({ met: 2, possible: reports[0].coverage.possible })
  const { intervals } = merged.timeline
  expect(intervals.length).toBeLessThanOrEqual(120)
  expect(intervals.reduce((total, { rateLimited }) => total + rateLimited, 0)).toBe(3)
  expect(merged.smallestPlan).toBe('free')
})

test('one report is merged to itself, and none throws', async () => {
  const [report] = await createReports()
  expect(mergeReports([report])).toBe(report)
  expect(() => mergeReports([])).toThrow(RangeError)
})
