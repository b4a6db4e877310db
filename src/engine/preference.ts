import { Problem } from '../service/errors.js'
import { longestDelaySeconds } from '../service/preferences.js'

/** What a client requests with a `Prefer` header (RFC 7240). */
export interface Preference {
  /** A status that the operation documents. */
  readonly code: number | undefined
  readonly delayMs: number
  /** The value of `Preference-Applied`; empty if nothing is applied. */
  readonly applied: string
  /** Why known preferences have no effect, one line each, without text of the client. */
  readonly notes: readonly string[]
}

interface AcceptedPreference {
  /** The accepted values, for messages. */
  readonly wanted: string
  isUsable(value: string): boolean
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
  const { preferences, malformed } = parsePreferences(header)
  const accepted = listAccepted(statuses)
  const isUsable = (name: string) => {
    const value = preferences.get(name)
    return value !== undefined && accepted.get(name)?.isUsable(value) === true
  }
  const isStrict = preferences.get('handling') === 'strict'
  const unusable = [...preferences].filter(([name]) => !isUsable(name))
  const found = malformed ?? unusable.map(([name, value]) => toPair(name, value))[0]
  if (isStrict && found !== undefined) throw createStrictProblem(accepted, found)
  const code = isUsable('code') ? preferences.get('code') : undefined
  const delay = isUsable('delay') ? preferences.get('delay') : undefined
  const applied = [
    code !== undefined && `code=${code}`,
    delay !== undefined && `delay=${delay}`,
    isStrict && 'handling=strict',
  ]
  return {
    code: code === undefined ? undefined : Number(code),
    delayMs: Number(delay ?? 0) * 1000,
    applied: applied.filter(Boolean).join(', '),
    notes: [
      ...unusable.flatMap(([name]) => {
        const known = accepted.get(name)
        return known ? [`preference ignored: ${name} must be ${known.wanted}`] : []
      }),
      ...(isUsable('wait') ? ['preference wait: an upper bound, which does not delay'] : []),
    ],
  }
}

function listAccepted(statuses: readonly number[]): ReadonlyMap<string, AcceptedPreference> {
  return new Map<string, AcceptedPreference>([
    [
      'code',
      {
        wanted: `one of ${statuses.join(', ')} at this operation`,
        isUsable: (value) => statuses.some((status) => String(status) === value),
      },
    ],
    [
      'delay',
      {
        wanted: `seconds from 0 to ${longestDelaySeconds}`,
        isUsable: (value) => /^\d+(\.\d+)?$/.test(value) && Number(value) <= longestDelaySeconds,
      },
    ],
    ['wait', { wanted: 'whole seconds', isUsable: (value) => /^\d+$/.test(value) }],
    [
      'handling',
      { wanted: 'strict or lenient', isUsable: (value) => /^(strict|lenient)$/.test(value) },
    ],
  ])
}

function createStrictProblem(
  accepted: ReadonlyMap<string, AcceptedPreference>,
  found: string,
): Problem {
  const list = [...accepted].map(([name, { wanted }]) => `${name} (${wanted})`).join(', ')
  const shown = JSON.stringify(found.slice(0, 40))
  const message = `with handling=strict, Prefer accepts only ${list}, found ${shown}`
  return new Problem('invalid_parameter', message)
}

function toPair(name: string, value: string): string {
  return value === '' ? name : `${name}=${value}`
}

/** A list element: its parts outside of quotation marks have no comma. */
const element = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
/** The preference of a list element: its part before the parameters. */
const beforeParameters = /^(?:[^";]|"(?:[^"\\]|\\.)*"?)*/
const preference =
  /^([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)")?)?$/

interface ParsedPreferences {
  /** Values by lower-case name; empty for none. The first of repeated preferences applies. */
  readonly preferences: ReadonlyMap<string, string>
  /** The first element that does not follow the grammar. */
  readonly malformed: string | undefined
}

/** Parses the list of preferences (RFC 7240, section 2). Drops their parameters. */
function parsePreferences(header: string): ParsedPreferences {
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
