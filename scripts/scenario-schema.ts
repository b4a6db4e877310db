import * as z from 'zod/mini'
import { scenarioSchema } from '../src/world/scenario/schema.js'

/**
 * Returns the JSON Schema of a scenario file, for completion and help in editors. Uses draft-07, which
 * all editors support. Constraints that JSON Schema cannot express, such as unique ids, are checked
 * when a file is read.
 */
export function toScenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-07' })
  return {
    $schema,
    title: 'Scenario of petstore-sandbox',
    description: 'The initial state of a world of the sandbox. Only name is required.',
    ...rest,
  }
}
