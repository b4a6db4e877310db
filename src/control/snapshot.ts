import { z } from 'zod'
import type { Scenario } from '../scenario/schema.js'
import { scenarioNameSchema } from '../scenario/schema.js'
import { defineControl } from './control-operation.js'

export const getSnapshot = defineControl({
  method: 'GET',
  path: '/snapshot',
  resource: 'Scenario',
  summary: 'Write the world down as a scenario file',
  query: z.strictObject({
    name: scenarioNameSchema.optional().describe('Name of the scenario; default snapshot.'),
  }),
  // The scenario is made here; loading it is what proves that it fits.
  response: z.custom<Scenario>((value) => typeof value === 'object' && value !== null),
  run: ({ world, query }) => world.snapshot(query.name),
})
