const latin1 = /^[\0-\xff]*$/

/** Estimates the heap that the characters of a string occupy, in bytes. */
export function textBytes(text: string): number {
  return latin1.test(text) ? text.length : text.length * 2
}

/** Heap of an object or array without its entries, of an entry, and of a string, in bytes. */
const containerBytes = 48
const entryBytes = 12
const stringBytes = 24

/** Estimates the heap that JSON data occupies, in bytes. */
export function dataBytes(value: unknown): number {
  if (typeof value === 'string') return stringBytes + textBytes(value)
  if (typeof value !== 'object' || value === null) return 0
  let bytes = containerBytes
  for (const [name, entry] of Object.entries(value)) {
    bytes += entryBytes + (Array.isArray(value) ? 0 : textBytes(name)) + dataBytes(entry)
  }
  return bytes
}
