import * as z from 'zod/mini'
import type { ControlBody } from '../../control/operations.js'
import { annotate } from '../../service/annotate.js'
import { defineTool, toText } from './tool.js'

/** Restarts the world, or lists what it can be restarted from. */
export const scenario = defineTool('putScenario', {
  description:
    'Restarts the world from a scenario: data, clock, quota, bans, faults and journal. Without arguments, lists the known scenarios.',
  shape: {
    scenario: annotate(
      z.optional(z.union([z.string(), z.array(z.unknown()), z.object({})])),
      'Name of a known scenario, a whole scenario, or a list of both, merged from left to right.',
    ),
  },
  isDestructive: true,
  async run({ client }, { scenario }) {
    if (scenario === undefined) {
      const scenarios = await client.send('listScenarios')
      return {
        text: toText('listScenarios', scenarios),
        next: 'Call use_scenario with a name, or new_world to keep this world.',
        data: { scenarios },
      }
    }
    const body = scenario as ControlBody<'putScenario'> // the sandbox validates it
    const overview = await client.send('putScenario', { body })
    return {
      text: toText('putScenario', overview),
      next: 'Run your client against the sandbox, then call report.',
      data: overview,
    }
  },
})
