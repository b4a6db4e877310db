import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { findSmallestPlan, forecastPlans } from '../../src/report/what-if.js'
import { planIds, plans } from '../../src/service/plans.js'
import { Random } from '../../src/world/random.js'
import { defaultRules } from '../../src/world/rules.js'
import { openClient, startMs } from './support.js'

/** Limits that few requests reach. */
const small = {
  free: { requestsPerMinute: 3, requestsPerDay: 12 },
  pro: { requestsPerMinute: 5, requestsPerDay: 25 },
  business: { requestsPerMinute: 9, requestsPerDay: 40 },
  enterprise: { requestsPerMinute: 1_000, requestsPerDay: 100_000 },
}

/** Returns ascending times: bursts, pauses of seconds, and now and then of hours. */
function drawArrivals(seed: number): Float64Array {
  const random = new Random(seed)
  const draw = (limit: number) => Math.floor(random.next() * limit)
  const gaps = [
    () => 0,
    () => draw(2_000),
    () => draw(2_000),
    () => draw(90_000),
    () => draw(40_000_000),
  ]
  let at = startMs
  return Float64Array.from({ length: 80 }, () => {
    const gap = gaps[draw(draw(10) === 0 ? 5 : 4)]
    at += gap?.() ?? 0
    return at
  })
}

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'the forecast is what the same arrivals meet under each plan (seed %i)',
  async (seed) => {
    const ban = { rejections: 4, seconds: 300 }
    const arrivals = drawArrivals(seed)
    const forecasts = forecastPlans(arrivals, { plans: small, ban })
    let realMs = startMs
    const scenario = { name: 'small', extends: ['default'], plans: small, rules: { ban } }
    const sandbox = await createSandbox({ now: () => realMs, scenario })
    for (const forecast of forecasts) {
      realMs = startMs
      sandbox.reset()
      const codes: (string | undefined)[] = []
      const headers = { Authorization: `Bearer sbx_${forecast.plan}` }
      for (const at of arrivals) {
        realMs = at
        const response = await sandbox.fetch('https://api.petstore.example/v1/inventory', {
          headers,
        })
        codes.push(response.ok ? undefined : ((await response.json()) as { code: string }).code)
      }
      const first = codes.findIndex((code) => code !== undefined)
      const refused = codes.filter((code) => code !== undefined).length
      expect(forecast).toMatchObject({
        refused,
        firstRefusalAt: first < 0 ? null : new Date(arrivals[first] ?? 0).toISOString(),
      })
      expect(forecast.bans).toBe(countBans(arrivals, codes, ban.seconds))
    }
  },
)

/** Counts the bans in executed requests: a ban begins after the previous ban has ended. */
function countBans(
  arrivals: Float64Array,
  codes: readonly (string | undefined)[],
  seconds: number,
) {
  let bans = 0
  let untilMs = 0
  for (const [index, code] of codes.entries()) {
    const at = arrivals[index] ?? 0
    if (code !== 'api_key_banned' || at < untilMs) continue
    bans += 1
    untilMs = at + seconds * 1_000
  }
  return bans
}

test('a report forecasts the requests of the key under each plan', async () => {
  const client = await openClient()
  for (let sent = 0; sent < 75; sent += 1) await client.send('/inventory')
  // Not charged: no operation has the path.
  await client.send('/unknown')
  const { whatIf, smallestPlan } = await client.report()
  const none = { refused: 0, firstRefusalAt: null, bans: 0 }
  expect(whatIf).toEqual([
    { plan: 'free', refused: 15, firstRefusalAt: '2026-01-15T09:00:00.000Z', bans: 1 },
    { plan: 'pro', ...none },
    { plan: 'business', ...none },
    { plan: 'enterprise', ...none },
  ])
  expect(smallestPlan).toBe('pro')
})

test('no plan fits more requests than the largest one allows', () => {
  const arrivals = new Float64Array(6_000).fill(startMs)
  const limits = { plans, ban: defaultRules.ban }
  const forecasts = forecastPlans(arrivals, limits)
  expect(forecasts.map(({ plan }) => plan)).toEqual(planIds)
  expect(findSmallestPlan(forecasts)).toBeNull()
})
