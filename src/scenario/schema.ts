import { z } from 'zod'
import { type PlanId, planIds, plans } from '../contract/plans.js'
import { messageSchema, orderSchema, petSchema } from '../contract/schemas.js'
import { clockSchema } from '../world/clock.js'
import { deprecationSchema } from '../world/deprecation.js'
import { faultsSchema } from '../world/faults/faults.js'
import { accountSchema } from '../world/quota/account.js'
import { rulesSchema } from '../world/rules.js'
import { maximumEntries } from './plain-data.js'
import { createRecordsSchema } from './records-schema.js'

/** The name of a scenario: kebab-case, at most 64 characters. */
export const scenarioNameSchema = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: 'a name in kebab-case of at most 64 characters' })

/**
 * A key that an application has built in. It may not be a plan's name, which selects that plan's
 * own key; `in` refuses names that every object inherits too.
 */
const apiKeySchema = z
  .string()
  .regex(/^(?!sbx_)[\x21-\x7e]{8,200}$/, {
    error: '8 to 200 printable characters without spaces that do not begin with sbx_',
  })
  .refine((key) => !(key in plans), { error: 'a key that is not a plan' })

/** The limits of one plan, which a scenario may change one by one. */
function createLimitsSchema(plan: PlanId) {
  const { title, requestsPerMinute, requestsPerDay } = plans[plan]
  return z
    .strictObject({
      requestsPerMinute: z
        .int()
        .min(1)
        .default(requestsPerMinute)
        .describe('Requests in one minute window.'),
      requestsPerDay: z
        .int()
        .min(1)
        .default(requestsPerDay)
        .describe('Requests in one day window.'),
    })
    .prefault({})
    .describe(`The limits of ${title}.`)
}

function createCountSchema(things: string) {
  return z
    .int()
    .min(0)
    .max(maximumEntries)
    .default(0)
    .describe(`How many ${things}, added to those that are listed.`)
}

/** A scenario file as its author writes it (version 1 of the format); all but `name` is optional. */
export const scenarioSchema = z.strictObject({
  $schema: z.string().optional().describe('Where the editor finds the schema of this file.'),
  name: scenarioNameSchema.describe('Name of the scenario, in kebab-case; an API key carries it.'),
  description: z.string().optional().describe('What the scenario is for, in a sentence.'),
  extends: z
    .union([scenarioNameSchema, z.array(scenarioNameSchema).max(16)], {
      error: 'the name of a scenario, or an array of at most 16 of them',
    })
    .optional()
    .describe('Scenarios that this one builds on; what it states itself wins over theirs.'),
  seed: z.int().default(1).describe('Where all chance comes from: the same seed, the same world.'),
  draws: z
    .int()
    .min(0)
    .default(0)
    .describe('How many numbers were drawn from the seed already; a snapshot states it.'),
  clock: clockSchema.prefault({}).describe('The time of the world.'),
  apiKeys: createRecordsSchema(
    z.strictObject({
      key: apiKeySchema.describe('The key: 8 to 200 printable characters without spaces.'),
      plan: z.enum(planIds).describe('The plan that it is on.'),
    }),
    'key',
    ({ key }) => key,
  ).describe('Keys beyond those of the form sbx_…, for applications that have one built in.'),
  plans: z
    .strictObject({
      free: createLimitsSchema('free'),
      pro: createLimitsSchema('pro'),
      business: createLimitsSchema('business'),
      enterprise: createLimitsSchema('enterprise'),
    } satisfies Record<PlanId, z.ZodType>)
    .prefault({})
    .describe('Rate limits by plan (spec §8).'),
  pets: createRecordsSchema(petSchema, 'petId', ({ petId }) => petId).describe(
    'The pets, each with its stock; further fields are served as given.',
  ),
  orders: createRecordsSchema(orderSchema, 'id', ({ id }) => id).describe(
    'The store orders; further fields are served as given.',
  ),
  messages: createRecordsSchema(messageSchema, 'id', ({ id }) => id).describe(
    'Messages that are queued already.',
  ),
  generate: z
    .strictObject({ pets: createCountSchema('pets'), orders: createCountSchema('orders') })
    .prefault({})
    .describe('Made-up data from the seed and the clock, the same each time.'),
  quota: z
    .record(z.string().max(200), accountSchema)
    .default({})
    .describe('What keys have used already: by plan, by a key of apiKeys, or * for all others.'),
  deprecation: deprecationSchema.prefault({}).describe('The dates of GET /pets/{petId} (A05).'),
  faults: faultsSchema
    .default([])
    .describe('What goes wrong, in this order: error statuses, delays, cut connections.'),
  rules: rulesSchema.prefault({}).describe('Assumptions that a scenario may change.'),
})

/**
 * A scenario as its author writes it: how a world starts. Every field but `name` is optional, ids
 * past 2^53−1 are strings of digits, moments are ISO 8601, and it is plain JSON data.
 */
export type Scenario = z.input<typeof scenarioSchema>

/** A scenario with every default filled in. */
export type FilledScenario = z.output<typeof scenarioSchema>
