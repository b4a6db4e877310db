import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import type { JournalEntry, Overview } from '../control-types.js'
import type { PageClient } from '../session/client.js'
import { useSession } from '../session/session.js'

/** A snapshot of the world between two requests. */
export interface Point {
  /** Changes when the world restarts. */
  readonly generation: number
  /** Id of the last request before the snapshot; 0 for none. */
  readonly lastId: number
  readonly json: string
}

/** The world of a journal entry, and its earlier states. */
export interface RecordedWorld {
  readonly client: PageClient
  /** Oldest first. */
  readonly points: readonly Point[]
  /** The journal, newest first. */
  readonly entries: readonly JournalEntry[]
  /** Scenario that is active. */
  readonly scenario: string
  /** Changes when the world restarts. */
  readonly generation: number
}

/** Number of retained snapshots. */
const maximumPoints = 20

/** Maximum length of a retained snapshot, in characters. */
const maximumLength = 200_000

/** Maximum number of records of a world of which snapshots are taken. */
const maximumRecords = 1_000

/** Records the states of a world, so that a test can start in the state before a request. */
export class StartRecorder {
  #points: readonly Point[] = []
  /** Ids continue when the world restarts, although its journal is then empty. */
  #lastId = 0

  constructor(readonly client: PageClient) {}

  /** The retained snapshots, oldest first. */
  get points(): readonly Point[] {
    return this.#points
  }

  /**
   * Takes a snapshot. Omits it if a request arrives meanwhile, or if it is too long. Returns whether
   * it was retained.
   */
  async record(): Promise<boolean> {
    const before = await this.#readLastId()
    const { text: json, generation } = await this.client.request('getSnapshot')
    const lastId = await this.#readLastId()
    if (before !== lastId || json.length > maximumLength) return false
    // The control API has changed the world since an earlier snapshot of the same place.
    const others = this.#points.filter(
      (point) => point.generation === generation && point.lastId !== lastId,
    )
    this.#points = [...others, { generation, lastId, json }].slice(-maximumPoints)
    return true
  }

  async #readLastId(): Promise<number> {
    const [newest] = await this.client.send('listRequests', { query: { limit: 1 } })
    if (newest) this.#lastId = newest.id
    return this.#lastId
  }
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
 * Records the state of the world after each change. Returns a function that returns the world as it
 * is then; it stays the same until the session has another client.
 */
export function useRecordedWorld(): () => RecordedWorld {
  const { client, overview, journal, revision } = useSession()
  const recorder = useMemo(() => new StartRecorder(client), [client])
  const queue = useMemo(() => new RecordQueue(recorder), [recorder])
  const state = overview && toState(overview)
  useEffect(() => () => queue.stop(), [queue])
  // The state and the revisions are dependencies only to record each change.
  useEffect(() => {
    if (state !== undefined) queue.record()
  }, [queue, state, revision, journal.revision])
  const { scenario = '', generation = 0 } = overview ?? {}
  const { entries } = journal
  const latest = useRef({ entries, scenario, generation })
  latest.current = { entries, scenario, generation }
  return useCallback(
    () => ({ ...latest.current, client, points: recorder.points }),
    [client, recorder],
  )
}
