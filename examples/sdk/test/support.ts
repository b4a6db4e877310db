import type { TestSandbox } from 'petstore-sandbox/vitest'
import { type ClientOptions, PetStoreClient } from '../src/client.js'

/** A client of the world of a test. Waiting moves the world's clock, and is recorded. */
export function createClient(sandbox: TestSandbox, options: Partial<ClientOptions> = {}) {
  const { apiKey, baseUrl, quickstartBaseUrl, world } = sandbox
  const waits: number[] = []
  world.clock.freeze()
  const clock = {
    now: () => world.clock.now(),
    sleep: async (ms: number) => {
      waits.push(ms)
      world.clock.advance(ms)
    },
  }
  const addresses = { apiKey, baseUrl, quickstartBaseUrl }
  // 0.5 is the middle of the jitter.
  const client = new PetStoreClient({ ...addresses, clock, random: () => 0.5, ...options })
  return { client, waits }
}
