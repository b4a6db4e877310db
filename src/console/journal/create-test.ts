import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import type { RecordedWorld } from './starts.js'
import { type TestStart, toTest } from './to-test.js'

/** Maximum number of requests that a test repeats first. */
const maximumEarlier = 50

/**
 * Returns the source of a vitest test of a journal entry.
 *
 * @param apiKey Key of the world, unmasked.
 * @throws {RemoteError} If the state in which the test starts cannot be read.
 */
export async function createTest(
  entry: JournalEntry,
  world: RecordedWorld,
  apiKey: string,
): Promise<string> {
  return toTest(entry, await findStart(entry, world), apiKey)
}

/**
 * Returns the state in which a test of a request has to start: the latest snapshot before it, the
 * start of the scenario, or else the current state.
 */
async function findStart(entry: JournalEntry, world: RecordedWorld): Promise<TestStart> {
  return (
    startAtPoint(entry, world) ?? (await startAtScenario(entry, world)) ?? startNow(world.client)
  )
}

function startAtPoint(
  { id }: JournalEntry,
  { entries, generation, points }: RecordedWorld,
): TestStart | undefined {
  const point = points.findLast(
    (candidate) => candidate.generation === generation && candidate.lastId < id,
  )
  const earlier = point && findBetween(entries, point.lastId, id)
  if (!earlier) return undefined
  const next = earlier.length === 0 ? 'the request' : 'the requests that the test repeats'
  return { scenario: { json: point.json }, earlier, description: `the state before ${next}` }
}

async function startAtScenario(
  { id }: JournalEntry,
  { client, entries, scenario: name }: RecordedWorld,
): Promise<TestStart | undefined> {
  const earlier = findBetween(entries, 0, id)
  if (!earlier) return undefined
  const known = await client.send('listScenarios', { query: { limit: 99_999 } })
  const isBuiltIn = (part: string) =>
    known.some((scenario) => scenario.name === part && scenario.source === 'built-in')
  if (!name.split('+').every(isBuiltIn)) return undefined
  const description =
    'the scenario. The journal has no changes by the control API, so the test does not repeat any'
  return { scenario: { name }, earlier, description }
}

/** The current state includes the effects of the request. */
async function startNow(client: PageClient): Promise<TestStart> {
  const { text: json } = await client.request('getSnapshot')
  const description = 'the state at the time of this copy, after the request'
  return { scenario: { json }, earlier: [], description }
}

/** Returns the entries between two ids, oldest first; undefined if some are missing or too many. */
function findBetween(
  entries: readonly JournalEntry[],
  after: number,
  before: number,
): readonly JournalEntry[] | undefined {
  const count = before - after - 1
  const found = entries.filter(({ id }) => id > after && id < before)
  return found.length === count && count <= maximumEarlier ? found.toReversed() : undefined
}
