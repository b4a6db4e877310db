import * as z from 'zod/mini'
import { annotate } from '../../service/annotate.js'
import { listEntries } from '../../service/bounds.js'
import { type PlanId, planIds, plans } from '../../service/plans.js'
import { mapKinds } from '../../service/records.js'
import { type KindName, recordModels, type SchemaOf } from '../../service/schemas.js'
import { clockSchema } from '../clock.js'
import { deprecationSchema } from '../deprecation.js'
import { faultsSchema } from '../faults/schema.js'
import { accountSchema } from '../quota/settings.js'
import { rulesSchema } from '../rules.js'

/** Maximum number of entries in `quota` and in `apiKeys`. */
export const maximumKeys = 1_000

/** Maximum number of scenarios that are merged or extended in one place. */
export const maximumScenarios = 16

/** Schema of the name of a scenario: kebab-case, at most 64 characters. */
export const scenarioNameSchema = z.string().check(
  // The lookahead limits the length: without it, a very long name would overflow the stack.
  z.regex(/^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/, {
    error: 'a name in kebab-case of at most 64 characters',
  }),
)

/** A scenario in a list of the available ones. */
export const scenarioSummarySchema = z.strictObject({
  name: annotate(z.string(), 'Name in API keys and in PUT /scenario.'),
  description: annotate(z.string(), 'Purpose of the scenario, in one sentence.'),
  source: annotate(
    z.enum(['built-in', 'file']),
    'Whether the scenario is built in or was added to this sandbox.',
  ),
})
export type ScenarioSummary = z.output<typeof scenarioSummarySchema>

/**
 * A listed API key. The name of a plan is not allowed, because it identifies the account of that
 * plan; `in` also rejects names inherited from Object.prototype.
 */
const apiKeySchema = z.string().check(
  z.regex(/^(?!sbx_)[\x21-\x7e]{8,200}$/, {
    error:
      'a key of 8 to 200 printable ASCII characters, without spaces, that does not begin with sbx_',
  }),
  z.refine((key) => !(key in plans), { error: 'a key that is not the name of a plan' }),
)

function createLimitsSchema({ title, requestsPerMinute, requestsPerDay }: (typeof plans)[PlanId]) {
  const toLimit = (limit: number, description: string) =>
    annotate(z._default(z.int().check(z.minimum(1)), limit), description)
  const limits = z.strictObject({
    requestsPerMinute: toLimit(requestsPerMinute, 'Requests per minute window.'),
    requestsPerDay: toLimit(requestsPerDay, 'Requests per day window.'),
  })
  return annotate(z.prefault(limits, {}), `Limits of the plan ${title}.`)
}

const plansSchema = z.strictObject(
  Object.fromEntries(planIds.map((plan) => [plan, createLimitsSchema(plans[plan])])) as Record<
    PlanId,
    ReturnType<typeof createLimitsSchema>
  >, // one entry for each PlanId
)

/** An API key that a scenario lists. */
export const listedKeySchema = z.strictObject({
  key: annotate(apiKeySchema, 'The key: 8 to 200 printable characters without spaces.'),
  plan: annotate(z.enum(planIds), 'Plan of the key.'),
})

/** Name of an array whose entries have a unique id. */
export type ListName = 'apiKeys' | KindName

/** The schema of a list for documents. `readScenario` validates its entries one by one. */
function createListSchema<S extends z.ZodMiniType>(entrySchema: S, maximum: number) {
  return z._default(z.array(entrySchema).check(z.maxLength(maximum)), [])
}

/** The lists of records in a scenario. */
type ListSchemas = {
  readonly [Kind in KindName]: z.ZodMiniDefault<z.ZodMiniArray<SchemaOf<Kind>>>
}

function createCountSchema(list: 'pets' | 'orders') {
  const count = z.int().check(z.minimum(0), z.maximum(listEntries))
  return annotate(
    z._default(count, 0),
    `Number of ${list} to generate in addition to the listed ones.`,
  )
}

const extendsSchema = z.union(
  [scenarioNameSchema, z.array(scenarioNameSchema).check(z.maxLength(maximumScenarios))],
  {
    error: `the name of a scenario, or an array of at most ${maximumScenarios} names`,
  },
)

const drawsSchema = z._default(z.int().check(z.minimum(0)), 0)

const generateSchema = z.strictObject({
  pets: createCountSchema('pets'),
  orders: createCountSchema('orders'),
})

const quotasSchema = annotate(
  z._default(z.record(z.string().check(z.maxLength(200)), accountSchema), {}),
  { maxProperties: maximumKeys },
)

/** Schema of a scenario file (version 1 of the format). Only `name` is required. */
export const scenarioSchema = z.strictObject({
  $schema: annotate(z.optional(z.string()), 'URL or path of the JSON schema, for editors.'),
  name: annotate(scenarioNameSchema, 'Name of the scenario, in kebab-case; part of API keys.'),
  description: annotate(z.optional(z.string()), 'Purpose of the scenario, in one sentence.'),
  extends: annotate(
    z.optional(extendsSchema),
    'Scenarios to build on, merged from left to right, and this scenario last: later values win.',
  ),
  seed: annotate(z._default(z.int(), 1), 'Seed of all random values.'),
  draws: annotate(drawsSchema, 'Number of random values already drawn from the seed.'),
  clock: annotate(z.prefault(clockSchema, {}), 'Clock of the world.'),
  apiKeys: annotate(
    createListSchema(listedKeySchema, maximumKeys),
    'Additional API keys, for applications with a hard-coded key.',
  ),
  plans: annotate(z.prefault(plansSchema, {}), 'Rate limits by plan (spec §8).'),
  ...mapKinds<ListSchemas>((kind) =>
    annotate(
      createListSchema<z.ZodMiniType>(recordModels[kind].schema, listEntries),
      recordModels[kind].description,
    ),
  ),
  generate: annotate(
    z.prefault(generateSchema, {}),
    'Data to generate from the seed and the clock.',
  ),
  quota: annotate(quotasSchema, 'Quota by plan, by key of apiKeys, or * for all other keys.'),
  deprecation: annotate(z.prefault(deprecationSchema, {}), 'Dates of GET /pets/{petId} (A05).'),
  faults: annotate(
    z._default(faultsSchema, []),
    'Faults to inject, in this order: error statuses, delays, broken connections.',
  ),
  rules: annotate(z.prefault(rulesSchema, {}), 'Assumptions that a scenario can change.'),
})

/**
 * A scenario: the initial state of a world, as plain JSON data. Only `name` is required. Ids above
 * 2^53−1 are strings of digits, and times are ISO 8601.
 */
export type Scenario = z.input<typeof scenarioSchema>

/** A scenario with all defaults. */
export type FilledScenario = z.output<typeof scenarioSchema>
