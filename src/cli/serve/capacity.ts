import { throttle } from 'es-toolkit/function'
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
  let evicted = 0
  const reportEvictions = throttle(() => {
    const worlds = toCount(evicted, 'worlds')
    log.notice(`evicted ${worlds}, least recently used first; ${describeWorlds()}`)
    evicted = 0
  }, intervalMs)
  let rejected = 0
  const reportRejections = throttle(({ message }: Problem) => {
    const requests = toCount(rejected, 'requests')
    log.error(`rejected ${requests} with 503 sandbox_capacity: ${message}; ${describeWorlds()}`)
    rejected = 0
  }, intervalMs)
  core.evictions.add(() => {
    evicted += 1
    reportEvictions()
  })
  core.rejections.add((problem) => {
    rejected += 1
    reportRejections(problem)
  })
  return () => {
    reportEvictions.cancel()
    reportRejections.cancel()
  }
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
