import type { Sandbox } from '../../engine/sandbox.js'
import { toCount } from '../../service/validation/message.js'
import type { MemoryAccount } from '../../world/memory-account.js'
import type { ServeLog } from './log.js'

/** Interval between two reports of the same kind, in milliseconds. */
const intervalMs = 10_000

/**
 * Logs evictions, and what uses the memory when a request is rejected for lack of it. Each kind is
 * logged at once and then at most every ten seconds. Returns a function that stops it.
 */
export function reportCapacity(core: Sandbox, log: ServeLog): () => void {
  const evictions = new Report((count) => {
    const worlds = toCount(count, 'worlds')
    log.notice(`evicted ${worlds}, least recently used first; ${describeMemory(core.memory)}`)
  })
  const rejections = new Report((count, full: MemoryAccount) => {
    const { owner, limit } = full.options
    const requests = toCount(count, 'requests')
    log.error(
      `rejected ${requests} with 503 sandbox_capacity: ${owner} uses ${toMebibytes(full.used)} of ${toMebibytes(limit)}; ${describeMemory(core.memory)}`,
    )
  })
  const stops = [
    core.onEvict(({ world }) => evictions.add(world.memory)),
    core.onFull((full) => rejections.add(full)),
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

  constructor(readonly write: (count: number, latest: MemoryAccount) => void) {}

  add(account: MemoryAccount): void {
    this.#count += 1
    if (this.#timer) return
    this.#flush(account)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#flush(account)
    }, intervalMs)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #flush(account: MemoryAccount): void {
    if (this.#count > 0) this.write(this.#count, account)
    this.#count = 0
  }
}

/** Describes what uses the memory: `the sandbox uses 3 MiB of 512 MiB (data 2 MiB, …)`. */
function describeMemory({ used, usage, options }: MemoryAccount): string {
  const uses = Object.entries(usage)
    .filter(([, bytes]) => bytes > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([use, bytes]) => `${use} ${toMebibytes(bytes)}`)
  const details = uses.length === 0 ? '' : ` (${uses.join(', ')})`
  return `the sandbox uses ${toMebibytes(used)} of ${toMebibytes(options.limit)}${details}`
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
