import { z } from 'zod'
import { environments } from '../contract/addresses.js'
import { timestampSchema } from '../contract/schemas.js'
import { clockStateSchema, toClockState } from './clock.js'
import { type ControlRequest, defineControl } from './control-operation.js'
import { quotaStateSchema, toQuotaState } from './quota.js'
import { toTimestamp } from './timestamp.js'

/** Where everything is, below the steering address. */
export const overviewLinks = {
  scenarios: '/scenarios',
  scenario: '/scenario',
  reset: '/reset',
  clock: '/clock',
  quota: '/quota',
  faults: '/faults',
  requests: '/requests',
  events: '/events',
  messages: '/messages',
  pets: '/pets',
  orders: '/orders',
  snapshot: '/snapshot',
  keys: '/keys',
} as const

/** All about a world at a glance. */
export const overviewSchema = z.strictObject({
  world: z
    .strictObject({
      environment: z.enum(environments).describe('The deployment that the world belongs to.'),
      scenario: z.string().describe('The scenario that the key names.'),
      label: z.string().describe('The label that the key carries; empty without one.'),
    })
    .describe('What names the world.'),
  scenario: z.string().describe('The scenario that runs now.'),
  apiKey: z.string().describe('Masked.'),
  clock: clockStateSchema,
  quota: quotaStateSchema,
  deprecation: z
    .strictObject({
      deprecatedAt: timestampSchema,
      sunsetAt: timestampSchema,
      afterSunset: z.enum(['gone', 'serve']),
    })
    .describe('The dates of getPet, and what follows its sunset.'),
  counts: z
    .strictObject({
      pets: z.int(),
      orders: z.int(),
      messages: z.int(),
      faults: z.int(),
      requests: z.int().describe('Calls in the journal.'),
    })
    .describe('How much there is of everything.'),
  links: z
    .record(z.string(), z.string())
    .describe('Where everything is, below the steering address.'),
})

export const getOverview = defineControl({
  method: 'GET',
  path: '',
  resource: 'Overview',
  summary: 'See the world, its clock, quota and counts at a glance',
  response: overviewSchema,
  run: toOverview,
})

/** The overview of a world for one key. */
export function toOverview(
  step: Pick<ControlRequest, 'world' | 'accountId' | 'apiKey'>,
): z.output<typeof overviewSchema> {
  const { world, apiKey } = step
  return {
    world: world.name,
    scenario: world.scenario,
    apiKey,
    clock: toClockState(step),
    quota: toQuotaState(step),
    deprecation: {
      deprecatedAt: toTimestamp(world.deprecation.deprecatedAtMs),
      sunsetAt: toTimestamp(world.deprecation.sunsetAtMs),
      afterSunset: world.deprecation.afterSunset,
    },
    counts: {
      pets: world.db.petCount,
      orders: world.db.orderCount,
      messages: world.db.messageCount,
      faults: world.faults.list().length,
      requests: world.journal.size,
    },
    links: { ...overviewLinks },
  }
}
