import { Problem } from '../service/errors.js'
import { longestDelaySeconds } from '../service/preferences.js'

/** The preferences of a `Prefer` header (RFC 7240). */
export interface Preference {
  /** A status that the operation documents. */
  readonly code: number | undefined
  readonly delayMs: number
  /** The value of `Preference-Applied`; empty if nothing is applied. */
  readonly applied: string
  /** Why known preferences have no effect, one line each, without text of the client. */
  readonly notes: readonly string[]
}

/**
 * Reads a `Prefer` header: `code`, `delay` and `handling`. Ignores everything else, as RFC 7240,
 * section 2, requires. `wait` is an upper bound (section 4.3), so that it never delays.
 *
 * @param statuses The statuses that the operation documents.
 * @throws {Problem} invalid_parameter, if the client prefers `handling=strict` and another preference
 * or value is not accepted.
 */
export function readPreference(header: string, statuses: readonly number[]): Preference {
  const accepted = listAccepted(statuses)
  const { preferences, malformed } = parsePreferences(header)
  const usable = new Map<string, string>()
  const notes: string[] = []
  let unusable = malformed
  for (const [name, value] of preferences) {
    const known = accepted.get(name)
    if (known?.isUsable(value)) usable.set(name, value)
    else {
      unusable ??= value === '' ? name : `${name}=${value}`
      if (known) notes.push(`preference ignored: ${name} must be ${known.wanted}`)
    }
  }
  if (usable.has('wait')) notes.push('preference wait: an upper bound, which does not delay')
  const isStrict = usable.get('handling') === 'strict'
  if (isStrict && unusable !== undefined) throw createStrictProblem(accepted, unusable)
  const applied = [...usable].sort().filter(([name]) => name === 'code' || name === 'delay')
  if (isStrict) applied.push(['handling', 'strict'])
  const code = usable.get('code')
  return {
    code: code === undefined ? undefined : Number(code),
    delayMs: Number(usable.get('delay') ?? 0) * 1000,
    applied: applied.map(([name, value]) => `${name}=${value}`).join(', '),
    notes,
  }
}

/** Returns the accepted preferences by name, with their values for messages. */
function listAccepted(statuses: readonly number[]) {
  const isIn = (pattern: RegExp) => (value: string) => pattern.test(value)
  const isDelay = (value: string) =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) <= longestDelaySeconds
  const codes = new RegExp(`^(${statuses.join('|')})$`)
  return new Map([
    ['code', { wanted: `one of ${statuses.join(', ')} at this operation`, isUsable: isIn(codes) }],
    ['delay', { wanted: `seconds from 0 to ${longestDelaySeconds}`, isUsable: isDelay }],
    ['wait', { wanted: 'whole seconds', isUsable: isIn(/^\d+$/) }],
    ['handling', { wanted: 'strict or lenient', isUsable: isIn(/^(strict|lenient)$/) }],
  ])
}

function createStrictProblem(accepted: ReturnType<typeof listAccepted>, found: string): Problem {
  const list = [...accepted].map(([name, { wanted }]) => `${name} (${wanted})`).join(', ')
  const shown = JSON.stringify(found.slice(0, 40))
  const message = `with handling=strict, Prefer accepts only ${list}, found ${shown}`
  return new Problem('invalid_parameter', message)
}

/** A list element: it has no comma outside of quotation marks. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
/** The preference of a list element: its part before the parameters. */
const beforeParameters = /^(?:[^";]|"(?:[^"\\]|\\.)*"?)*/
const preference =
  /^([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)")?)?$/

/**
 * Parses the list of preferences (RFC 7240, section 2) without their parameters. Returns the values by
 * lower-case name, empty for none, and the first element that does not follow the grammar. The first
 * of repeated preferences applies.
 */
function parsePreferences(header: string) {
  const preferences = new Map<string, string>()
  let malformed: string | undefined
  for (const [text] of header.matchAll(element)) {
    const [part = ''] = beforeParameters.exec(text) ?? []
    const [, name, value, quoted] = preference.exec(part.trim()) ?? []
    const key = name?.toLowerCase()
    if (key === undefined) {
      if (text.trim() !== '') malformed ??= text.trim()
    } else if (!preferences.has(key)) {
      preferences.set(key, value ?? quoted?.replace(/\\(.)/g, '$1') ?? '')
    }
  }
  return { preferences, malformed }
}
