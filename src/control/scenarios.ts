import * as z from 'zod/mini'
import { annotate } from '../service/annotate.js'
import { maskApiKey } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { plans } from '../service/plans.js'
import { isObject } from '../service/validation/options.js'
import { ScenarioError } from '../world/scenario/error.js'
import {
  maximumKeys,
  maximumScenarios,
  type Scenario,
  scenarioNameSchema,
  scenarioSchema,
  scenarioSummarySchema,
} from '../world/scenario/schema.js'
import { toSnapshot } from '../world/scenario/snapshot.js'
import type { AnyScenarioSource } from '../world/scenario/source.js'
import type { WorldSeed } from '../world/seed.js'
import type { ListedKeys } from '../world/world.js'
import { mayControl } from './access.js'
import { toShownMessage } from './messages.js'
import { type ControlRequest, type ControlResource, defineControl } from './operation.js'
import { overviewBody, overviewColumns, toOverview } from './overview.js'
import { defineList } from './page.js'

const nameSchema = annotate(z.string(), 'Name of a known scenario.')

/** The scenario library validates the contents of a scenario, with better messages. */
const sourceSchema = z.custom<AnyScenarioSource>(
  (value) => typeof value === 'string' || isObject(value),
  'a scenario name, a scenario object, or an array of names and objects',
)

const documentedSourceSchema = z.union([
  nameSchema,
  scenarioSchema,
  annotate(
    z
      .array(z.union([nameSchema, scenarioSchema]))
      .check(z.minLength(1), z.maxLength(maximumScenarios)),
    'Several scenarios, merged from left to right.',
  ),
])

const snapshotQuerySchema = z.strictObject({
  name: annotate(z.optional(scenarioNameSchema), 'Name of the scenario. Default: snapshot.'),
})

export const scenarios = {
  title: 'Scenario',
  description: 'The state that the world starts from, and the snapshot of its current state.',
  operations: {
    listScenarios: defineList({
      idField: 'name',
      columns: ['name', 'source', 'description'],
      path: '/scenarios',
      summary: 'List the known scenarios',
      description: 'Lists the scenarios that an API key or PUT /scenario can name.',
      response: {
        description: 'One entry per scenario.',
        body: { schema: z.array(scenarioSummarySchema) },
      },
      records: ({ world }) => world.library.list(),
    }),
    putScenario: defineControl({
      isPrepared: true,
      method: 'PUT',
      path: '/scenario',
      summary: 'Restart the world from one or more scenarios',
      description:
        'Restarts the world: data, clock, quota, bans, faults and journal. The body is the name of a scenario, a whole scenario, or an array of at most 16 of both, merged from left to right. An invalid scenario is rejected with every reason, and the world stays unchanged. If the active scenario lists this key under `apiKeys`, the new one must list it too; otherwise the key would lose access to its world. A scenario cannot list a key that another world of the same environment lists.',
      request: {
        name: 'ScenarioSource',
        schema: sourceSchema,
        documentedSchema: documentedSourceSchema,
        example: 'low-stock',
      },
      response: { description: 'The world after the restart.', body: overviewBody },
      columns: overviewColumns,
      errors: ['invalid_scenario'],
      errorMessages: {
        invalid_field:
          'the body must be a scenario name, a scenario object, or an array of names and objects, found 7 (number)',
      },
      async run(request) {
        const { world, body } = request
        const seed = await world.library.prepare(body, world.clock.realNow()).catch(toProblem)
        request.throwIfAborted()
        checkListedKeys(request, seed)
        world.replace(seed)
        return toOverview(request)
      },
    }),
    resetWorld: defineControl({
      method: 'POST',
      path: '/reset',
      summary: 'Reset the world to the start of its scenario',
      description:
        'Resets data, clock, quota, bans and faults to the start of the active scenario, and clears the journal. Listed keys that a PUT /scenario removed work again.',
      response: { description: 'The world after the reset.', body: overviewBody },
      columns: overviewColumns,
      run(request) {
        request.world.reset()
        return toOverview(request)
      },
    }),
    getSnapshot: defineControl({
      isPrepared: true,
      method: 'GET',
      path: '/snapshot',
      summary: 'Export the state of the world as a scenario file',
      description:
        'Returns the whole state of the world as a scenario. A world that starts from it, with PUT /scenario or as a file, responds identically. A sandbox with a key secret replaces the keys of `apiKeys`, except the key of the request, by random placeholders, and shows the messages of a shared world without their text.',
      query: snapshotQuerySchema,
      response: {
        description: 'A scenario file.',
        body: {
          schema: z.custom<Scenario>(isObject),
          documentedSchema: scenarioSchema,
        },
      },
      errorMessages: {
        invalid_parameter:
          'name must be a name in kebab-case of at most 64 characters, found "Out of Nemo" (string)',
      },
      run({ world, accountId, sandbox, query }) {
        const full = toSnapshot(world, query.name)
        if (!sandbox.access.signer) return full
        const messages = full.messages?.map(toShownMessage(sandbox, world))
        const { platform } = sandbox.settings
        return maskListedKeys({ ...full, messages }, accountId, () => platform.randomLabel())
      },
    }),
  },
} satisfies ControlResource

