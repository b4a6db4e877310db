import { getHeapStatistics } from 'node:v8'

/** Default of `maxMemory`, in bytes. */
const defaultMaxMemory = 536_870_912

/**
 * Returns the memory budget of a server, in bytes: at most half of the heap limit of the process,
 * so that the rest is left for what the budget does not count.
 */
export function toMaxMemory(wanted: number = defaultMaxMemory): number {
  return Math.min(wanted, Math.floor(getHeapStatistics().heap_size_limit / 2))
}
