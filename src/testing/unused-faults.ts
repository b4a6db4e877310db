import type { World } from '../control/world.js'
import { toCount } from '../service/validation/message.js'
import type { FaultEntry } from '../world/faults/faults.js'
import { describeFault, type Fault } from '../world/faults/schema.js'
import type { RecordedEntry } from '../world/journal/entry.js'

/** First words of the result of {@link describeUnusedFaults} if there are such faults. */
export const unusedFaultsHeading = 'no request triggered'

/**
 * Describes the faults of worlds that no request has triggered, each with the nearest request.
 * Returns an empty string if there are none.
 */
export function describeUnusedFaults(worlds: readonly World[], removed: RemovedFaults): string {
  const lines = worlds.flatMap((world) =>
    findUnused(world, removed).map((fault) => `  ${describeUnused(fault, world)}`),
  )
  if (lines.length === 0) return ''
  return `${unusedFaultsHeading} ${toCount(lines.length, 'faults')} of this test:\n${lines.join('\n')}`
}

/** The faults that were removed from worlds before a request triggered them. */
export class RemovedFaults {
  readonly #faults = new Map<World, Set<Fault>>()

  /** Watches a world from now on. */
  watch(world: World): void {
    const faults = this.#faults.get(world) ?? new Set()
    this.#faults.set(world, faults)
    world.faults.beforeReplace = (entries) => {
      for (const entry of entries) {
        if (hasActed(entry) || entry.isInitial) faults.delete(entry.fault)
        else faults.add(entry.fault)
      }
    }
  }

  /** Returns the faults that were removed from a world. */
  of(world: World): Iterable<Fault> {
    return this.#faults.get(world) ?? []
  }
}

/**
 * Returns the faults that no request has triggered. Omits faults of the scenario with `rate` or `skip`,
 * and faults that another scenario has replaced.
 */
function findUnused(world: World, removed: RemovedFaults): Fault[] {
  const entries = world.faults.entries()
  const present = entries.filter(
    (entry) => !hasActed(entry) && !(entry.isInitial && mayBeUnused(entry.fault)),
  )
  const kept = new Set(entries.map(({ fault }) => fault))
  const gone = [...removed.of(world)].filter((fault) => !kept.has(fault))
  return [...gone, ...present.map(({ fault }) => fault)]
}

/** Whether a fault has affected a request. Steps of a sequence that are `pass` do not count. */
function hasActed({ fault, used }: FaultEntry): boolean {
  if (!('sequence' in fault)) return (fault.triggered ?? 0) + used > 0
  return fault.sequence.slice(0, used).some((step) => step !== 'pass')
}

/** Whether a fault depends on chance or on earlier requests, so that a test need not trigger it. */
function mayBeUnused(fault: Fault): boolean {
  return ('rate' in fault && fault.rate !== undefined) || fault.skip !== undefined
}

function describeUnused(fault: Fault, { requests, name }: World): string {
  const place = name.environment === 'staging' ? ' (staging)' : ''
  return `${describeFault(fault)}${place}; ${describeNearest(fault, requests.read().entries)}`
}

/** Describes the last request of the operation of a fault, or else a similar request. */
function describeNearest(fault: Fault, entries: readonly RecordedEntry[]): string {
  const wanted = fault.operation
  const isNear = ({ operation, nearestOperation }: RecordedEntry) =>
    (operation ?? nearestOperation) === wanted
  const nearest = entries.findLast(isNear) ?? entries.at(-1)
  if (!nearest) return 'the world received no requests'
  const { id, method, path, status, operation } = nearest
  return `the nearest request is #${id} ${method} ${path} → ${status}, ${operation ?? 'no operation'}`
}
