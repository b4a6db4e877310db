import type { Field, JsonRecord } from './fields.js'

/** The additional fields that a form states, or why they cannot be sent. */
export type AdditionalFields =
  | { readonly fields: JsonRecord; readonly problem?: undefined }
  | { readonly fields?: undefined; readonly problem: string }

const example = '{ "weightKg": 31.5 }'

/** Reads additional fields from JSON. An empty string states none. */
export function readAdditional(text: string, known: readonly Field[]): AdditionalFields {
  if (text.trim() === '') return { fields: {} }
  let fields: unknown
  try {
    fields = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: `The additional fields must be a JSON object such as ${example}: ${reason}` }
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    return { problem: `The additional fields must be a JSON object such as ${example}` }
  }
  const clash = known.find(({ name }) => Object.hasOwn(fields, name))
  if (clash) return { problem: `${clash.name} has an input of its own: remove it here` }
  const inexact = findInexact(text)
  if (inexact === undefined) return { fields: fields as JsonRecord } // an object of JSON
  return {
    problem: `${inexact} would become ${Number(inexact)}, because JSON numbers are read as doubles: write it as a string`,
  }
}

/**
 * Returns the members of a merge patch from one record to another: `null` for a removed field.
 * Returns a problem for a field that becomes null, because a change removes it instead.
 */
export function toPatch(
  before: JsonRecord,
  after: JsonRecord,
): { readonly members: JsonRecord } | { readonly problem: string } {
  const isSame = (name: string) => JSON.stringify(before[name]) === JSON.stringify(after[name])
  const changed = Object.entries(after).filter(
    ([name]) => !Object.hasOwn(before, name) || !isSame(name),
  )
  const cleared = changed.find(([, value]) => value === null)
  if (cleared) {
    const [name] = cleared
    return { problem: `${name} cannot become null, because null removes a field: delete it here` }
  }
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const members = [...changed, ...removed.map((name) => [name, null] as const)]
  return { members: Object.fromEntries(members) }
}

const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Returns the first number of a JSON string that a double cannot represent to all of its digits. */
export function findInexact(json: string): string | undefined {
  const tokens = json.match(token) ?? []
  return tokens.find((text) => !text.startsWith('"') && toDigits(text) !== toDigits(`${+text}`))
}

/** Returns a decimal number in one form: its digits without zeros at the ends, and an exponent. */
function toDigits(text: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (integer + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return integer === '' ? 'none' : '0'
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${power}`
}
