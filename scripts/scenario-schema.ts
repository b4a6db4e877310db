import { z } from 'zod'
import { scenarioSchema } from '../src/scenario/schema.js'

/**
 * The JSON Schema of a scenario file, for editors: draft-07, the draft that all of them complete
 * from. What it cannot say, such as ids that are unique, is checked when the file is read.
 */
export function toScenarioJsonSchema(): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-07' })
  return {
    $schema,
    title: 'Scenario of petstore-sandbox',
    description: 'How a world of the sandbox starts. Every field but name is optional.',
    ...rest,
  }
}
