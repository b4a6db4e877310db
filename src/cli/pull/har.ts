import { promises as fs } from 'node:fs'
import { z } from 'zod'
import { isInt64 } from '../../contract/int64.js'
import { lazy } from '../../contract/lazy.js'
import { readErrorField, truncate } from '../../validation/message.js'
import { validate } from '../../validation/validate.js'
import { CliError } from '../failure.js'
import { toPlainLine } from '../terminal.js'
import { incomplete } from './client.js'
import { type Deployment, parseDate, pickHeaders, type Received, readDate } from './received.js'
import { tryParse } from './records.js'

/** Maximum size of a HAR file in bytes. */
const maximumBytes = 256 * 1_048_576

/** The parts of an entry that are used (HAR 1.2). */
const entrySchema = lazy(() =>
  z.object({
    startedDateTime: z.string().catch(''),
    request: z.object({ method: z.string(), url: z.string() }),
    response: z.object({
      status: z.int(),
      headers: z.array(z.object({ name: z.string(), value: z.string() })).catch([]),
      content: z
        .object({
          text: z.string().optional(),
          encoding: z.string().optional(),
        })
        .catch({}),
    }),
  }),
)
type Entry = z.output<ReturnType<typeof entrySchema>>

/** The responses of a HAR file, and what it contains. */
export interface ReadHar {
  readonly deployment: Deployment
  /** Lines for the user. */
  readonly lines: readonly string[]
}

/**
 * Finds the responses of the service in a HAR file by their path, and returns the latest of each
 * resource.
 *
 * @param url Base URL to which the search is restricted. Default: the only one in the file.
 * @throws {CliError} If the file is not a HAR file, or has no response of the service, or has those
 *   of several base URLs.
 */
export async function readHar(path: string, url: string | undefined): Promise<ReadHar> {
  const entries = readEntries(path, await readFile(path))
  const found = entries.map((entry) => findResponse(entry)).filter((each) => each !== undefined)
  const usable = found.filter(({ problem }) => problem === undefined)
  const chosen = url ?? chooseUrl(path, usable)
  const latest = new Map<string, FoundResponse>()
  for (const each of usable.filter((candidate) => candidate.url === chosen)) {
    const other = latest.get(each.path)
    if (!other || other.received.atMs <= each.received.atMs) latest.set(each.path, each)
  }
  if (latest.size === 0) throw reject(path, `no response of ${chosen} in ${entries.length} entries`)
  const own = found.filter((each) => each.url === chosen)
  return {
    deployment: toDeployment(chosen, latest),
    lines: describeHar(path, entries, own, latest),
  }
}

function toDeployment(url: string, latest: ReadonlyMap<string, FoundResponse>): Deployment {
  const pets = [...latest].filter(([path]) => path.startsWith('/pets/'))
  return {
    url,
    inventory: latest.get('/inventory')?.received,
    orders: latest.get('/store/orders')?.received,
    pets: new Map(pets.map(([path, { received }]) => [path.slice('/pets/'.length), received])),
  }
}

async function readFile(path: string): Promise<string> {
  try {
    const found = await fs.stat(path)
    if (!found.isFile()) throw reject(path, 'it is not a file')
    if (found.size > maximumBytes) {
      const size = Math.ceil(found.size / 1_048_576)
      throw reject(
        path,
        `${size} MiB is more than ${maximumBytes / 1_048_576} MiB; record only the service`,
      )
    }
    return await fs.readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof CliError) throw error
    throw reject(path, readErrorField(error, 'message') ?? 'it cannot be read')
  }
}

/** Returns the entries that have the form of HAR 1.2. */
function readEntries(path: string, text: string): readonly unknown[] {
  if (text.startsWith('PK')) throw reject(path, 'it is a zip archive; extract the .har file')
  let har: unknown
  try {
    har = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw reject(path, `it is not JSON: ${readErrorField(error, 'message') ?? ''}`)
  }
  const entries: unknown = Object(Object(har).log).entries
  if (!Array.isArray(entries)) throw reject(path, 'it has no log.entries, so it is not a HAR file')
  return entries
}

