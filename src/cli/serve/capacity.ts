import { throttle } from 'es-toolkit/function'
import type { Sandbox } from '../../engine/sandbox.js'
import { toCount } from '../../service/validation/message.js'
import type { ServeLog } from './log.js'

/**
 * Logs evictions, and why requests are rejected with 503 `sandbox_capacity`. Returns a function that
 * stops it.
 */
export function reportCapacity(core: Sandbox, log: ServeLog): () => void {
  const use = () =>
    `the worlds use ${toMebibytes(core.worlds.bytes)} of ${toMebibytes(core.settings.maxMemory)}`
  const evictions = createCounter((count) => {
    log.notice(`evicted ${toCount(count, 'worlds')}, least recently used first; ${use()}`)
  })
  const rejections = createCounter((count, message) => {
    const requests = toCount(count, 'requests')
    log.error(`rejected ${requests} with 503 sandbox_capacity: ${message}; ${use()}`)
  })
  core.evictions.add(() => evictions.add(''))
  core.rejections.add(({ message }) => rejections.add(message))
  return () => {
    evictions.stop()
    rejections.stop()
  }
}

/** Counts events, and reports them at once and then at most every ten seconds. */
function createCounter(report: (count: number, latest: string) => void) {
  let count = 0
  const reportSoon = throttle((latest: string) => {
    report(count, latest)
    count = 0
  }, 10_000)
  const add = (event: string) => {
    count += 1
    reportSoon(event)
  }
  return { add, stop: reportSoon.cancel }
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
