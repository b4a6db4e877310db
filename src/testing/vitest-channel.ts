import type { WorldRequests } from '../report/merge.js'

/** Name of the field in the metadata of a test of vitest. */
const metaField = 'petstoreSandbox'

/** Adds requests to the metadata of a test, which vitest passes to its reporters. */
export function writeMeta(meta: object, worlds: readonly WorldRequests[]): void {
  if (worlds.length === 0) return
  // A test that is retried has the same metadata.
  Object.assign(meta, { [metaField]: [...readMeta(meta), ...worlds] })
}

/** Returns the requests in the metadata of a test. */
export function readMeta(meta: object): readonly WorldRequests[] {
  return (meta as { [metaField]?: WorldRequests[] })[metaField] ?? [] // written by writeMeta
}
