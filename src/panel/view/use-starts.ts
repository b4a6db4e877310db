import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { ControlClient } from '../../console/client/control-client.js'
import type { JournalEntry, Overview } from '../../console/client/control-types.js'
import type { TestStart } from '../../console/journal/to-test.js'
import { useSession } from '../../console/session/session.js'

/** A snapshot of the world between two requests. */
interface Point {
  /** Changes when the world restarts, and the ids of journal entries start again. */
  readonly generation: string
  /** Id of the last request that the snapshot includes; 0 for none. */
  readonly lastId: number
  readonly json: string
}

/** Number of retained snapshots. */
const maximumPoints = 20

/** Maximum length of a retained snapshot, and of one in a test, in characters. */
const maximumLength = 200_000

/** Maximum number of requests that a test repeats first. */
const maximumEarlier = 50

/**
 * Takes a snapshot after each change of the world while the panel is open. Returns a function that
 * finds the state in which a test of a journal entry has to start.
 */
export function useStarts(): (entry: JournalEntry) => Promise<TestStart> {
  const { client, overview, journal, revision } = useSession()
  const points = useRef<readonly Point[]>([])
  const latest = useRef({ overview, journal })
  latest.current = { overview, journal }
  const state = overview && JSON.stringify([overview.quota, overview.counts, overview.generation])
  // The state and the revisions are dependencies only to take a snapshot after each change.
  useEffect(() => {
    if (state === undefined) return
    let isCurrent = true
    readPoint(client).then(
      (point) => {
        if (isCurrent && point) points.current = addPoint(points.current, point)
      },
      () => {}, // the page shows that the world cannot be read
    )
    return () => {
      isCurrent = false
    }
  }, [client, state, revision, journal.revision])
  return useCallback(
    async (entry) =>
      startAtPoint(entry, points.current, latest.current.journal.entries) ??
      (await startAtScenario(entry, latest.current, client)) ??
      startNow(client),
    [client],
  )
}

/** Takes a snapshot. Resolves to undefined if a request arrived meanwhile, or it is too long. */
async function readPoint(client: ControlClient): Promise<Point | undefined> {
  const before = await readLastId(client)
  const response = await client.request('getSnapshot')
  const json = await response.text()
  const after = await readLastId(client)
  const generation = response.headers.get('Sandbox-World-Generation') ?? ''
  if (before !== after || json.length > maximumLength) return undefined
  return { generation, lastId: before, json }
}

async function readLastId(client: ControlClient): Promise<number> {
  const [newest] = await client.send('listRequests', { query: { limit: 1 } })
  return newest?.id ?? 0
}

/** Replaces the earlier snapshot of the same place: the control API has changed the world since. */
function addPoint(points: readonly Point[], added: Point): readonly Point[] {
  const others = points.filter(
    ({ generation, lastId }) => generation === added.generation && lastId !== added.lastId,
  )
  return [...others, added].slice(-maximumPoints)
}

/** Starts at the latest snapshot before the request. */
function startAtPoint(
  { id }: JournalEntry,
  points: readonly Point[],
  entries: readonly JournalEntry[],
): TestStart | undefined {
  const point = points.findLast(({ lastId }) => lastId < id)
  const earlier = point && findBetween(entries, point.lastId, id)
  if (!earlier) return undefined
  const description =
    earlier.length === 0
      ? 'the state before the request'
      : 'the state before the requests that the test repeats'
  return { scenario: { json: point.json }, earlier, description }
}

/** Starts at the start of the scenario, if the journal has all requests since. */
async function startAtScenario(
  { id }: JournalEntry,
  {
    overview,
    journal,
  }: { overview: Overview | undefined; journal: { entries: readonly JournalEntry[] } },
  client: ControlClient,
): Promise<TestStart | undefined> {
  const earlier = findBetween(journal.entries, 0, id)
  if (!overview || !earlier) return undefined
  const builtIn = new Set(
    (await client.send('listScenarios'))
      .filter(({ source }) => source === 'built-in')
      .map(({ name }) => name),
  )
  const name = overview.scenario
  if (!name.split('+').every((part) => builtIn.has(part))) return undefined
  return {
    scenario: { name },
    earlier,
    description: 'the scenario; what the control API has changed since is not repeated',
  }
}

/** Starts in the current state, which includes the request. */
async function startNow(client: ControlClient): Promise<TestStart> {
  const json = await (await client.request('getSnapshot')).text()
  const description = 'the state when this test was copied, which is after the request'
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
