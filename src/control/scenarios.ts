import { z } from 'zod'
import { Problem } from '../contract/errors.js'
import { ScenarioError } from '../scenario/error.js'
import type { ScenarioSource } from '../scenario/library.js'
import type { WorldSeed } from '../world/seed.js'
import { type ControlRequest, defineControl } from './control-operation.js'
import { overviewSchema, toOverview } from './overview.js'

/** A scenario that is known by name. */
export const scenarioSummarySchema = z.strictObject({
  name: z.string().describe('What a key and PUT /scenario name it by.'),
  description: z.string().describe('What it is for, in a sentence.'),
  source: z.string().describe('Where it came from; built-in for those of the sandbox.'),
})

export const listScenarios = defineControl({
  method: 'GET',
  path: '/scenarios',
  resource: 'Scenario',
  summary: 'List the scenarios that are known by name',
  response: z.array(scenarioSummarySchema),
  run: ({ host }) => [...host.listScenarios()],
})

export const putScenario = defineControl({
  method: 'PUT',
  path: '/scenario',
  resource: 'Scenario',
  summary: 'Start the world anew from a name, several names, or a whole scenario',
  // What a scenario object holds is checked where scenarios are read, with better messages.
  body: z.custom<ScenarioSource>(isSource, {
    error: 'the name of a scenario, an array of names, or a scenario object',
  }),
  response: overviewSchema,
  errors: ['invalid_scenario'],
  async run(step) {
    const seed = await step.world.library
      .prepare(step.body, step.world.clock.realNow())
      .catch(toProblem)
    refuseLockout(step, seed)
    step.world.start(seed)
    return toOverview(step)
  },
})

export const resetWorld = defineControl({
  method: 'POST',
  path: '/reset',
  resource: 'Scenario',
  summary: 'Put the world back to the start of its scenario',
  response: overviewSchema,
  run(step) {
    step.world.reset()
    return toOverview(step)
  },
})

function isSource(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

/** A key that the running scenario lists would lose its world to a scenario that does not. */
function refuseLockout({ world, accountId, apiKey }: ControlRequest, seed: WorldSeed): void {
  const isListed = Object.hasOwn(world.seed.apiKeys, accountId)
  if (!isListed || Object.hasOwn(seed.apiKeys, accountId)) return
  const wanted = `list the key ${apiKey} that steers this world`
  throw new Problem('invalid_scenario', `apiKeys of ${seed.scenario} must ${wanted}, found none`)
}

function toProblem(error: unknown): never {
  if (error instanceof ScenarioError) throw new Problem('invalid_scenario', error.message)
  throw error
}
