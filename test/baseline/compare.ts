import fc from 'fast-check'
import type { Build } from './build.js'
import { describeDifference } from './describe.js'
import type { Exchange } from './exchange.js'
import type { IntendedDifference } from './intended.js'
import type { OpenPlace } from './place.js'
import { play } from './play.js'
import type { Sequence } from './sequence.js'

/** Two builds, and the differences between them that are not defects. */
export interface Comparison {
  readonly released: Build
  readonly present: Build
  readonly intended: readonly IntendedDifference[]
}

/** The sequences that both builds are compared with. */
export interface Runs {
  readonly sequences: fc.Arbitrary<Sequence>
  readonly open: OpenPlace
  readonly count: number
  /** Called with each exchange of the release, until a difference is found. */
  readonly onExchange?: (exchange: Exchange) => void
}

const seed = 20_260_115

/**
 * Plays random sequences on both builds. Returns a description of the shortest one that shows a
 * difference; undefined if none does.
 */
export async function findDifference(
  comparison: Comparison,
  { sequences, open, count, onExchange = () => {} }: Runs,
): Promise<string | undefined> {
  let difference: string | undefined
  const isLeftOut = (request: Exchange['request']) =>
    comparison.intended.some((difference) => difference.isLeftOut?.(request))
  const toReleased = (json: string) =>
    comparison.intended.reduce((text, { toReleased }) => toReleased?.(text) ?? text, json)
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const released = await play(comparison.released, sequence, open, isLeftOut, toReleased)
    const present = await play(comparison.present, sequence, open, isLeftOut)
    const at = findFirst(comparison, released, present)
    if (at >= 0) {
      // The last sequence that differs is the shortest one.
      difference = describeDifference(sequence, released.slice(0, at + 1), present[at])
    } else if (difference === undefined) released.forEach(onExchange)
    return at < 0
  })
  const { failed, errorInstance } = await fc.check(property, { numRuns: count, seed })
  if (failed && difference === undefined) throw errorInstance
  return difference
}

/** Returns the index of the first exchange that differs; -1 if there is none. */
function findFirst(
  { intended }: Comparison,
  released: readonly Exchange[],
  present: readonly Exchange[],
): number {
  const normalize = (exchange: Exchange | undefined) =>
    intended.reduce(
      (kept, { normalize = (same: Exchange) => same }) => kept && normalize(kept),
      exchange,
    )
  return released.findIndex((exchange, at) => {
    const [expected, found] = [normalize(exchange), normalize(present[at])]
    return expected && found && toText(expected) !== toText(found)
  })
}

/** Everything that is compared. The requests are the same. */
function toText({ response, entries, delays }: Exchange): string {
  return JSON.stringify([response, entries, delays])
}
