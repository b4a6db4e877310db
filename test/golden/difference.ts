/**
 * Returns the parts of a JSON value that a base does not have: fields of objects, at every level.
 * A field that only the base has is `(absent)`. Undefined if the values are equal.
 */
export function findDifference(value: unknown, base: unknown): unknown {
  if (JSON.stringify(value) === JSON.stringify(base)) return undefined
  if (!isObject(value) || !isObject(base)) return value === undefined ? '(absent)' : value
  const names = [...new Set([...Object.keys(base), ...Object.keys(value)])]
  const fields = names.map((name) => [name, findDifference(value[name], base[name])] as const)
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
