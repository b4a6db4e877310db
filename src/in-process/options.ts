import { z } from 'zod'
import { describeMismatch, describeValue, toPath } from '../validation/validate.js'
import { suggestName } from '../validation/nearest-name.js'
import type { SandboxOptions } from './sandbox.js'

const text = z.string('a text')

/** A function, of which no more can be seen. */
const aFunction = z.custom((value) => typeof value === 'function', 'a function')

/** What each option of a sandbox may be; the library looks at the scenario itself. */
export const sandboxShape = {
  scenario: z.unknown(),
  baseUrl: text,
  stagingBaseUrl: text,
  quickstartBaseUrl: text,
  controlUrl: text,
  stagingControlUrl: text,
  journalCapacity: toInteger(0, 100_000),
  maxWorlds: toInteger(1),
  now: aFunction,
  sleep: aFunction,
} satisfies Record<keyof SandboxOptions, z.ZodType>

/** An integer within bounds, both of them included. */
export function toInteger(from: number, to = Number.MAX_SAFE_INTEGER): z.ZodType {
  const wanted = `an integer from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`
  return z.int(wanted).min(from, wanted).max(to, wanted)
}

/** A text with at least one letter. */
export const filledText: z.ZodType = z
  .string('a text that is not empty')
  .min(1, 'a text that is not empty')

/**
 * Checks the options that a caller hands in; all of them may be left out.
 *
 * @param taker What takes the options, as a message calls it.
 * @throws {TypeError} With every option that is unknown or does not fit.
 */
export function checkOptions(
  shape: Readonly<Record<string, z.ZodType>>,
  options: unknown,
  taker: string,
): void {
  // Options hold handlers and sandboxes, which are too deep for `validate` to measure.
  const result = z
    .strictObject(shape)
    .partial()
    .safeParse(options, {
      error: (issue) => toWords(issue, taker),
      reportInput: true,
    })
  if (result.success) return
  throw new TypeError(result.error.issues.map((issue) => toSentence(issue, taker)).join('; '))
}

function toSentence(issue: z.core.$ZodIssue, taker: string): string {
  if (issue.code === 'unrecognized_keys') return issue.message
  const mismatch = {
    path: toPath(issue.path),
    kind: 'invalid',
    wanted: issue.message,
    found: describeValue(issue.input),
  } as const
  return describeMismatch(mismatch, `what ${taker} takes`)
}

/** The words for objects; every other schema has its own. */
function toWords(issue: Parameters<z.core.$ZodErrorMap>[0], taker: string): string {
  if (issue.code !== 'unrecognized_keys') return 'an object'
  const known =
    issue.inst instanceof z.core.$ZodObject ? Object.keys(issue.inst._zod.def.shape) : []
  const sentences = issue.keys.map((key) => {
    const path = toPath([...(issue.path ?? []), key])
    return `${path} is no option of ${taker}${suggestName(key, known)}`
  })
  return sentences.join('; ')
}
