import { z } from 'zod'
import { Problem } from '../contract/errors.js'
import { planIds } from '../contract/plans.js'
import { describeValue } from '../validation/validate.js'
import { defineControl } from './control-operation.js'

export const createKey = defineControl({
  method: 'POST',
  path: '/keys',
  resource: 'Keys',
  summary: 'Make a key with a label that nobody can guess, for a world of its own',
  body: z.strictObject({
    plan: z.enum(planIds).default('free').describe('The plan that the key is on.'),
    scenario: z
      .string()
      .optional()
      .describe('A scenario that is known by name; without one, that of the sandbox.'),
  }),
  response: z.strictObject({ apiKey: z.string().describe('The key, whole.') }),
  status: 201,
  errors: ['invalid_scenario'],
  run({ body, host }) {
    const { plan, scenario } = body
    const known = host.listScenarios().map(({ name }) => name)
    if (scenario !== undefined && !known.includes(scenario)) {
      const message = `scenario must be one of ${known.join(', ')}, found ${describeValue(scenario)}`
      throw new Problem('invalid_scenario', message)
    }
    return { apiKey: host.createApiKey(plan, scenario) }
  },
})
