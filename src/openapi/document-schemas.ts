import { z } from 'zod'
import { errorSchema } from '../contract/response-schemas.js'
import { messageSchema, orderSchema, petSchema } from '../contract/schemas.js'
import { clockChangeSchema, clockStateSchema } from '../control/clock.js'
import {
  type ControlOperationId,
  controlOperationIds,
  controlOperations,
} from '../control/operations.js'
import { orderStateSchema } from '../control/orders.js'
import { overviewSchema } from '../control/overview.js'
import { petStateSchema } from '../control/pets.js'
import { quotaStateSchema } from '../control/quota.js'
import { requestSchema } from '../control/requests.js'
import { scenarioSummarySchema } from '../control/scenarios.js'
import { scenarioSchema } from '../scenario/schema.js'
import { faultSchema, faultsSchema } from '../world/faults/faults.js'
import { accountSchema } from '../world/quota/schema.js'
import type { OpenApiSource } from './source.js'

type Schemas = Readonly<Partial<Record<ControlOperationId, z.ZodType>>>

const nameSchema = z.string().describe('The name of a scenario that is known.')
const scenarioSourceSchema = z.union([
  nameSchema,
  scenarioSchema,
  z
    .array(z.union([nameSchema, scenarioSchema]))
    .min(1)
    .describe('Several of them, merged from left to right.'),
])
const petChangeSchema = toChange(petSchema)
const orderChangeSchema = toChange(orderSchema)

/** Bodies that their rows leave to those who read them. */
const requestsReadElsewhere: Schemas = {
  putScenario: scenarioSourceSchema,
  addPet: petSchema,
  changePet: petChangeSchema,
  addOrder: orderSchema,
  changeOrder: orderChangeSchema,
}

/** Answers that their rows leave to those who make them. */
const responsesMadeElsewhere: Schemas = {
  getSnapshot: scenarioSchema,
  streamEvents: z.string().describe('Events as the HTML standard has them.'),
}

/** What each control operation takes and gives, whole, as the documents show it. */
export const controlSchemas: Pick<
  OpenApiSource,
  'querySchemas' | 'requestSchemas' | 'responseSchemas' | 'components'
> = {
  querySchemas: collect(({ query }) => query),
  requestSchemas: collect(({ body }) => body, requestsReadElsewhere),
  responseSchemas: collect(({ response }) => response, responsesMadeElsewhere),
  components: {
    requests: {
      Scenario: scenarioSchema,
      ScenarioSource: scenarioSourceSchema,
      ClockChange: clockChangeSchema,
      QuotaSettings: accountSchema,
      Fault: faultSchema,
      Faults: faultsSchema,
      NewPet: petSchema,
      PetChange: petChangeSchema,
      NewOrder: orderSchema,
      OrderChange: orderChangeSchema,
    },
    responses: {
      Overview: overviewSchema,
      ScenarioSummary: scenarioSummarySchema,
      Clock: clockStateSchema,
      Quota: quotaStateSchema,
      Request: requestSchema,
      Message: messageSchema,
      Pet: petStateSchema,
      Order: orderStateSchema,
      Error: errorSchema,
    },
  },
}

/** One schema of each row that has it, or the whole one in its place. */
function collect(
  pick: (row: (typeof controlOperations)[ControlOperationId]) => z.ZodType | undefined,
  whole: Schemas = {},
): Record<string, z.ZodType> {
  return Object.fromEntries(
    controlOperationIds.flatMap((id) => {
      const schema = whole[id] ?? pick(controlOperations[id])
      return schema ? [[id, schema]] : []
    }),
  )
}

/** The same fields, none of which has to be there or has a default. */
function toChange({ shape }: { readonly shape: Readonly<Record<string, z.ZodType>> }) {
  const fields = Object.entries(shape).map(([name, schema]) => [name, toOptional(schema)])
  return z.looseObject(Object.fromEntries(fields))
}

function toOptional(schema: z.ZodType): z.ZodType {
  const { description } = schema
  const optional = z.optional(schema instanceof z.ZodDefault ? schema.unwrap() : schema)
  return description === undefined ? optional : optional.describe(description)
}
