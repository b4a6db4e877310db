import * as z from 'zod/mini'
import { listEntries } from '../../service/bounds.js'
import { isInt64 } from '../../service/int64.js'
import { parseExactJson, parseJson } from '../../service/json.js'
import { createMask } from '../../service/mask.js'
import { toCount, truncate } from '../../service/validation/message.js'
import { isPlainObject } from '../../service/validation/options.js'
import { validate } from '../../service/validation/validate.js'
import { readScenarioText } from '../../world/scenario/files.js'
import { findNextStep, greet } from '../base-url.js'
import { parseDate, parseHttpDate, readDate, readRateLimit } from '../headers.js'
import type { Exchange } from '../request.js'
import { Session, type SessionOptions } from '../session.js'
import { Incomplete } from '../usage-error.js'

/** A response as it was received or recorded. */
export interface Received extends Pick<Exchange, 'status' | 'headers' | 'json' | 'isMasked'> {
  /** Time of the response in seconds since the epoch, by the clock of the server. */
  readonly at: number
}

/** The responses of a deployment from which a scenario is made. */
export interface Deployment {
  /** Base URL, which ends with the version. */
  readonly url: string
  /** The responses by path: `/inventory`, `/store/orders` and `/pets/{petId}`. */
  readonly responses: ReadonlyMap<string, Received>
}

/** Maximum size of all responses, and of a HAR file. */
const maximumMebibytes = 64
/** Number of server errors in a row after which no further request is sent. */
const maximumServerErrors = 3

/**
 * Requests the inventory, the orders and each pet of a deployment, within the limit of the key.
 *
 * @throws {Incomplete} If a request fails, or the limit resets too late.
 */
export async function requestAll(options: SessionOptions): Promise<Deployment> {
  const session = new Session(options)
  const { notify, now, urls } = options
  const responses = new Map<string, Received>()
  let serverErrors = 0
  let characters = 0
  const add = (exchange: Exchange): Received => {
    const { request, status, text, headers } = exchange
    const place = `GET ${urls.api}${request.path}`
    serverErrors = status >= 500 ? serverErrors + 1 : 0
    if (status === 401 || serverErrors >= maximumServerErrors) {
      throw new Incomplete(`${place}: status ${status}${findNextStep(status)}`)
    }
    characters += text.length + [...headers].join('').length
    const isTooLarge = characters > maximumMebibytes * 2 ** 20
    if (isTooLarge) throw new Incomplete(`${place}: more than ${maximumMebibytes} MiB in all`)
    const received = { ...exchange, at: readDate(exchange) ?? now() / 1000 }
    responses.set(request.path, received)
    return received
  }
  notify(`GET ${urls.api}/inventory: 1 request, to count the others`)
  const inventory = add(await greet(session, true))
  const entries = Array.isArray(inventory.json) ? inventory.json.slice(0, listEntries) : []
  const ids = new Set(entries.flatMap((item) => toInt64(Object(item).petId) ?? []))
  const { remaining = 'an unknown number' } = readRateLimit(inventory) ?? {}
  const kinds = `1 for the inventory, 1 for the orders, ${ids.size} for the pets`
  notify(`needs ${toCount(ids.size + 2, 'requests')} (${kinds}); the key has ${remaining} left`)
  add(await session.send({ path: '/store/orders' }))
  for (const id of ids) {
    const { status, headers, at } = add(await session.send({ path: `/pets/${id}` }))
    const isGone = status === 410 && (parseHttpDate(headers.get('sunset')) ?? Infinity) <= at
    // Otherwise the operation exists, for this pet or others.
    if (!isGone && ![403, 405, 501].includes(status)) continue
    notify(`GET /pets/{petId}: ${status}, no further pets are requested`)
    break
  }
  return { url: session.mask(urls.api), responses }
}

/** Returns the canonical decimal of a number or a string; undefined if it is not an int64. */
export function toInt64(value: unknown): string | undefined {
  const text = typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && isInt64(text) ? text : undefined
}

/**
 * Finds the responses of the service in a HAR file by their path, and returns the latest of each
 * resource.
 *
 * @param url Base URL to which the search is restricted. Default: the only one in the file.
 * @param notify Receives a line that says which responses are used.
 * @throws {ScenarioError} If the file cannot be read, or is too large.
 * @throws {Incomplete} If it is not a HAR file, or has no response of the service, or responses of several
 *   base URLs.
 */
