import { readValue } from '../service/validation/validate.js'
import { ScenarioLibrary } from '../world/scenario/library.js'
import { openAccess } from './access.js'
import type { ControlOperation } from './operation.js'
import { controlLinks } from './operations.js'
import { World } from './world.js'

const startMs = Date.parse('2026-01-01T09:00:00.000Z')

/** The number of entries that an example has of a longer list. */
const shownEntries = 4

/**
 * Returns the example response of an operation. Default: its response to the example request, in a new
 * world of the default scenario.
 */
export async function createExample(operation: ControlOperation): Promise<unknown> {
  const { request, response, pathParameter } = operation
  if (!response.body || response.body.example !== undefined) return response.body?.example
  const library = new ScenarioLibrary()
  const world = await createWorld(library)
  const [, parameter = ''] = /\{(\w+)\}/.exec(operation.path) ?? []
  const result = await operation.run({
    world,
    accountId: 'free',
    apiKey: 'sbx_free…',
    sandbox: {
      access: openAccess,
      settings: { library, platform: { randomLabel: () => '' } },
      keys: { issue: () => '' },
      worlds: { all: () => [world], isUsedElsewhere: async () => false },
    },
    links: controlLinks,
    params: { [parameter]: String(pathParameter?.example) },
    query: {},
    body: request && readValue(request.schema, request.example, 'the example'),
    throwIfAborted() {},
  })
  const shorten = (_name: string, value: unknown) =>
    Array.isArray(value) ? value.slice(0, shownEntries) : value
  return JSON.parse(JSON.stringify(result, shorten))
}

async function createWorld(library: ScenarioLibrary): Promise<World> {
  const name = { environment: 'production', scenario: 'default', label: '' } as const
  let generation = startMs
  return new World(
    name,
    await library.prepare(name.scenario, startMs),
    {
      realNow: () => startMs,
      nextGeneration: () => generation++,
      journalCapacity: 500,
      room: { limit: Infinity, makeRoom: () => undefined, resize() {}, close() {} },
      reportError() {},
      changes: { all: new Set(), report() {} },
    },
    library,
  )
}
