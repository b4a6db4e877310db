import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import type { ControlClient } from '../client/control-client.js'
import type { JournalEntry, Overview } from '../client/control-types.js'
import { useSession } from '../session/session.js'
import type { TestStart } from './to-test.js'

/** A snapshot of the world between two requests. */
interface Point {
  /** Changes when the world restarts. */
  readonly generation: string
  /** Id of the last request before the snapshot; 0 for none. */
  readonly lastId: number
  readonly json: string
}

/** The world of a journal entry. */
export interface RecordedWorld {
  /** The journal, newest first. */
  readonly entries: readonly JournalEntry[]
  /** Scenario that is active. */
  readonly scenario: string
  /** Changes when the world restarts. */
  readonly generation: string
}

/** Number of retained snapshots. */
const maximumPoints = 20

/** Maximum length of a retained snapshot, in characters. */
const maximumLength = 200_000

/** Maximum number of records of a world of which snapshots are taken. */
const maximumRecords = 1_000

/** Maximum number of requests that a test repeats first. */
const maximumEarlier = 50

/** Records the states of a world, so that a test can start in the state before a request. */
export class StartRecorder {
  #points: readonly Point[] = []
  /** Ids continue when the world restarts, although its journal is then empty. */
  #lastId = 0

  constructor(readonly client: ControlClient) {}

  /**
   * Takes a snapshot. Omits it if a request arrives meanwhile, or if it is too long. Returns whether
   * it was retained.
   */
  async record(): Promise<boolean> {
    const before = await this.#readLastId()
    const response = await this.client.request('getSnapshot')
    const json = await response.text()
    const lastId = await this.#readLastId()
    const generation = response.headers.get('Sandbox-World-Generation') ?? ''
    if (before !== lastId || json.length > maximumLength) return false
    // The control API has changed the world since an earlier snapshot of the same place.
    const others = this.#points.filter(
      (point) => point.generation === generation && point.lastId !== lastId,
    )
    this.#points = [...others, { generation, lastId, json }].slice(-maximumPoints)
    return true
  }

  /**
   * Returns the state in which a test of a request has to start: the latest snapshot before it, the
   * start of the scenario, or else the current state.
   */
  async find(entry: JournalEntry, world: RecordedWorld): Promise<TestStart> {
    return (
      this.#startAtPoint(entry, world) ??
      (await this.#startAtScenario(entry, world)) ??
      this.#startNow()
    )
  }

  async #readLastId(): Promise<number> {
    const [newest] = await this.client.send('listRequests', { query: { limit: 1 } })
    if (newest) this.#lastId = newest.id
    return this.#lastId
  }

  #startAtPoint(
    { id }: JournalEntry,
    { entries, generation }: RecordedWorld,
  ): TestStart | undefined {
    const point = this.#points.findLast(
      (candidate) => candidate.generation === generation && candidate.lastId < id,
    )
    const earlier = point && findBetween(entries, point.lastId, id)
    if (!earlier) return undefined
    const next = earlier.length === 0 ? 'the request' : 'the requests that the test repeats'
    return { scenario: { json: point.json }, earlier, description: `the state before ${next}` }
  }

  async #startAtScenario(
    { id }: JournalEntry,
    { entries, scenario: name }: RecordedWorld,
  ): Promise<TestStart | undefined> {
    const earlier = findBetween(entries, 0, id)
    if (!earlier) return undefined
    const known = await this.client.send('listScenarios')
    const isBuiltIn = (part: string) =>
      known.some((scenario) => scenario.name === part && scenario.source === 'built-in')
    if (!name.split('+').every(isBuiltIn)) return undefined
    const description =
      'the scenario. The journal has no changes by the control API, so the test does not repeat any'
    return { scenario: { name }, earlier, description }
  }

  /** The current state includes the effects of the request. */
  async #startNow(): Promise<TestStart> {
    const json = await (await this.client.request('getSnapshot')).text()
    const description = 'the state at the time of this copy, after the request'
    return { scenario: { json }, earlier: [], description }
  }
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

/** Returns a string that changes with the world; undefined if the world is too large. */
function toState({ counts, quota, generation }: Overview): string | undefined {
  const { pets, orders, messages } = counts
  if (pets + orders + messages > maximumRecords) return undefined
  return JSON.stringify([counts, quota, generation])
}

/** Pause after a snapshot that was not retained, in milliseconds: the world is busy, or large. */
const pauseMs = 2_000

/** Runs `record` again if it is called while it runs, so that only one snapshot is taken at a time. */
class RecordQueue {
  readonly #recorder: StartRecorder
  #isRunning = false
  #isWanted = false

  constructor(recorder: StartRecorder) {
    this.#recorder = recorder
  }

  record(): void {
    this.#isWanted = true
    if (!this.#isRunning) void this.#run()
  }

  stop(): void {
    this.#isWanted = false
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isWanted) {
      this.#isWanted = false
      // A failure to read the world is shown elsewhere.
      const isRetained = await this.#recorder.record().catch(() => false)
      if (!isRetained) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    this.#isRunning = false
  }
}

/**
 * Records the state of the world after each change. Returns a function that finds the state in which
 * a test of a journal entry has to start.
 */
export function useStarts(): (entry: JournalEntry) => Promise<TestStart> {
  const { client, overview, journal, revision } = useSession()
  const recorder = useMemo(() => new StartRecorder(client), [client])
  const queue = useMemo(() => new RecordQueue(recorder), [recorder])
  const state = overview && toState(overview)
  useEffect(() => () => queue.stop(), [queue])
  // The state and the revisions are dependencies only to record each change.
  useEffect(() => {
    if (state !== undefined) queue.record()
  }, [queue, state, revision, journal.revision])
  const { scenario = '', generation = '' } = overview ?? {}
  const world = { entries: journal.entries, scenario, generation: String(generation) }
  const latest = useRef<RecordedWorld>(world)
  latest.current = world
  return useCallback((entry) => recorder.find(entry, latest.current), [recorder])
}
