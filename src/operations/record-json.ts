/**
 * Returns a record as JSON. The fields `ids` come first, as numbers with all digits, because
 * `JSON.stringify` cannot write an exact int64.
 */
export function toRecordJson<T extends object>(
  record: T,
  ids: readonly (keyof T & string)[],
): string {
  const rest = Object.entries(record).filter(
    ([field]) => !(ids as readonly string[]).includes(field),
  )
  const numbers = ids.map((id) => `${JSON.stringify(id)}:${record[id]}`)
  const others = rest.map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`)
  return `{${[...numbers, ...others].join(',')}}`
}
