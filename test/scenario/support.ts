import { ScenarioError } from '../../src/scenario/error.js'
import type { WorldSeed } from '../../src/world/seed.js'
import { WorldState } from '../../src/world/world.js'

/** The real time of the worlds in these tests. */
export const startMs = Date.UTC(2026, 4, 4, 9, 30)

/** A world of its own on a real time that stands still. */
export function createWorld(seed: WorldSeed): WorldState {
  const name = { environment: 'production', scenario: seed.scenario, label: '' } as const
  return new WorldState(name, seed, { realNow: () => startMs, journalCapacity: 10 })
}

/** The message of the refusal; fails when the scenario is taken, or refused by anything else. */
export async function readRefusal(act: () => unknown): Promise<string> {
  try {
    await act()
  } catch (error) {
    if (error instanceof ScenarioError) return error.message
    throw error
  }
  throw new Error('expected a ScenarioError, and nothing was thrown')
}
