import { wholeList } from '../../control/client/client.js'
import type { ControlResult } from '../../control/operations.js'
import type { JournalEntry } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import type { Session } from '../session/session.js'
import type { Runner } from './copy-test.js'
import { findDifferences } from './differences.js'
import { type TestStart, toTest } from './to-test.js'

/** Maximum number of requests that a test repeats first. */
const maximumEarlier = 50

/** The world of a journal entry. */
export type TestedWorld = Pick<Session, 'access' | 'client' | 'points'> & {
  readonly journal: Pick<Session['journal'], 'entries'>
  readonly overview: Pick<ControlResult<'getOverview'>, 'scenario' | 'generation'> | undefined
}

/**
 * Returns the source of a test of a journal entry.
 *
 * @throws {RemoteError} If the state in which the test starts cannot be read.
 */
export async function createTest(
  entry: JournalEntry,
  world: TestedWorld,
  runner: Runner,
): Promise<string> {
  return toTest(entry, await findStart(entry, world), world.access.apiKey, runner)
}

/**
 * Returns the state in which a test of a request has to start: the latest snapshot before it, the
 * start of the scenario, or else the current state.
 */
async function findStart({ id }: JournalEntry, world: TestedWorld): Promise<TestStart> {
  const { client, journal, overview, points } = world
  const names = await findBuiltIn(world)
  const point = points.current.findLast(
    ({ generation, lastId }) => generation === overview?.generation && lastId < id,
  )
  const later = point && findBetween(journal.entries, point.lastId, id)
  if (later) {
    const next = later.length === 0 ? 'the request' : 'the requests that the test repeats'
    const state = await toState(point.json, client, names)
    return { ...state, earlier: later, description: `the state before ${next}` }
  }
  const earlier = findBetween(journal.entries, 0, id)
  if (earlier && names) {
    const description =
      'the scenario. The journal has no changes by the control API, so the test does not repeat any'
    return { scenario: toSource(names), changes: [], earlier, description }
  }
  // The current state includes the effects of the request.
  const { text } = await client.request('getSnapshot')
  const state = await toState(text, client, names)
  return {
    ...state,
    earlier: [],
    description: 'the state at the time of this copy, after the request',
  }
}

/**
 * Returns a snapshot as the scenario of the world and the differences from it.
 *
 * @param names Names of the scenario; undefined if it is not built in.
 */
async function toState(
  json: string,
  client: PageClient,
  names: readonly string[] | undefined,
): Promise<Pick<TestStart, 'scenario' | 'changes'>> {
  const snapshot = JSON.parse(json)
  if (!names) return { scenario: snapshot, changes: [] }
  // The start of the scenario is the state of a world that receives no requests.
  const fresh = client.withKey(`sbx_free_${names.join('+')}_copied-test`)
  const base = await fresh.send('getSnapshot').catch(() => undefined)
  const differences = base && findDifferences(base, snapshot)
  if (!differences) return { scenario: snapshot, changes: [] }
  const { fields, changes } = differences
  if (Object.keys(fields).length === 0) return { scenario: toSource(names), changes }
  return { scenario: { name: 'snapshot', extends: names, ...fields }, changes }
}

/** Returns the names of the scenario of a world; undefined if one of them is not built in. */
async function findBuiltIn({ client, overview }: TestedWorld): Promise<string[] | undefined> {
  const names = overview?.scenario.split('+') ?? []
  const known = await client.send('listScenarios', { query: wholeList })
  const isBuiltIn = (name: string) =>
    known.some((scenario) => scenario.name === name && scenario.source === 'built-in')
  return names.length > 0 && names.every(isBuiltIn) ? names : undefined
}

/** Returns names as a test states them: one as a string, several as an array. */
function toSource(names: readonly string[]): unknown {
  return names.length === 1 ? names[0] : names
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
