/** What the test runners have in common: `expect.any(Number)`, `expect.stringMatching(…)`. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

/** Whether something that is wanted decides itself what fits it. */
export function isAsymmetricMatcher(wanted: unknown): wanted is AsymmetricMatcher {
  return hasMethod(wanted, 'asymmetricMatch')
}

/** Its name for a message: `Any<Number>`. */
export function describeMatcher(matcher: AsymmetricMatcher): string {
  return hasMethod(matcher, 'toAsymmetricMatcher')
    ? String(matcher.toAsymmetricMatcher())
    : `${matcher}`
}

function hasMethod<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, () => unknown> {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}
