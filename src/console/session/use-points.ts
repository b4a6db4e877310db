import { useCallback, useMemo } from 'preact/hooks'
import type { Overview } from '../control-types.js'
import type { PageClient } from './client.js'
import { useFollowed } from './use-followed.js'

/** A snapshot of a world between two requests. */
export interface Point {
  /** Changes when the world restarts. */
  readonly generation: number
  /** Id of the last request before the snapshot; 0 for none. */
  readonly lastId: number
  readonly json: string
}

/** Number of retained snapshots. */
const maximumPoints = 20

/** Maximum number of records of a world of which snapshots are taken. */
const maximumRecords = 1_000

/** Maximum length of a snapshot, in characters. */
const maximumLength = 200_000

/** Pause after a snapshot that was not retained, in milliseconds: the world is busy, or large. */
const pauseMs = 2_000

/**
 * Takes a snapshot of the world after each change, so that a test can start in the state before a
 * request. Returns the snapshots, oldest first.
 *
 * @param revision Changes with each request, and whenever the world may have changed.
 */
export function usePoints(
  client: PageClient,
  overview: Overview | undefined,
  revision: string,
): { readonly current: readonly Point[] } {
  const points = useMemo<{ current: readonly Point[] }>(() => ({ current: [] }), [client])
  const { pets = 0, orders = 0, messages = 0 } = overview?.counts ?? {}
  const isSmall = overview !== undefined && pets + orders + messages <= maximumRecords
  const record = useCallback(
    async (from: PageClient) => {
      const point = isSmall ? await takePoint(from, points.current) : undefined
      if (point) points.current = addPoint(points.current, point)
      return isSmall && !point ? pauseMs : 0
    },
    [isSmall, points],
  )
  const { quota, generation } = overview ?? {}
  // A failure to read the world is shown elsewhere.
  const version = JSON.stringify([isSmall, quota, generation, revision])
  useFollowed(client, record, version, (pause) => pause)
  return points
}

/** Takes a snapshot after others. Returns undefined if a request arrives meanwhile, or it is large. */
export async function takePoint(
  client: PageClient,
  points: readonly Point[],
): Promise<Point | undefined> {
  const query = { limit: 0 }
  const { newestId } = await client.send('getJournal', { query })
  const { text: json, generation } = await client.request('getSnapshot')
  const after = await client.send('getJournal', { query })
  if (after.newestId !== newestId || json.length > maximumLength) return undefined
  const known = points.at(-1)?.lastId ?? 0
  // Ids continue when the world restarts, although its journal is then empty.
  return { generation, lastId: newestId === 0 ? known : newestId, json }
}

/** Adds a snapshot to others. It replaces one of the same place: the control API changed the world. */
export function addPoint(points: readonly Point[], point: Point): readonly Point[] {
  const { generation, lastId } = point
  const others = points.filter(
    (other) => other.generation !== generation || other.lastId !== lastId,
  )
  return [...others, point].slice(-maximumPoints)
}
