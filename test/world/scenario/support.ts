import type { Records } from '../../../src/service/records.js'
import { listRecords } from '../../../src/world/database/database.js'
import { ScenarioError } from '../../../src/world/scenario/error.js'
import type { WorldSeed } from '../../../src/world/seed.js'
import type { WorldRoom } from '../../../src/world/world.js'
import { WorldState } from '../../../src/world/world.js'

/** Real time of the worlds in these tests. */
export const startMs = Date.UTC(2026, 4, 4, 9, 30)

/** Room for a world on its own. */
export function createRoom(limit: number): WorldRoom {
  return { limit, makeRoom: () => undefined, resize: () => {}, close: () => {} }
}

/** Creates a world whose real time is always `startMs`. */
export function createWorld(seed: WorldSeed, room: WorldRoom = createRoom(16_777_216)): WorldState {
  const name = { environment: 'production', scenario: seed.scenario, label: '' } as const
  return new WorldState(name, seed, {
    realNow: () => startMs,
    nextGeneration: () => 1,
    journalCapacity: 10,
    room,
    changes: { all: new Set(), report: () => {} },
    reportError: (error) => {
      throw error
    },
  })
}

/** Returns the message of the ScenarioError that `act` throws; fails if it throws none. */
export async function readScenarioError(act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    if (error instanceof ScenarioError) return error.message
    throw error
  }
  throw new Error('expected a ScenarioError, but nothing was thrown')
}

/** Returns the records of a seed. */
export function recordsOf({ records }: WorldSeed): Records {
  return listRecords(records)
}
