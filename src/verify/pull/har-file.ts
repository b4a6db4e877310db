import { promises as fs } from 'node:fs'
import * as z from 'zod/mini'
import { readErrorField, toPlainLine, truncate } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { validate } from '../../service/validation/validate.js'
import { incompleteCode } from '../http-sender.js'

/** Maximum size of a HAR file in bytes. */
const maximumBytes = 256 * 1_048_576

/** The parts of an entry that are used (HAR 1.2). */
const entrySchema = z.object({
  startedDateTime: z.catch(z.string(), ''),
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.object({
    status: z.int(),
    headers: z.catch(z.array(z.object({ name: z.string(), value: z.string() })), []),
    content: z.catch(
      z.object({
        text: z.optional(z.string()),
        encoding: z.optional(z.string()),
      }),
      {},
    ),
  }),
})
/** An entry of a HAR file. */
export type HarEntry = z.output<typeof entrySchema>

async function readText(path: string): Promise<string> {
  try {
    const found = await fs.stat(path)
    if (!found.isFile()) throw rejectHar(path, 'it is not a file')
    if (found.size > maximumBytes) {
      const size = Math.ceil(found.size / 1_048_576)
      throw rejectHar(
        path,
        `${size} MiB is more than ${maximumBytes / 1_048_576} MiB; record only the service`,
      )
    }
    return await fs.readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw rejectHar(path, readErrorField(error, 'message') ?? 'it cannot be read')
  }
}

/**
 * Reads the entries of a HAR file; undefined for one of another form.
 *
 * @throws {UsageError} If it is not a HAR file, or larger than 256 MiB.
 */
export async function readHarEntries(path: string): Promise<readonly (HarEntry | undefined)[]> {
  const text = await readText(path)
  if (text.startsWith('PK')) throw rejectHar(path, 'it is a zip archive; extract the .har file')
  let har: unknown
  try {
    har = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw rejectHar(path, `it is not JSON: ${readErrorField(error, 'message') ?? ''}`)
  }
  const entries: unknown = Object(Object(har).log).entries
  if (!Array.isArray(entries))
    throw rejectHar(path, 'it has no log.entries, so it is not a HAR file')
  return entries.map((entry) => {
    const result = validate(entrySchema, entry)
    return result.ok ? result.value : undefined
  })
}

/** Returns the body of a response; undefined if it was not recorded. */
export function readBody({ content }: HarEntry['response']): string | undefined {
  const { text, encoding } = content
  if (text === undefined || encoding !== 'base64') return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}

/** Returns the failure for a file that cannot be used. */
export function rejectHar(path: string, reason: string): UsageError {
  return new UsageError(toPlainLine(`--har ${path}: ${truncate(reason, 300)}`), incompleteCode)
}