/** A response to a request with a path of the service. */
interface FoundResponse {
  readonly url: string
  readonly path: string
  readonly method: string
  readonly received: Received
  /** Why the response cannot be used. */
  readonly problem?: string
}

function findResponse(value: unknown): FoundResponse | undefined {
  const result = validate(entrySchema(), value)
  if (!result.ok) return undefined
  const { request, response, startedDateTime } = result.value
  const target = splitUrl(request.url)
  if (!target) return undefined
  const headers = pickHeaders(
    (name) => response.headers.findLast((header) => header.name.toLowerCase() === name)?.value,
  )
  const startedMs = parseDate(startedDateTime)
  const body = readBody(response)
  const received = {
    status: response.status,
    headers,
    body: body ?? '',
    atMs: readDate(headers, Number.isNaN(startedMs) ? 0 : startedMs),
  }
  const problem = findProblem(request.method, response.status, target.path, body)
  return { ...target, method: request.method, received, ...(problem !== undefined && { problem }) }
}

/** Splits the URL of a request into the base URL and a path of the service. */
function splitUrl(text: string): { url: string; path: string } | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname } = new URL(text)
  if (!/^https?:$/.test(protocol)) return undefined
  const [, base = '', path = ''] =
    /^(.*)(\/inventory|\/store\/orders|\/pets\/[^/]+)$/.exec(pathname) ?? []
  if (path === '' || (path.startsWith('/pets/') && !isInt64(path.slice('/pets/'.length))))
    return undefined
  return { url: `${origin}${base}`, path }
}

/** Returns the body of a response; undefined if it was not recorded. */
function readBody({ content }: Entry['response']): string | undefined {
  const { text, encoding } = content
  if (text === undefined || encoding !== 'base64') return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}

function findProblem(method: string, status: number, path: string, body: string | undefined) {
  const isPet = path.startsWith('/pets/')
  if (method !== 'GET') return `${method} requests`
  if (status !== 200 && !(isPet && (status === 404 || status === 410))) return `status ${status}`
  if (body === undefined || body === '') return 'without a recorded body'
  const value = tryParse(body)
  const isExpected = isPet
    ? typeof value === 'object' && !Array.isArray(value)
    : Array.isArray(value)
  return isExpected ? undefined : 'without valid JSON of the service'
}

function chooseUrl(path: string, usable: readonly FoundResponse[]): string {
  const urls = [...new Set(usable.map(({ url }) => url))]
  const [url] = urls
  if (url === undefined) {
    throw reject(path, 'no response of GET /inventory, GET /store/orders or GET /pets/{petId}')
  }
  if (urls.length === 1) return url
  throw reject(path, `responses of ${urls.slice(0, 5).join(', ')}; choose one with --url`)
}

function describeHar(
  path: string,
  entries: readonly unknown[],
  own: readonly FoundResponse[],
  latest: ReadonlyMap<string, FoundResponse>,
): string[] {
  const problems = new Map<string, number>()
  for (const { problem } of own) {
    if (problem !== undefined) problems.set(problem, (problems.get(problem) ?? 0) + 1)
  }
  const ignored = [...problems].map(([problem, number]) => `${number} ${problem}`)
  const older =
    own.length - latest.size - [...problems.values()].reduce((sum, each) => sum + each, 0)
  if (older > 0) ignored.push(`${older} older`)
  const others = entries.length - own.length
  if (others > 0) ignored.push(`${others} of others`)
  const pets = [...latest.keys()].filter((each) => each.startsWith('/pets/')).length
  const used = [
    ...(latest.has('/inventory') ? ['inventory'] : []),
    ...(latest.has('/store/orders') ? ['orders'] : []),
    ...(pets > 0 ? [pets === 1 ? '1 pet' : `${pets} pets`] : []),
  ]
  const line = `${path}: ${entries.length} entries, used: ${used.join(', ')}`
  return [toPlainLine(ignored.length === 0 ? line : `${line}; ignored: ${ignored.join(', ')}`)]
}

function reject(path: string, reason: string): CliError {
  return new CliError(toPlainLine(`--har ${path}: ${truncate(reason, 300)}`), incomplete)
}