function toProblem(error: unknown): never {
  if (error instanceof ScenarioError) throw new Problem('invalid_scenario', error.message)
  throw error
}

/**
 * Checks the keys that a scenario lists, before a client starts its world from it.
 *
 * @throws {Problem} invalid_scenario
 */
function checkListedKeys(request: ControlRequest, seed: WorldSeed): void {
  const { world, accountId, apiKey, sandbox } = request
  const { scenario, apiKeys } = seed
  const reject = (wanted: string, found: string): never => {
    const message = `apiKeys of ${scenario} must ${wanted}, found ${found}`
    throw new Problem('invalid_scenario', message)
  }
  // The account of a key that no scenario lists is a plan.
  if (!Object.hasOwn({ ...plans, ...apiKeys }, accountId)) {
    reject(`list the key ${apiKey} that controls this world`, 'none')
  }
  if (!mayControl(sandbox.access, world, accountId, apiKeys)) {
    const wanted = `be empty, because the key ${apiKey} could not control a world that lists keys`
    reject(wanted, countKeys(apiKeys))
  }
  const claimed = findClaimed(request, seed)
  if (claimed !== undefined) reject('list no key of another world', maskApiKey(claimed))
  // A snapshot lists both after a reset.
  if (Object.keys({ ...world.ownKeys, ...apiKeys }).length > maximumKeys) {
    const wanted = `have fewer keys, because a reset restores ${countKeys(world.ownKeys)} of the first scenario in addition`
    reject(wanted, countKeys(apiKeys))
  }
}

/** Returns a key of a scenario that another world lists. */
function findClaimed(
  { world, sandbox }: ControlRequest,
  { apiKeys }: WorldSeed,
): string | undefined {
  // Most worlds share the keys of their scenario.
  const listings = new Set<ListedKeys>()
  for (const { name, seed, ownKeys } of sandbox.worlds.all()) {
    if (name.environment === world.name.environment) listings.add(seed.apiKeys).add(ownKeys)
  }
  const own = { ...world.seed.apiKeys, ...world.ownKeys }
  return Object.keys(apiKeys).find((key) => {
    return !Object.hasOwn(own, key) && [...listings].some((listed) => Object.hasOwn(listed, key))
  })
}

/**
 * Replaces the listed keys of a snapshot, except one, by random placeholders. The description states
 * their number. The snapshot stays a valid scenario.
 *
 * @param own The key that is not replaced.
 * @param createLabel Returns a random string.
 */
export function maskListedKeys(
  snapshot: Scenario,
  own: string,
  createLabel: () => string,
): Scenario {
  const { description = '', apiKeys = [], quota = {} } = snapshot
  const others = apiKeys.filter(({ key }) => key !== own)
  if (others.length === 0) return snapshot
  // A placeholder that others could guess would be a key wherever the snapshot is used.
  const placeholders = new Map(others.map(({ key }) => [key, `masked-${createLabel()}`]))
  const mask = (key: string) => placeholders.get(key) ?? key
  return {
    ...snapshot,
    description: `${description} Number of listed API keys that are replaced by placeholders: ${others.length}.`,
    apiKeys: apiKeys.map(({ key, plan }) => ({ key: mask(key), plan })),
    quota: Object.fromEntries(Object.entries(quota).map(([id, settings]) => [mask(id), settings])),
  }
}

function countKeys(apiKeys: WorldSeed['apiKeys']): string {
  return `${Object.keys(apiKeys).length} keys`
}
