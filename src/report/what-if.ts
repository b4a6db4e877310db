import { type PlanId, type PlanLimits, planIds } from '../service/plans.js'
import { toTimestamp } from '../service/timestamp.js'
import { Account } from '../world/quota/account.js'
import type { BanRule } from '../world/quota/settings.js'
import type { PlanForecast } from './report.js'

/** The limits of a scenario. */
export interface Limits {
  readonly plans: Readonly<Record<PlanId, PlanLimits>>
  readonly ban: BanRule
}

/**
 * Computes the responses to requests at the given times under each plan, starting with an unused quota.
 *
 * @param arrivals Times in milliseconds since the epoch, ascending.
 */
export function forecastPlans(arrivals: Float64Array, limits: Limits): PlanForecast[] {
  return planIds.map((plan) => forecastPlan(arrivals, plan, limits))
}

function forecastPlan(arrivals: Float64Array, plan: PlanId, limits: Limits): PlanForecast {
  const options = { plan, limits: limits.plans[plan], banRule: limits.ban, now: () => 0 }
  const account = new Account(options)
  let refused = 0
  let bans = 0
  let firstRefusalMs: number | undefined
  for (const nowMs of arrivals) {
    const wasBanned = account.isBanned(nowMs)
    const { rejection } = account.charge(nowMs)
    if (rejection === undefined) continue
    refused += 1
    firstRefusalMs ??= nowMs
    if (rejection === 'api_key_banned' && !wasBanned) bans += 1
  }
  const firstRefusalAt = firstRefusalMs === undefined ? null : toTimestamp(firstRefusalMs)
  return { plan, refused, firstRefusalAt, bans }
}

/** Adds the forecasts of another client. */
export function addForecasts(
  forecasts: readonly PlanForecast[],
  others: readonly PlanForecast[],
): PlanForecast[] {
  return forecasts.map((forecast, at) => {
    const other = others[at] ?? forecast // every client has a forecast for each plan
    const times = [forecast.firstRefusalAt, other.firstRefusalAt].filter((time) => time !== null)
    return {
      plan: forecast.plan,
      refused: forecast.refused + other.refused,
      firstRefusalAt: times.toSorted()[0] ?? null,
      bans: forecast.bans + other.bans,
    }
  })
}

/** Returns the smallest plan that rejects nothing; null for none. */
export function findSmallestPlan(forecasts: readonly PlanForecast[]): PlanId | null {
  return forecasts.find(({ refused }) => refused === 0)?.plan ?? null
}
