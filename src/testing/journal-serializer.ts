import type { JournalEntry } from '../world/journal/entry.js'

/** A snapshot serializer of vitest and Jest. */
export interface SnapshotSerializer {
  test(value: unknown): boolean
  serialize(value: unknown, config: unknown, indentation: string): string
}

/** The fields of an entry that a snapshot shows. */
type ShownFields = Pick<
  JournalEntry,
  'method' | 'path' | 'query' | 'operation' | 'requestBody' | 'status' | 'aborted' | 'code'
>

/**
 * Serializes journal entries for snapshots: method, path, query, body, status, code and operation,
 * without ids, times, keys and headers. UUIDs and timestamps in a body or a query are replaced.
 *
 * @example
 * expect.addSnapshotSerializer(journalSerializer)
 * expect(sandbox.world.requests.find()).toMatchInlineSnapshot(`
 *   [
 *     PATCH /inventory/1 → 200, updateInventory
 *       {"quantity":5},
 *   ]
 * `)
 */
export const journalSerializer: SnapshotSerializer = {
  test: isEntry,
  serialize(value, _config, indentation) {
    if (!isEntry(value)) return String(value)
    const { method, path, query, operation = 'no operation', requestBody } = value
    const target = query === '' ? path : `${path}?${query}`
    const line = `${method} ${target} → ${describeResponse(value)}, ${operation}`
    const lines = requestBody === undefined ? [line] : [line, `  ${requestBody}`]
    return lines.map(replaceVolatile).join(`\n${indentation}`)
  },
}

/** Entries of the CommonJS build and of the ES module build do not share a class. */
function isEntry(value: unknown): value is ShownFields {
  if (typeof value !== 'object' || value === null) return false
  const fields = ['method', 'path', 'query', 'status', 'requestHeaders', 'explanation', 'changes']
  return fields.every((field) => Object.hasOwn(value, field))
}

function describeResponse({ status, aborted, code }: ShownFields): string {
  if (aborted) return 'aborted'
  if (status === 0) return 'connection closed'
  return code === undefined ? `${status}` : `${status} ${code}`
}

function replaceVolatile(text: string): string {
  return text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '<uuid>')
    .replace(
      /\d{4}-\d\d-\d\dT\d\d(?::|%3A)\d\d(?::|%3A)\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/gi,
      '<time>',
    )
}
