/** A rate-limit plan: requests per fixed window (spec §8). */
export interface PlanLimits {
  readonly requestsPerMinute: number
  readonly requestsPerDay: number
}

/**
 * The plans of spec §8. Enterprise is "custom" there; its limits are assumption A09. An id consists
 * of lower-case letters and digits, because API keys contain it.
 */
export const plans = {
  free: { title: 'Free', requestsPerMinute: 60, requestsPerDay: 1_000 },
  pro: { title: 'Pro', requestsPerMinute: 300, requestsPerDay: 10_000 },
  business: { title: 'Business', requestsPerMinute: 1_000, requestsPerDay: 100_000 },
  enterprise: { title: 'Enterprise', requestsPerMinute: 5_000, requestsPerDay: 500_000 },
} as const satisfies Record<string, PlanLimits & { title: string }>

/** Name of a plan in API keys, such as `free`. */
export type PlanId = keyof typeof plans

export const planIds = Object.keys(plans) as PlanId[] // the keys of a const table
