import { getHeapStatistics } from 'node:v8'
import { worldsBytes } from '../../service/bounds.js'

/**
 * Returns the maximum size of the worlds of a server, in bytes: at most half of the heap limit of the process,
 * so that the rest is left for everything else.
 */
export function toMaxMemory(wanted: number = worldsBytes): number {
  return Math.min(wanted, Math.floor(getHeapStatistics().heap_size_limit / 2))
}
