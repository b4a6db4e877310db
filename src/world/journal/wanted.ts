import { describeValue } from '../../service/validation/validate.js'
import { type AsymmetricMatcher, isAsymmetricMatcher, isObject } from './conditions.js'

const shownCharacters = 200

/** Describes an expected value: a primitive with its type, an object as JSON, a matcher by its name. */
export function describeWanted(wanted: unknown): string {
  return isObject(wanted) ? shorten(formatWanted(wanted)) : describeValue(wanted)
}

/** Shortens a text for a message. */
export function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** Formats an expected value as JSON, with bigints, matchers, and fields that are undefined. */
export function formatWanted(wanted: unknown): string {
  if (isAsymmetricMatcher(wanted)) return formatMatcher(wanted)
  if (typeof wanted === 'bigint') return `${wanted}n`
  if (wanted instanceof RegExp || wanted === undefined) return String(wanted)
  if (Array.isArray(wanted)) return `[${wanted.map(formatWanted).join()}]`
  if (!isObject(wanted)) return JSON.stringify(wanted) ?? String(wanted)
  const fields = Object.entries(wanted).map(
    ([name, field]) => `${JSON.stringify(name)}:${formatWanted(field)}`,
  )
  return `{${fields.join()}}`
}

/** Formats a matcher with what it compares: `Any<Number>`, `StringMatching /^\/inv/`. */
function formatMatcher(matcher: AsymmetricMatcher): string {
  const name = nameMatcher(matcher)
  const sample: unknown = Reflect.get(matcher, 'sample')
  const isComplete = sample === undefined || typeof sample === 'function' || /\W/.test(name)
  return isComplete ? name : `${name} ${formatWanted(sample)}`
}

/** Returns the name of a matcher as its test runner shows it: `Any<Number>`. */
export function nameMatcher(matcher: AsymmetricMatcher): string {
  const describe: unknown = Reflect.get(matcher, 'toAsymmetricMatcher')
  return String(typeof describe === 'function' ? Reflect.apply(describe, matcher, []) : matcher)
}
