import type { Measurement } from './measurement.js'

/** The targets of every trial. */
export const targets = {
  /** CPU time of the event-loop thread between two ticks. */
  blockMs: 100,
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

/** CPU time of the loop in `measureSlowness` on the machine for which the times are set, in ms. */
const referenceMs = 50

/** Returns how many times slower than that the machine is at the moment; at least 1. */
export function measureSlowness(): number {
  const before = process.cpuUsage()
  let sum = 0
  for (let number = 0; number < 30_000_000; number++) sum += number % 7
  const { user } = process.cpuUsage(before)
  return sum > 0 ? Math.max(1, user / 1_000 / referenceMs) : 1
}

/**
 * Returns a sentence for each target that a measurement misses.
 *
 * @param slowness Factor of the times.
 */
export function findMissedTargets(measurement: Measurement, slowness = 1): string[] {
  return [...findMissedTimes(measurement, slowness), ...findMissedOthers(measurement)]
}

/** Whether a measurement misses times only, which other programs on the machine can cause. */
export function isOnlyLate(measurement: Measurement, slowness: number): boolean {
  const isLate = findMissedTimes(measurement, slowness).length > 0
  return isLate && findMissedOthers(measurement).length === 0
}

function findMissedTimes(
  { blockMs, unrelated, health, limits }: Measurement,
  slowness: number,
): string[] {
  const times = [
    ['longest block of the event loop', blockMs, targets.blockMs],
    ['slowest request of the unrelated client', unrelated.slowestMs, targets.unrelatedMs],
    ['slowest health check', health.slowestMs, limits.healthMs],
  ] as const
  return times
    .filter(([, found, most]) => found > most * slowness)
    .map(([what, found, most]) => {
      const factor = slowness > 1 ? ` times ${slowness.toFixed(2)} on this machine` : ''
      return `${what} in ms: at most ${most}${factor}, found ${found}`
    })
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
