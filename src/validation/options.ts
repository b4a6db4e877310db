import { z } from 'zod'
import { suggestName } from './nearest-name.js'
import { describeMismatch, describeValue, toPath } from './validate.js'

/** An integer within bounds, both of them included. */
export function toInteger(from: number, to = Number.MAX_SAFE_INTEGER): z.ZodType {
  const wanted = `an integer from ${from}${to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`}`
  return z.int(wanted).min(from, wanted).max(to, wanted)
}

/** A string with at least one character. */
export const nonEmptyString: z.ZodType = z
  .string('a string that is not empty')
  .min(1, 'a string that is not empty')

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
