import fc from 'fast-check'
import type { Scenario, ScenarioName, ScenarioSource } from 'petstore-sandbox'
import { anyCommand, type Command, listedKey } from '../control/commands.js'

/** A client with keys to one world. */
export interface Tenant {
  readonly environment: 'production' | 'staging'
  readonly apiKeys: readonly string[]
}

const tenants: readonly Tenant[] = [
  { environment: 'production', apiKeys: ['sbx_free', 'sbx_pro', listedKey] },
  { environment: 'staging', apiKeys: ['sbx_free', 'sbx_business', listedKey] },
  { environment: 'production', apiKeys: ['sbx_free_default_a', 'sbx_enterprise_default_a'] },
  { environment: 'production', apiKeys: ['sbx_free_nearly-limited_a', 'sbx_pro_nearly-limited_a'] },
  { environment: 'production', apiKeys: ['sbx_free_flaky_a', 'sbx_free_flaky'] },
  { environment: 'production', apiKeys: ['sbx_free_sunset-passed', 'sbx_pro_sunset-passed_b'] },
]

const pairs = tenants.flatMap((first) =>
  tenants.filter((second) => second !== first).map((second) => [first, second] as const),
)

/** What a client does. A restore starts its world from a snapshot of the first client's world. */
export type Action = Command | { readonly type: 'restore' }

/** What one of the two tenants of a sequence does. */
export interface Step {
  /** Index of the tenant. */
  readonly who: 0 | 1
  readonly action: Action
}

/** Requests to one sandbox, one after the other. */
export interface Sequence {
  readonly start: ScenarioSource
  readonly tenants: readonly [Tenant, Tenant]
  readonly steps: readonly Step[]
}

const scenarioNames: readonly ScenarioName[] = [
  'empty-store',
  'low-stock',
  'int64-ids',
  'rate-limited',
  'gentle-limit',
  'daily-quota-spent',
  'banned-key',
  'sunset-soon',
  'slow',
  'realistic',
]

const start: fc.Arbitrary<ScenarioSource> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<ScenarioName>('default') },
  { weight: 2, arbitrary: fc.constantFrom(...scenarioNames) },
  {
    weight: 3,
    arbitrary: fc.constant<Scenario>({
      name: 'start',
      extends: 'default',
      apiKeys: [{ key: listedKey, plan: 'business' }],
      plans: {
        free: { requestsPerMinute: 12, requestsPerDay: 40 },
        pro: { requestsPerMinute: 6 },
      },
      rules: { ban: { rejections: 3 } },
    }),
  },
)

const step: fc.Arbitrary<Step> = fc.record({
  // Most steps belong to one tenant, so that they build upon each other.
  who: fc.constantFrom<(0 | 1)[]>(0, 0, 0, 1),
  action: fc.oneof(
    { weight: 30, arbitrary: anyCommand },
    { weight: 1, arbitrary: fc.constant<Action>({ type: 'restore' }) },
  ),
})

export const sequences: fc.Arbitrary<Sequence> = fc.record({
  start,
  tenants: fc.constantFrom(...pairs),
  steps: fc.array(step, { minLength: 1, maxLength: 24, size: 'max' }),
})
