import fc from 'fast-check'
import type { Scenario, ScenarioName, ScenarioSource } from 'petstore-sandbox'
import type { AccessOptions } from 'petstore-sandbox/server'
import { type CommandRequest, listedKey } from '../control/commands.js'
import { type Action, action, actionOverHttp } from './commands.js'

/** A client with keys to one world. */
export interface Tenant {
  readonly environment: 'production' | 'staging'
  readonly apiKeys: readonly string[]
}

const tenants: readonly Tenant[] = [
  { environment: 'production', apiKeys: ['sbx_free', 'sbx_pro', listedKey] },
  { environment: 'staging', apiKeys: ['sbx_free', 'sbx_business', listedKey] },
  { environment: 'production', apiKeys: ['sbx_free_default_a', 'sbx_enterprise_default_a'] },
  { environment: 'staging', apiKeys: ['sbx_free_default_a'] },
  { environment: 'production', apiKeys: ['sbx_free_nearly-limited_a', 'sbx_pro_nearly-limited_a'] },
  { environment: 'production', apiKeys: ['sbx_free_flaky_a', 'sbx_free_flaky'] },
  { environment: 'production', apiKeys: ['sbx_free_sunset-passed', 'sbx_pro_sunset-passed_b'] },
]

const pairs = tenants.flatMap((first) =>
  tenants.filter((second) => second !== first).map((second) => [first, second] as const),
)

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
  /** Applies over HTTP only. */
  readonly access: AccessOptions | undefined
  readonly steps: readonly Step[]
}

/** The token of the control API, which the first tenant sends and the second does not know. */
export const token = 'token-of-the-operator'

const keySecrets = ['secret-of-the-operator']

const scenarioNames: readonly ScenarioName[] = [
  'empty-store',
  'low-stock',
  'int64-ids',
  'nearly-limited',
  'rate-limited',
  'gentle-limit',
  'daily-quota-spent',
  'banned-key',
  'sunset-soon',
  'sunset-passed',
  'flaky',
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

const access: fc.Arbitrary<AccessOptions | undefined> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  fc.constantFrom<AccessOptions>(
    { control: 'off' },
    { control: token },
    { keyIssuing: token },
    { keySecrets, keyIssuing: 'open' },
    { keySecrets, keyIssuing: 'off', control: token },
  ),
)

function createSequences(
  actions: fc.Arbitrary<Action>,
  settings: fc.Arbitrary<AccessOptions | undefined>,
): fc.Arbitrary<Sequence> {
  // Most steps are those of one tenant, so that they build upon each other.
  const who = fc.constantFrom<(0 | 1)[]>(0, 0, 0, 1)
  const step = fc.record({ who, action: actions })
  return fc.record<Sequence>({
    start,
    tenants: fc.constantFrom(...pairs),
    access: settings,
    steps: fc.array(step, { minLength: 1, maxLength: 24, size: 'max' }),
  })
}

export const sequences = createSequences(action, fc.constant(undefined))
export const sequencesOverHttp = createSequences(actionOverHttp, access)

/** The address of the same name in the environment of a tenant. */
export function toAddress(
  { environment }: Tenant,
  address: CommandRequest['address'],
): CommandRequest['address'] {
  if (environment === 'production') return address
  // The quickstart address belongs to production.
  return address === 'control' ? 'stagingControl' : address === 'quickstart' ? address : 'staging'
}
