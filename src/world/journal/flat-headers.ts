/** Headers by lower-case name, of a list name, value, name, value. */
export function toHeaderRecord(flat: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) {
    pairs.push([(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''])
  }
  return Object.fromEntries(pairs)
}
