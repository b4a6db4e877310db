import fc from 'fast-check'
import type { IntendedDifference } from './intended.js'
import type { Build, OpenPlace } from './place.js'
import { type Exchange, play } from './play.js'
import { type Sequence, sequences } from './sequence.js'

/** Two builds, and the differences between them that are not defects. */
export interface Comparison {
  readonly released: Build
  readonly present: Build
  readonly intended: readonly IntendedDifference[]
}

const seed = 20_260_115
const maximumLength = 1_500

/**
 * Plays random sequences on both builds. Returns a description of the shortest one that shows a
 * difference; undefined if none does.
 *
 * @param count Number of sequences.
 */
export async function findDifference(
  { released, present, intended }: Comparison,
  open: OpenPlace,
  count: number,
): Promise<string | undefined> {
  let difference: string | undefined
  const toReleased = (json: string) =>
    intended.reduce((text, { toReleased }) => toReleased?.(text) ?? text, json)
  const isLeftOut = (headers: readonly string[]) =>
    intended.some((difference) => difference.isLeftOut?.(headers))
  const toText = (exchange: Exchange | undefined) =>
    exchange &&
    describeOutcome(intended.reduce((kept, { normalize }) => normalize?.(kept) ?? kept, exchange))
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const expected = await play(released, sequence, open, isLeftOut, toReleased)
    const found = await play(present, sequence, open, isLeftOut)
    const at = expected.findIndex((exchange, index) => toText(exchange) !== toText(found[index]))
    // The last sequence that differs is the shortest one.
    if (at >= 0) difference = describeDifference(sequence, expected.slice(0, at + 1), found[at])
    return at < 0
  })
  const { failed, errorInstance } = await fc.check(property, { numRuns: count, seed })
  if (failed && difference === undefined) throw errorInstance
  return difference
}

/**
 * Describes a difference: the requests in their order, and what both builds did with the last one.
 *
 * @param released The exchanges of the release. All but the last are the same in both builds.
 */
function describeDifference(
  { start }: Sequence,
  released: readonly Exchange[],
  present: Exchange | undefined,
): string {
  const requests = released.map(({ request, headers, sentBody, head: [status] }, index) =>
    [`${index + 1}. ${request}`, ...headers, shorten(sentBody), `=> ${status}`].join('\n   '),
  )
  const outcomes = [released.at(-1), present].map(
    (exchange) => exchange && describeOutcome(exchange),
  )
  const [expected = '', found = ''] = outcomes
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at += 1
  const excerpt = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return [
    `The shortest sequence that differs, with the scenario ${JSON.stringify(start)}:`,
    ...requests,
    `released: ${shorten(expected)}`,
    `present: ${shorten(found)}`,
    `first difference:\n   released ${excerpt(expected)}\n   present  ${excerpt(found)}`,
  ].join('\n\n')
}

/** Everything that is compared. */
function describeOutcome({ head, body, failure, entries, delays }: Exchange): string {
  const parts = [...head, body, `failure: ${failure}`, ...entries, `delays: ${delays.join()} ms`]
  return parts.join('\n   ')
}

function shorten(text: string): string {
  return text.length <= maximumLength
    ? text
    : `${text.slice(0, maximumLength)}… (${text.length} characters)`
}
