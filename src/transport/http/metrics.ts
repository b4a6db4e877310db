import type { Route } from '../../engine/route.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { StoreObserver } from '../../store/observer.js'

/** Upper bounds of the buckets of a histogram, in seconds. */
export const durationBounds = [
  0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
] as const

/** The number of durations in each bucket, with one for those beyond all bounds. */
export interface DurationHistogram {
  readonly counts: number[]
  sum: number
}

/** The number of responses by method and status. The status is 0 if the connection was closed. */
type ResponseCounts = Map<string, Map<number, number>>

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Counts what a server does, in plain maps: `/metrics` converts them when it is requested. No label
 * contains an API key, the label of a world, or the address of a client.
 */
export class Metrics implements StoreObserver {
  /** By operation; `none` for requests that matched none. */
  readonly requests = new Map<string, ResponseCounts>()
  /** Time from the headers of a request until its response is ready, by operation. */
  readonly requestDurations = new Map<string, DurationHistogram>()
  /** Duration of the operations of the store. */
  readonly storeDurations = new Map<string, DurationHistogram>()
  /** Number of requests that were rejected with 503 `sandbox_capacity`. */
  rejections = 0
  evictions = 0
  storeConflicts = 0

  /** Counts the evictions and rejections of a sandbox. Returns a function that stops it. */
  watch(core: Sandbox): () => void {
    const stopEvictions = core.evictions.add(() => {
      this.evictions += 1
    })
    const stopRejections = core.rejections.add(() => {
      this.rejections += 1
    })
    return () => {
      stopEvictions()
      stopRejections()
    }
  }

  observeStore(operation: string, seconds: number): void {
    observe(this.storeDurations, operation, seconds)
  }

  countConflict(): void {
    this.storeConflicts += 1
  }

  /** Counts a request of the service or the control API, with the time until its response was ready. */
  countRequest(sent: string, { endpoint }: Route, status: number, seconds: number): void {
    const operation = endpoint?.id ?? 'none'
    // A client can send any method to a path that has no operation.
    const method = endpoint || knownMethods.includes(sent) ? sent : 'other'
    observe(this.requestDurations, operation, seconds)
    const counts: ResponseCounts = this.requests.get(operation) ?? new Map()
    const statuses = counts.get(method) ?? new Map<number, number>()
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    this.requests.set(operation, counts.set(method, statuses))
  }
}

function observe(
  histograms: Map<string, DurationHistogram>,
  operation: string,
  seconds: number,
): void {
  const buckets = durationBounds.length + 1
  const histogram = histograms.get(operation) ?? { counts: Array(buckets).fill(0), sum: 0 }
  let at = 0
  while (seconds > (durationBounds[at] ?? Number.POSITIVE_INFINITY)) at += 1
  histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
  histogram.sum += seconds
  histograms.set(operation, histogram)
}
