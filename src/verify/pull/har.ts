import { promises as fs } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { isInt64 } from '../../service/int64.js'
import { parseExactJson } from '../../service/json.js'
import { createMask } from '../../service/mask.js'
import { readErrorField, toCount, truncate } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import { validate } from '../../service/validation/validate.js'
import { parseDate, readDate } from '../headers.js'
import { Incomplete } from '../usage-error.js'
import { type Deployment, maximumMebibytes, type Received } from './deployment.js'

const headersSchema = z.catch(z.array(z.object({ name: z.string(), value: z.string() })), [])

/** The parts of an entry that are used (HAR 1.2). */
const entrySchema = z.object({
  startedDateTime: z.catch(z.string(), ''),
  request: z.object({ method: z.literal('GET'), url: z.string(), headers: headersSchema }),
  response: z.object({
    status: z.int(),
    headers: headersSchema,
    content: z.catch(z.object({ text: z.string(), encoding: z.optional(z.string()) }), {
      text: '',
    }),
  }),
})

/** A response to a request with a path of the service. Without `json` if it has not the form of one. */
interface Found extends Received {
  /** Base URL. */
  readonly url: string
  readonly path: string
}

/**
 * Finds the responses of the service in a HAR file by their path, and returns the latest of each
 * resource.
 *
 * @param url Base URL to which the search is restricted. Default: the only one in the file.
 * @param notify Receives a line that says which responses are used.
 * @throws {Incomplete} If the file is not a HAR file, is too large, or has no response of the
 *   service, or those of several base URLs.
 */
export async function readHar(
  file: string,
  url: string | undefined,
  notify: (line: string) => void,
): Promise<Deployment> {
  const entries = await readEntries(file)
  const found = entries.flatMap((entry) => readEntry(entry) ?? [])
  const urls = new Set(found.flatMap((each) => (each.json === undefined ? [] : each.url)))
  const [chosen] = url === undefined ? urls : [url]
  if (url === undefined && urls.size > 1) {
    throw reject(file, `responses of ${[...urls].slice(0, 5).join(', ')}; choose one with --url`)
  }
  const responses = new Map<string, Received>()
  const unreadable = new Set<string>()
  for (const each of found.toSorted((one, other) => one.atMs - other.atMs)) {
    if (each.url !== chosen) continue
    if (each.json !== undefined) responses.set(each.path, each)
    // 304 states that an earlier body is still the current one.
    else if (each.status !== 304 || !responses.has(each.path)) unreadable.add(each.path)
  }
  const count = toCount(entries.length, 'entries', 'entry')
  if (responses.size === 0 || chosen === undefined) {
    const below = url === undefined ? '' : ` below ${url}`
    throw reject(file, `${count}, none has a response${below} with a JSON body to ${operations}`)
  }
  const lists = [...responses.keys()].filter((path) => !path.startsWith('/pets/')).toSorted()
  const names = lists.map((path) => basename(path))
  const used = [...names, toCount(responses.size - lists.length, 'pets')].join(', ')
  notify(`${file}: ${count}, used: ${used}; ignored: ${entries.length - responses.size}`)
  return { url: chosen, responses, unreadable }
}

const operations = 'GET /inventory, GET /store/orders or GET /pets/{petId}'

async function readEntries(file: string): Promise<readonly unknown[]> {
  try {
    const stats = await fs.stat(file)
    if (!stats.isFile()) throw new Error('it is not a file')
    const mebibytes = Math.ceil(stats.size / 2 ** 20)
    const limit = `at most ${maximumMebibytes} MiB, found ${mebibytes}; record only the service`
    if (mebibytes > maximumMebibytes) throw new Error(limit)
    const text = await fs.readFile(file, 'utf8')
    if (text.startsWith('PK')) throw new Error('it is a zip archive; extract the .har file')
    const har: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    const entries: unknown = Object(Object(har).log).entries
    if (Array.isArray(entries)) return entries
    throw new Error('it has no log.entries, so it is not a HAR file')
  } catch (error) {
    const reason = readErrorField(error, 'message') ?? 'it cannot be read'
    throw reject(file, error instanceof SyntaxError ? `it is not JSON: ${reason}` : reason)
  }
}

/** Statuses of successful responses without the whole body, such as those from a cache of the client. */
const incompleteStatuses: readonly number[] = [204, 206, 304]

/** Returns the response of an entry; undefined if it is none from which a scenario is made. */
function readEntry(value: unknown): Found | undefined {
  const entry = validate(entrySchema, value)
  if (!entry.ok || !URL.canParse(entry.value.request.url)) return undefined
  const { request, response, startedDateTime } = entry.value
  const { origin, pathname } = new URL(request.url)
  const match = /^(.*)(\/inventory|\/store\/orders|\/pets\/([^/]+))$/.exec(pathname)
  const [, base = '', path = '', id] = match ?? []
  if (!match || !origin.startsWith('http') || (id !== undefined && !isInt64(id))) return undefined
  const { status, content } = response
  const isMissing = id !== undefined && (status === 404 || status === 410)
  const isIncomplete = incompleteStatuses.includes(status)
  if (status !== 200 && !isMissing && !isIncomplete) return undefined
  const text = Buffer.from(content.text, content.encoding === 'base64' ? 'base64' : 'utf8')
  // The keys in the headers of the request.
  const sent = request.headers.filter(({ name }) => name.toLowerCase() === 'authorization')
  const mask = createMask(sent.map((header) => header.value.replace(/^\w+ /, '')))
  const masked = mask(text.toString())
  const body = parseExactJson(masked)
  const isReadable = id === undefined ? Array.isArray(body) : isPlainObject(body)
  const headers = new Map(
    response.headers.map((each) => [each.name.toLowerCase(), mask(each.value)]),
  )
  const seconds = readDate({ headers }) ?? parseDate(startedDateTime) ?? 0
  const json = isReadable && !isIncomplete ? body : undefined
  const isMasked = masked !== text.toString()
  return { url: `${origin}${base}`, path, status, headers, json, atMs: seconds * 1000, isMasked }
}

/** Returns the failure for a file that cannot be used. */
function reject(file: string, reason: string): Incomplete {
  return new Incomplete(`--har ${file}: ${truncate(reason, 300)}`)
}
