import { z } from 'zod'
import { maximumEntries } from './plain-data.js'

/**
 * A list of at most 20,000 entries, no two with the same identity.
 *
 * @param identity The field that tells them apart, for messages.
 */
export function createRecordsSchema<S extends z.ZodType>(
  entry: S,
  identity: string,
  identify: (entry: z.output<S>) => string,
) {
  return z
    .array(entry)
    .max(maximumEntries)
    .default([])
    .superRefine((entries, context) => {
      const seen = new Set<string>()
      for (const [index, item] of entries.entries()) {
        const id = identify(item)
        if (seen.has(id)) {
          const message = `another ${identity} than the entries before`
          // A key is never shown whole.
          const input = identity === 'key' ? `${id.slice(0, 12)}…` : id
          context.addIssue({ code: 'custom', path: [index, identity], message, input })
        }
        seen.add(id)
      }
    })
}
