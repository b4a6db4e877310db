import { Problem } from '../service/errors.js'

/** The supported preferences of a `Prefer` header (RFC 7240). */
export interface Preference {
  /** A status that the operation documents. */
  readonly code: number | undefined
  /** A delay in milliseconds. */
  readonly waitMs: number
  /** The value of `Preference-Applied`; empty if the header has no supported preference. */
  readonly applied: string
}

const longestWaitSeconds = 60

/**
 * Reads the preferences `code` and `wait`. Others are ignored (RFC 7240).
 *
 * @param statuses The statuses that the operation documents.
 * @throws {Problem} invalid_parameter if a value is not supported by the operation.
 */
export function readPreference(header: string, statuses: readonly number[]): Preference {
  const values = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=')
    const key = name.trim().toLowerCase()
    // RFC 7240: the first of repeated preferences applies.
    if (!values.has(key)) values.set(key, value.trim().replace(/^"(.*)"$/, '$1'))
  }
  const code = values.get('code')
  const wait = values.get('wait')
  if (code !== undefined && !statuses.some((status) => String(status) === code)) {
    throw invalid('code', `one of ${statuses.join(', ')} at this operation`, code)
  }
  if (wait !== undefined && !(/^\d+(\.\d+)?$/.test(wait) && Number(wait) <= longestWaitSeconds)) {
    throw invalid('wait', `seconds from 0 to ${longestWaitSeconds}`, wait)
  }
  const applied = [code !== undefined && `code=${code}`, wait !== undefined && `wait=${wait}`]
  return {
    code: code === undefined ? undefined : Number(code),
    waitMs: Number(wait ?? 0) * 1000,
    applied: applied.filter(Boolean).join(', '),
  }
}

function invalid(name: string, wanted: string, found: string): Problem {
  const shown = JSON.stringify(found.slice(0, 40))
  return new Problem('invalid_parameter', `Prefer: ${name} must be ${wanted}, found ${shown}`)
}
