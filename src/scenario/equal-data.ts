import { isPlainObject } from './plain-data.js'

/** Whether two pieces of JSON data say the same, whatever the order of their keys. */
export function isEqualData(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => isEqualData(item, other[i]))
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualData(one[key], other[key]))
  )
}
