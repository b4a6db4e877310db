/** Requests that were sent one after the other. */
export interface Series {
  readonly count: number
  /** Requests without a response, or with another status than 200. */
  readonly failures: number
  /** The reason of the first failure; empty if there is none. */
  readonly reason: string
  /** In milliseconds, without the time in which server and client waited for a processor. */
  readonly slowestMs: number
}

/** What a trial has measured. */
export interface Measurement {
  readonly name: string
  readonly attempts: number
  readonly seconds: number
  readonly maxResidentMiB: number
  /** Memory that is retained after the trial in addition; undefined if the server does not answer. */
  readonly retainedMiB: number | undefined
  readonly unrelated: Series
  readonly health: Series
  /** How the process ended; empty if it did not. */
  readonly exitReason: string
  readonly violations: { readonly count: number; readonly first: readonly string[] }
  readonly notes: readonly string[]
  readonly limits: {
    readonly attempts: number
    readonly healthMs: number
    readonly retainsMiB: number
  }
}

/** The targets of every trial. */
export const targets = {
  /** Response time of the unrelated client, which also waits for each block of the event loop. */
  unrelatedMs: 500,
  /** Memory that may be in use afterwards in addition to what was before. */
  retainsMiB: 16,
  /** The same for a trial that leaves worlds: the memory budget is half the heap. */
  retainsWithWorldsMiB: 128 + 16,
  /** Largest resident memory, with a heap of at most 256 MiB. */
  maxResidentMiB: 512,
} as const

/** Returns a sentence for each target that a measurement misses. */
export function findMissedTargets(measurement: Measurement): string[] {
  return [...findMissedTimes(measurement), ...findMissedOthers(measurement)]
}

/** Whether a measurement misses times only, which other programs on the machine can cause. */
export function isOnlyLate(measurement: Measurement): boolean {
  return findMissedTimes(measurement).length > 0 && findMissedOthers(measurement).length === 0
}

function findMissedTimes({ unrelated, health, limits }: Measurement): string[] {
  const most = targets.unrelatedMs
  return [
    ...findExcess('slowest request of the unrelated client in ms', unrelated.slowestMs, most),
    ...findExcess('slowest health check in ms', health.slowestMs, limits.healthMs),
  ]
}

function findMissedOthers(measurement: Measurement): string[] {
  const { attempts, exitReason, unrelated, health, retainedMiB = 0, violations } = measurement
  const { limits, maxResidentMiB } = measurement
  const few = `attempts: at least ${limits.attempts}, found ${attempts}`
  const found = `${violations.count} violations: ${violations.first.join('; ')}`
  return [
    ...(attempts < limits.attempts ? [few] : []),
    ...(exitReason === '' ? [] : [`the server process has ended: ${exitReason}`]),
    ...findExcess(
      `failed requests of the unrelated client (${unrelated.reason})`,
      unrelated.failures,
      0,
    ),
    ...findExcess(`failed health checks (${health.reason})`, health.failures, 0),
    ...findExcess('largest resident memory in MiB', maxResidentMiB, targets.maxResidentMiB),
    ...findExcess('retained memory in MiB', retainedMiB, limits.retainsMiB),
    ...(violations.count > 0 ? [found] : []),
  ]
}

function findExcess(what: string, found: number, most: number): string[] {
  return found > most ? [`${what}: at most ${most}, found ${Math.round(found)}`] : []
}
