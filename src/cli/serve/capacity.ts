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
  const evictions = new Report((count) => {
    const worlds = toCount(count, 'worlds')
    log.notice(`evicted ${worlds}, least recently used first; ${describeWorlds()}`)
  })
  const rejections = new Report((count) => {
    const requests = toCount(count, 'requests')
    log.error(
      `rejected ${requests} with 503 sandbox_capacity: ${latest?.message}; ${describeWorlds()}`,
    )
  })
  const stops = [
    core.evictions.add(() => evictions.add()),
    core.rejections.add((problem) => {
      latest = problem
      rejections.add()
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    evictions.stop()
    rejections.stop()
  }
}

/** Counts events, and writes a line for several of them. */
class Report {
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(readonly write: (count: number) => void) {}

  add(): void {
    this.#count += 1
    if (this.#timer) return
    this.#flush()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#flush()
    }, intervalMs)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #flush(): void {
    if (this.#count > 0) this.write(this.#count)
    this.#count = 0
  }
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
