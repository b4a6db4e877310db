import { onTestFinished, test } from 'vitest'
import type { AssumptionId } from '../../src/contract/assumptions.js'
import type { SandboxOptions } from '../../src/index.js'
import { type Call, createClient } from './client.js'
import { Coverage } from './coverage.js'
import type { Place, ServiceAddress, Transport } from './transport.js'

/** The real time of a sandbox under test: it stands still, between two whole seconds. */
export const startMs = Date.UTC(2026, 0, 15, 9, 0, 0, 250)

/** A sandbox that is open for one test. */
export interface Connection {
  readonly sandbox: Place['sandbox']
  readonly urls: Readonly<Record<ServiceAddress, string>>
  readonly call: Call
  /** The delays that would have been waited for, in milliseconds. */
  readonly delays: readonly number[]
}

/** What the cases of the suite are given. */
export interface Suite {
  readonly coverage: Coverage
  readonly isPage: boolean
  /**
   * Opens a sandbox that closes with the test; a test has one open at a time, so that opening
   * another closes the one before. Its time stands still until it is moved.
   */
  open(options?: SandboxOptions): Promise<Connection>
  /** A test of an assumption, which is named in its title. */
  assumption(id: AssumptionId, title: string, run: () => Promise<void>): void
}

export function createSuite(transport: Transport): Suite {
  const coverage = new Coverage()
  let close = async () => {}
  return {
    coverage,
    isPage: transport.isPage ?? false,
    async open(options = {}) {
      await close()
      const { sleep, delays } = createSleep()
      const place = await transport.open({ now: () => startMs, sleep, ...options })
      close = createClose(place)
      onTestFinished(close)
      const { sandbox, urls } = place
      return { sandbox, urls, delays, call: createClient(place, coverage) }
    },
    assumption(id, title, run) {
      test(`assumption ${id}: ${title}`, async () => {
        await run()
        coverage.sawAssumption(id)
      })
    },
  }
}

/** A way to wait that only notes how long it would have been. */
function createSleep() {
  const delays: number[] = []
  const sleep = async (ms: number) => {
    delays.push(ms)
  }
  return { sleep, delays }
}

/** Closes a place the first time that it is called. */
function createClose(place: Place): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= Promise.resolve(place.close())
    return closed
  }
}
