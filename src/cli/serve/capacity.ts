import type { Sandbox } from '../../engine/sandbox.js'
import type { Problem } from '../../service/errors.js'
import { toCount } from '../../service/validation/message.js'
import type { ServeLog } from './log.js'

/** Interval between two reports of the same kind, in milliseconds. */
const intervalMs = 10_000

/**
 * Logs evictions, and why requests are rejected with 503 `sandbox_capacity`. Each kind is logged at
 * once and then at most every ten seconds. Returns a function that stops it.
 */
export function reportCapacity(core: Sandbox, log: ServeLog): () => void {
  const describeWorlds = () =>
    `the worlds use ${toMebibytes(core.worlds.bytes)} of ${toMebibytes(core.settings.maxMemory)}`
  let latest: Problem | undefined
  const evictions = countInIntervals((count) => {
    const worlds = toCount(count, 'worlds')
    log.notice(`evicted ${worlds}, least recently used first; ${describeWorlds()}`)
  })
  const rejections = countInIntervals((count) => {
    const requests = toCount(count, 'requests')
    log.error(
      `rejected ${requests} with 503 sandbox_capacity: ${latest?.message}; ${describeWorlds()}`,
    )
  })
  const stops = [
    evictions.stop,
    rejections.stop,
    core.evictions.add(evictions.add),
    core.rejections.add((problem) => {
      latest = problem
      rejections.add()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Counts events. Calls `write` with their number, for the first one at once. */
function countInIntervals(write: (count: number) => void) {
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    if (count > 0) write(count)
    count = 0
  }
  return {
    add() {
      count += 1
      if (timer) return
      flush()
      timer = setTimeout(() => {
        timer = undefined
        flush()
      }, intervalMs).unref()
    },
    stop: () => clearTimeout(timer),
  }
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
