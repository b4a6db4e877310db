import * as z from 'zod/mini'
import { worldNameSchema } from '../report/report.js'
import { annotate } from '../service/annotate.js'
import { mapKinds } from '../service/records.js'
import { type KindName, timestampSchema } from '../service/schemas.js'
import { toTimestamp } from '../service/timestamp.js'
import { version } from '../service/version.js'
import type { ChangeCounts } from '../world/database/database.js'
import { clockStateSchema, toClockState } from './clock.js'
import { type ControlRequest, type ControlResource, defineControl } from './operation.js'
import { quotaStateSchema, toQuotaState } from './quota.js'

/** A count for each kind of record. */
const countSchemas = mapKinds<Record<KindName, z.ZodMiniInt>>(() => z.int())

/** A summary of a world. */
const overviewSchema = z.strictObject({
  world: annotate(worldNameSchema, 'Identifies the world.'),
  scenario: annotate(z.string(), 'Scenario that is active now.'),
  version: annotate(z.string(), 'Version of petstore-sandbox.'),
  store: annotate(
    z.string(),
    'Where the world is kept: memory, or a kind of store: directory, redis or session storage.',
  ),
  startedAt: annotate(
    timestampSchema,
    'Real time at which the world was created or last restarted, ISO 8601.',
  ),
  generation: annotate(
    z.int(),
    'Changes whenever the world restarts, or is evicted and created again. Also in the header Sandbox-World-Generation.',
  ),
  apiKey: annotate(z.string(), 'Key of the request, masked.'),
  clock: clockStateSchema,
  quota: quotaStateSchema,
  deprecation: annotate(
    z.strictObject({
      deprecatedAt: timestampSchema,
      sunsetAt: timestampSchema,
      afterSunset: z.enum(['gone', 'serve']),
    }),
    'Deprecation dates of getPet, and its behaviour after the sunset.',
  ),
  counts: annotate(
    z.strictObject({
      ...countSchemas,
      faults: z.int(),
      requests: annotate(z.int(), 'Entries in the journal.'),
    }),
    'Number of records of each kind.',
  ),
  changes: annotate(
    z.strictObject(countSchemas),
    'Number of changes to the records of each kind in this generation.',
  ),
  links: annotate(
    z.record(z.string(), z.string()),
    'Paths of the control API below its address, by name.',
  ),
})

/** The body of the operations that respond with the summary. */
export const overviewBody = { name: 'Overview', schema: overviewSchema }

/** The columns of the operations that respond with the summary. */
export const overviewColumns: readonly string[] = [
  'world',
  'apiKey',
  'scenario',
  'clock.now',
  'clock.frozen',
  'clock.nextEvent',
  'quota.plan',
  'quota.minute',
  'quota.day',
  'quota.ban',
  'counts',
]

export const overview = {
  title: 'Overview',
  description: 'A summary of the world.',
  operations: {
    getOverview: defineControl({
      method: 'GET',
      path: '',
      summary: 'Read a summary of the world: clock, quota and counts',
      description:
        'Returns a summary of the key’s world: its name, scenario, clock, quota and the number of records of each kind.',
      response: { description: 'The summary of the world.', body: overviewBody },
      columns: overviewColumns,
      run: toOverview,
    }),
  },
} satisfies ControlResource

/** Returns the summary of a world for one key. */
export function toOverview(request: ControlRequest): z.output<typeof overviewSchema> {
  const { world, apiKey, links, sandbox } = request
  const { deprecatedAtMs, sunsetAtMs, afterSunset } = world.deprecation
  return {
    world: world.name,
    scenario: world.scenario,
    version,
    store: sandbox.settings.store?.kind ?? 'memory',
    startedAt: toTimestamp(world.startedAtMs),
    generation: world.generation,
    apiKey,
    clock: toClockState(request),
    quota: toQuotaState(request),
    deprecation: {
      deprecatedAt: toTimestamp(deprecatedAtMs),
      sunsetAt: toTimestamp(sunsetAtMs),
      afterSunset,
    },
    counts: {
      ...mapKinds<ChangeCounts>((kind) => world.db[kind].count),
      faults: world.faults.list().length,
      requests: world.journal.size,
    },
    changes: world.db.changeCounts,
    links: { ...links },
  }
}
