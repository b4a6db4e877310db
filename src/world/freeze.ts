/** Freezes plain objects and arrays with everything in them, and returns the value. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const field of Object.values(value)) freezeDeep(field)
  return value
}
