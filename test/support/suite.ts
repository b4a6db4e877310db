import { onTestFinished, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import type { AssumptionId } from '../../src/service/assumptions.js'
import { createClient, type SendRequest } from './client.js'
import { Coverage } from './coverage.js'
import type { Place, ServiceAddress, Transport } from './transport.js'

/** The real time of a sandbox under test, between two whole seconds. It does not advance. */
export const startMs = Date.UTC(2026, 0, 15, 9, 0, 0, 250)

/** A sandbox that is open for one test. */
export interface Connection {
  readonly sandbox: Place['sandbox']
  readonly urls: Readonly<Record<ServiceAddress, string>>
  readonly send: SendRequest
  /** The requested delays, in milliseconds. */
  readonly delays: readonly number[]
  /** Returns the number of requests that wait for a time of the world, in all replicas. */
  countWaits(): number
  /** Stores what the test has changed, and reads what other replicas have. */
  save(): Promise<void>
}

/** The input of the cases of the suite. */
export interface Suite {
  readonly coverage: Coverage
  /**
   * Opens a sandbox that closes at the end of the test. Opening another one closes it. Its real time
   * does not advance.
   */
  open(options?: SandboxOptions): Promise<Connection>
  /** Defines the test of an assumption, with the id in its title. */
  assumption(id: AssumptionId, title: string, run: () => Promise<void>): void
}

export function createSuite(transport: Transport): Suite {
  const coverage = new Coverage()
  let close = async () => {}
  return {
    coverage,
    async open(options = {}) {
      await close()
      const { sleep, delays } = createSleep()
      const place = await transport.open({ now: () => startMs, sleep, ...options })
      close = createClose(place)
      onTestFinished(close)
      const { sandbox, urls, replicas = [] } = place
      const countWaits = () =>
        [...new Set([sandbox, ...replicas])].reduce((sum, { world }) => sum + world.clock.waits, 0)
      const save = async () => replicas[0]?.save()
      return { sandbox, urls, delays, countWaits, save, send: createClient(place, coverage) }
    },
    assumption(id, title, run) {
      test(`assumption ${id}: ${title}`, async () => {
        await run()
        coverage.addAssumption(id)
      })
    },
  }
}

/** Creates a `sleep` that records the delay and resolves immediately. */
function createSleep() {
  const delays: number[] = []
  const sleep = async (ms: number) => {
    delays.push(ms)
  }
  return { sleep, delays }
}

/** Creates a function that closes a place once. */
function createClose(place: Place): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= Promise.resolve(place.close())
    return closed
  }
}