export async function readHar(
  file: string,
  url: string | undefined,
  notify: (line: string) => void,
): Promise<Deployment> {
  const entries = await readEntries(file)
  const recorded = entries.flatMap((entry) => readEntry(entry) ?? [])
  const urls = new Set(recorded.flatMap((each) => (each.json === undefined ? [] : each.url)))
  const [chosen] = url === undefined ? urls : [url]
  if (url === undefined && urls.size > 1) {
    throw reject(file, `responses of ${[...urls].slice(0, 5).join(', ')}; choose one with --url`)
  }
  const ofUrl = recorded.filter((each) => each.url === chosen)
  const readable = ofUrl.filter(({ json }) => json !== undefined)
  const oldestFirst = readable.toSorted((one, other) => one.at - other.at)
  const responses = new Map(oldestFirst.map((each) => [each.path, each] as const))
  const count = toCount(entries.length, 'entries', 'entry')
  if (responses.size === 0 || chosen === undefined) {
    const below = url === undefined ? '' : ` below ${url}`
    const wanted = 'GET /inventory, GET /store/orders or GET /pets/{petId}'
    throw reject(file, `${count}, none has a response${below} with a JSON body to ${wanted}`)
  }
  const unreadable = ofUrl.length - readable.length
  notify(`${file}: ${count}, used: ${responses.size}, without a readable body: ${unreadable}`)
  return { url: chosen, responses }
}

async function readEntries(file: string): Promise<readonly unknown[]> {
  const text = await readScenarioText(file, maximumMebibytes)
  if (text.startsWith('PK')) throw reject(file, 'it is a zip archive; extract the .har file')
  const har = parseJson(text.replace(/^\uFEFF/, ''))
  const entries: unknown = Object(Object(har).log).entries
  if (Array.isArray(entries)) return entries
  throw reject(file, 'it is not a HAR file, which is JSON with log.entries')
}

const contentSchema = z.object({ text: z.string(), encoding: z.optional(z.string()) })
const headersSchema = z.catch(z.array(z.object({ name: z.string(), value: z.string() })), [])

/** The parts of an entry that are used (HAR 1.2). */
const entrySchema = z.object({
  startedDateTime: z.catch(z.string(), ''),
  request: z.object({
    method: z.literal('GET'),
    url: z.url({ protocol: /^https?$/ }),
    headers: headersSchema,
  }),
  response: z.object({
    status: z.int(),
    headers: headersSchema,
    content: z.catch(contentSchema, { text: '' }),
  }),
})

/** Returns the response of an entry; undefined if it is none from which a scenario is made. */
function readEntry(value: unknown) {
  const entry = validate(entrySchema, value)
  if (!entry.ok) return undefined
  const { request, response, startedDateTime } = entry.value
  const { origin, pathname } = new URL(request.url)
  const match = /^(.*)(\/inventory|\/store\/orders|\/pets\/([^/]+))$/.exec(pathname)
  const [, base, path = '', id] = match ?? []
  const { status, content } = response
  const isUsed = status === 200 || (id !== undefined && (status === 404 || status === 410))
  if (!match || !isUsed || (id !== undefined && !isInt64(id))) return undefined
  const authorizations = request.headers.filter(({ name }) => /^authorization$/i.test(name))
  const mask = createMask(authorizations.map((header) => header.value.replace(/^\w+ /, '')))
  const encoding = content.encoding === 'base64' ? 'base64' : 'utf8'
  const text = Buffer.from(content.text, encoding).toString()
  const body = parseExactJson(mask(text))
  const isReadable = id === undefined ? Array.isArray(body) : isPlainObject(body)
  // Undefined if it is missing, or has not the form that the service sends.
  const json = isReadable ? body : undefined
  const headers = new Map(
    response.headers.map(({ name, value }) => [name.toLowerCase(), mask(value)]),
  )
  const at = readDate({ headers }) ?? parseDate(startedDateTime) ?? 0
  return { url: `${origin}${base}`, path, status, headers, json, at, isMasked: mask(text) !== text }
}

/** Returns the failure for a file that cannot be used. */
function reject(file: string, reason: string): Incomplete {
  return new Incomplete(`--har ${file}: ${truncate(reason, 300)}`)
}
