import type { RequestObserver } from '../../engine/respond.js'
import type { Route } from '../../engine/route.js'
import type { Sandbox } from '../../engine/sandbox.js'
import type { StoreObserver } from '../../store/observer.js'

/** Upper bounds of the buckets of a histogram, in seconds. */
export const durationBounds = [
  0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
] as const

/** The number of durations in each bucket. */
export class DurationHistogram {
  /** One number for each bound, and one for longer durations. */
  readonly counts: number[] = new Array<number>(durationBounds.length + 1).fill(0)
  sum = 0

  observe(seconds: number): void {
    let at = 0
    while (seconds > (durationBounds[at] ?? Number.POSITIVE_INFINITY)) at += 1
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += seconds
  }
}

/** The requests of one operation. */
export class OperationRequests {
  /** Time from the headers of a request until its response is ready. */
  readonly durations = new DurationHistogram()
  /** Number of responses by method and status. The status is 0 if the connection was closed. */
  readonly counts = new Map<string, Map<number, number>>()

  add(method: string, status: number, seconds: number): void {
    this.durations.observe(seconds)
    let counts = this.counts.get(method)
    if (!counts) {
      counts = new Map()
      this.counts.set(method, counts)
    }
    increment(counts, status)
  }
}

/**
 * Counts what a server does, in plain maps: `/metrics` converts them when it is requested. No label
 * contains an API key, the label of a world, or the address of a client.
 */
export class Metrics implements StoreObserver, RequestObserver {
  /** By operation; `none` for requests that matched none. */
  readonly requests = new Map<string, OperationRequests>()
  /** Duration of the operations of the store. */
  readonly storeDurations = new Map<string, DurationHistogram>()
  /** Number of requests that were rejected with 503 `sandbox_capacity`. */
  rejections = 0
  evictions = 0
  storeConflicts = 0

  /** Counts the evictions and rejections of a sandbox. Returns a function that stops it. */
  watch(core: Sandbox): () => void {
    const stops = [
      core.evictions.add(() => {
        this.evictions += 1
      }),
      core.rejections.add(() => {
        this.rejections += 1
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  observeStore(operation: string, seconds: number): void {
    let durations = this.storeDurations.get(operation)
    if (!durations) {
      durations = new DurationHistogram()
      this.storeDurations.set(operation, durations)
    }
    durations.observe(seconds)
  }

  countConflict(): void {
    this.storeConflicts += 1
  }

  /** Counts a request of the service or the control API, with the time until its response was ready. */
  countRequest(method: string, { endpoint }: Route, status: number, seconds: number): void {
    const operation = endpoint?.id ?? 'none'
    // A client can send any method to a path that has no operation.
    const shown = endpoint === undefined && !knownMethods.has(method) ? 'other' : method
    let requests = this.requests.get(operation)
    if (!requests) {
      requests = new OperationRequests()
      this.requests.set(operation, requests)
    }
    requests.add(shown, status, seconds)
  }
}

const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
