import type { Measurement } from './measurement.js'

/** The targets of every trial. */
export const targets = {
  /** CPU time of the event-loop thread between two ticks. */
  blockMs: 500,
  /** Response time of the unrelated client. */
  unrelatedMs: 500,
  /** Memory that may be in use afterwards in addition to what was before. */
  retainsMiB: 16,
  /** The same for a trial that leaves worlds: the memory budget is half the heap. */
  retainsWithWorldsMiB: 128 + 16,
  /** Largest resident memory, with a heap of at most 256 MiB. */
  maxResidentMiB: 512,
  exits: 0,
} as const

/** Returns a sentence for each target that a measurement misses. */
export function findMissedTargets(measurement: Measurement): string[] {
  return [...findMissedTimes(measurement), ...findMissedOthers(measurement)]
}

/** Whether a measurement misses times only, which other programs on the machine can cause. */
export function isOnlyLate(measurement: Measurement): boolean {
  return findMissedTimes(measurement).length > 0 && findMissedOthers(measurement).length === 0
}

function findMissedTimes({ blockMs, unrelated, health, limits }: Measurement): string[] {
  const times = [
    ['longest block of the event loop', blockMs, targets.blockMs],
    ['slowest request of the unrelated client', unrelated.slowestMs, targets.unrelatedMs],
    ['slowest health check', health.slowestMs, limits.healthMs],
  ] as const
  return times
    .filter(([, found, most]) => found > most)
    .map(([what, found, most]) => `${what} in ms: at most ${most}, found ${found}`)
}

function findMissedOthers(measurement: Measurement): string[] {
  const { attempts, exits, unrelated, health, retainedMiB, violations } = measurement
  const { limits, exitReason, maxResidentMiB } = measurement
  const missed: string[] = []
  const limit = (what: string, found: number, most: number) => {
    if (found > most) missed.push(`${what}: at most ${most}, found ${found}`)
  }
  if (attempts < limits.attempts) {
    missed.push(`attempts: at least ${limits.attempts}, found ${attempts}`)
  }
  if (exits > targets.exits) missed.push(`the server process has ended: ${exitReason}`)
  limit(`failed requests of the unrelated client (${unrelated.reason})`, unrelated.failures, 0)
  limit(`failed health checks (${health.reason})`, health.failures, 0)
  limit('largest resident memory in MiB', maxResidentMiB, targets.maxResidentMiB)
  limit('retained memory in MiB', retainedMiB ?? 0, limits.retainsMiB)
  if (violations.count > 0) {
    missed.push(`${violations.count} violations: ${violations.first.join('; ')}`)
  }
  return missed
}
