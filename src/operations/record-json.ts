/**
 * Returns a record as JSON. The given identifiers come first and are written digit by digit to keep
 * int64 exact.
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
