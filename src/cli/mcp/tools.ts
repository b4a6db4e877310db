import * as z from 'zod/mini'
import type { ControlBody } from '../../control/operations.js'
import { annotate } from '../../service/annotate.js'
import { toCount } from '../../service/validation/message.js'
import { coverage, report } from './report.js'
import { requests } from './requests.js'
import { snapshot } from './snapshot.js'
import { defineTool, type Tool, toText } from './tool.js'

const runClient = 'Run your client against the sandbox, then call report.'

/** Creates a key. */
const newWorld = defineTool('createKey', {
  description:
    'Creates an API key for a private copy of the Pet Store Inventory Service, and returns it with the base URL and a curl line. Each agent or test run should use its own.',
  takesKey: false,
  async run({ createKey, baseUrl, quickstartUrl, openapiUrl }, args) {
    const apiKey = await createKey(args as ControlBody<'createKey'>) // the sandbox validates it
    const curl = `curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/inventory"`
    return {
      text: [
        `API key: ${apiKey}`,
        `Base URL: ${baseUrl}`,
        `Base URL of POST /messages: ${quickstartUrl}`,
        `OpenAPI document: ${openapiUrl}`,
        `Try: ${curl}`,
        'The other tools use this world from now on.',
      ].join('\n'),
      next: 'Run your client with this base URL and key, then call report.',
      data: { apiKey, baseUrl, quickstartUrl, openapiUrl, curl },
    }
  },
})

/** Restarts the world, or lists what it can be restarted from. */
const useScenario = defineTool('putScenario', {
  description:
    'Restarts the world from a scenario: data, clock, quota, bans, faults and journal. Without arguments, lists the known scenarios.',
  shape: {
    scenario: annotate(
      z.optional(z.union([z.string(), z.array(z.unknown()), z.object({})])),
      'Name of a known scenario, a scenario such as {"name":"mine","pets":[{"petId":1,"name":"Rex","quantity":0}]}, or a list of both, merged from left to right. All fields: docs/scenarios.md at the URL of the sandbox.',
    ),
  },
  isDestructive: true,
  async run({ client }, { scenario }) {
    if (scenario === undefined) {
      const scenarios = await client.send('listScenarios')
      return {
        text: toCount(scenarios.length, 'scenarios'),
        recorded: [toText('listScenarios', scenarios)],
        next: 'Call use_scenario with a name, or new_world to keep this world.',
        data: { scenarios },
      }
    }
    const body = scenario as ControlBody<'putScenario'> // the sandbox validates it
    const overview = await client.send('putScenario', { body })
    return {
      text: 'The world was restarted from the scenario.',
      recorded: [toText('putScenario', overview)],
      next: runClient,
      data: overview,
    }
  },
})

/** The tools in the order of the list, except `verify`. */
export const tools: Readonly<Record<string, Tool>> = {
  new_world: newWorld,
  use_scenario: useScenario,
  set_quota: defineTool('changeQuota', {
    description:
      'Sets the used or remaining requests of the key, or its ban, to rehearse a 429. A window takes used or remaining; a ban until, or seconds from now, or null to lift it.',
    hidden: ['rejected', 'resetsAt', 'since'],
    done: 'The quota was set.',
    next: 'Run your client: its next request meets this quota. move_clock with advanceTo next-event ends a window or a ban without waiting.',
  }),
  move_clock: defineTool('changeClock', {
    description:
      'Sets, advances, freezes or runs the clock of the world, on which windows, Retry-After, bans and the sunset depend. At most one of now, advance and advanceTo.',
    done: 'Only the clock of the world was changed: a client that already waits goes on waiting.',
    next: runClient,
  }),
  set_faults: defineTool('replaceFaults', {
    description:
      'Replaces the simulated failures: error statuses, delays, broken connections and sequences of them.',
    body: [
      'faults',
      'All faults of the world; [] removes them. A lost response: {"type":"reset","phase":"after","operation":"updateInventory","atMost":1}.',
    ],
    hidden: ['triggered', 'clock', 'code', 'message', 'headers', 'retryAfterFormat'],
    isDestructive: true,
    done: 'The faults were replaced.',
    next: runClient,
  }),
  list_requests: requests,
  report,
  coverage,
  snapshot,
  reset: defineTool('resetWorld', {
    description:
      'Resets data, clock, quota, bans and faults to the start of the scenario, and clears the journal, so that the report begins anew.',
    isDestructive: true,
    done: 'The world was reset to the start of its scenario.',
    next: runClient,
  }),
}
