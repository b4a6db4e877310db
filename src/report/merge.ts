import { toTimestamp } from '../service/timestamp.js'
import type { RequestFact } from '../world/journal/facts.js'
import { defaultRules } from '../world/rules.js'
import { Assessment, findSpan } from './assessment.js'
import type { Report } from './report.js'
import type { RuleSelection } from './selection.js'
import type { Limits } from './what-if.js'

/** Requests that a world has received in a test, as JSON. */
export interface WorldRequests extends RuleSelection {
  /** Environment of the world. */
  readonly environment: 'production' | 'staging'
  /** Time of the collection on the clock of the world, in milliseconds since the epoch. */
  readonly nowMs: number
  readonly limits: Limits
  /** Status of a successful sendMessage response (A10). */
  readonly messageStatus: number
  /** Number of requests, including those that are no longer retained. */
  readonly received: number
  /**
   * For each account of the requests, whether the same key was used in the other environment; null if
   * the client cannot choose the key. The requests have positions in this list as accounts, so that no
   * key leaves the world.
   */
  readonly elsewhere: readonly (boolean | null)[]
  readonly facts: readonly RequestFact[]
}

/** The requests of one test. */
export interface TestRequests {
  /** File and title of the test: `cart.test.ts > retries after 429`. */
  readonly test: string
  readonly worlds: readonly WorldRequests[]
}

/** Assesses the requests of all tests of a run, with each key in each world as a separate client. */
export function mergeRequests(tests: readonly TestRequests[], nowMs: number): Report {
  const clients = tests.flatMap(({ test, worlds }) =>
    worlds.flatMap((world) => toClients(world, test)),
  )
  const worlds = tests.flatMap((test) => test.worlds)
  const received = worlds.reduce((sum, world) => sum + world.received, 0)
  const messageStatus = worlds[0]?.messageStatus ?? defaultRules.messageStatus
  const span = findSpan(clients.flatMap(({ facts }) => facts))
  const assessment = new Assessment(span, messageStatus)
  for (const { facts, context } of clients) assessment.add(facts, context)
  const merged = { world: null, apiKey: null, plan: null, createdAt: toTimestamp(nowMs) }
  return { ...merged, ...assessment.toResults(received) }
}

/** Returns the clients of a world. Requests without a valid key count as a separate client. */
function toClients({ elsewhere, facts, ...world }: WorldRequests, test: string) {
  return [null, ...elsewhere.keys()].map((at) => {
    const isUsedElsewhere = at === null ? undefined : (elsewhere[at] ?? undefined)
    return {
      facts: facts.filter(({ account }) => account === (at === null ? null : `${at}`)),
      context: { ...world, test, isUsedElsewhere },
    }
  })
}
