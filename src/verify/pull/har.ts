import { isInt64 } from '../../service/int64.js'
import { tryParseExactJson } from '../../service/json.js'
import { toCount, toPlainLine } from '../../service/validation/message.js'
import { parseDate } from '../rate-limit.js'
import { type HarEntry, readBody, readHarEntries, rejectHar } from './har-file.js'
import { type Deployment, pickHeaders, type Received, readAtMs } from './received.js'

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
 * @throws {UsageError} If the file is not a HAR file, or has no response of the service, or has those
 *   of several base URLs.
 */
export async function readHar(path: string, url: string | undefined): Promise<ReadHar> {
  const entries = await readHarEntries(path)
  const found = entries.map((entry) => findResponse(entry)).filter((each) => each !== undefined)
  const usable = found.filter(({ problem }) => problem === undefined)
  if (usable.length === 0) throw rejectHar(path, describeUnusable(entries, found))
  const chosen = url ?? chooseUrl(path, usable)
  const latest = new Map<string, FoundResponse>()
  for (const each of usable.filter((candidate) => candidate.url === chosen)) {
    const other = latest.get(each.path)
    if (!other || other.received.atMs <= each.received.atMs) latest.set(each.path, each)
  }
  if (latest.size === 0)
    throw rejectHar(path, `no response of ${chosen} in ${entries.length} entries`)
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

/** A response to a request with a path of the service. */
interface FoundResponse {
  readonly url: string
  readonly path: string
  readonly method: string
  readonly received: Received
  /** Why the response cannot be used. */
  readonly problem?: string
}

function findResponse(entry: HarEntry | undefined): FoundResponse | undefined {
  if (!entry) return undefined
  const { request, response, startedDateTime } = entry
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
    atMs: readAtMs(headers, Number.isNaN(startedMs) ? 0 : startedMs),
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

function findProblem(method: string, status: number, path: string, body: string | undefined) {
  const isPet = path.startsWith('/pets/')
  if (method !== 'GET') return `with the method ${method}`
  if (status !== 200 && !(isPet && (status === 404 || status === 410)))
    return `with status ${status}`
  if (body === undefined || body === '') return 'without a text body'
  const value = tryParseExactJson(body)
  const isExpected = isPet
    ? typeof value === 'object' && !Array.isArray(value)
    : Array.isArray(value)
  return isExpected ? undefined : 'without valid JSON of the service'
}

const operations = 'GET /inventory, GET /store/orders or GET /pets/{petId}'

/** Says why no entry of a file can be used. */
function describeUnusable(entries: readonly unknown[], found: readonly FoundResponse[]): string {
  if (entries.length === 0) return 'it has no entries'
  if (found.length > 0)
    return `no usable response of ${operations}, only ${listProblems(found).join(', ')}`
  return `no response of ${operations} in ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`
}

/** Returns the number of responses for each reason why they cannot be used. */
function listProblems(responses: readonly FoundResponse[]): string[] {
  const counts = new Map<string, number>()
  for (const { problem } of responses) {
    if (problem !== undefined) counts.set(problem, (counts.get(problem) ?? 0) + 1)
  }
  return [...counts].map(([problem, number]) => `${number} ${problem}`)
}

function chooseUrl(path: string, usable: readonly FoundResponse[]): string {
  const urls = [...new Set(usable.map(({ url }) => url))]
  const [url] = urls
  if (url !== undefined && urls.length === 1) return url
  throw rejectHar(path, `responses of ${urls.slice(0, 5).join(', ')}; choose one with --url`)
}

function describeHar(
  path: string,
  entries: readonly unknown[],
  own: readonly FoundResponse[],
  latest: ReadonlyMap<string, FoundResponse>,
): string[] {
  const ignored = listProblems(own)
  const older = own.filter(({ problem }) => problem === undefined).length - latest.size
  if (older > 0) ignored.push(`${older} older`)
  const others = entries.length - own.length
  if (others > 0) ignored.push(`${others} of other URLs`)
  const pets = [...latest.keys()].filter((each) => each.startsWith('/pets/')).length
  const used = [
    ...(latest.has('/inventory') ? ['inventory'] : []),
    ...(latest.has('/store/orders') ? ['orders'] : []),
    ...(pets > 0 ? [toCount(pets, 'pets')] : []),
  ]
  const line = `${path}: ${entries.length} entries, used: ${used.join(', ')}`
  return [toPlainLine(ignored.length === 0 ? line : `${line}; ignored: ${ignored.join(', ')}`)]
}
