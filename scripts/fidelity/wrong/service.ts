import { addresses } from '../../../src/service/addresses.js'
import type { PlanId } from '../../../src/service/plans.js'
import type { CheckUrls, Send, SentRequest } from '../../../src/verify/request.js'

export type Received = Awaited<ReturnType<Send>>
/** Sends a request to the correct service. */
type Next = (request: SentRequest) => Promise<Received>
export type Respond = (request: SentRequest, next: Next) => Promise<Received>

/** A service that violates one statement of the specification. */
export interface WrongService {
  /** What it does. */
  readonly does: string
  /** The check of the statement. */
  readonly check: string
  /** Other checks that cannot agree with such a service. */
  readonly companions?: readonly string[]
  /** Default: {@link wrongServiceKey}. */
  readonly key?: string
  /** The plan of the key. Default: free. */
  readonly plan?: PlanId
  readonly urls?: Partial<CheckUrls>
  /** Creates the behaviour of a new service. */
  start(): Respond
}

export const correctUrls = {
  api: addresses.api.url,
  staging: addresses.staging.url,
  quickstart: addresses.quickstart.url,
} as const

/** A key of the plan Free: few requests use up its limit. */
export const wrongServiceKey = 'sbx_free'

export function isUpdate({ method, url }: SentRequest): boolean {
  return method === 'PATCH' && url.startsWith(`${correctUrls.api}/inventory/`)
}

/** Changes every response. */
export function always(edit: (response: Received) => Received): () => Respond {
  return () => async (request, next) => edit(await next(request))
}

/** Changes the responses to a method and the beginning of a path. */
export function on(
  method: string,
  address: keyof typeof correctUrls,
  path: string,
  edit: (response: Received, request: SentRequest) => Received,
): () => Respond {
  return () => async (request, next) => {
    const response = await next(request)
    const isMatch =
      request.method === method && request.url.startsWith(`${correctUrls[address]}${path}`)
    return isMatch ? edit(response, request) : response
  }
}

export function onStatus(status: number, edit: (response: Received) => Received): () => Respond {
  return always((response) => (response.status === status ? edit(response) : response))
}

export function onRejected(edit: (response: Received) => Received): () => Respond {
  return onStatus(429, edit)
}

export type Fields = Readonly<Record<string, unknown>>

export function onErrors(edit: (error: Fields) => unknown): () => Respond {
  return always((response) => (response.status >= 400 ? editJson(response, edit) : response))
}

/** Changes the list of the inventory. */
export function onList(edit: (entries: readonly Fields[]) => unknown): () => Respond {
  return on('GET', 'api', '/inventory', (response) =>
    response.status === 200 ? editJson(response, (json) => edit(toEntries(json))) : response,
  )
}

export function onPets(edit: (response: Received) => Received): () => Respond {
  return on('GET', 'api', '/pets/', edit)
}

export function onUpdates(
  edit: (response: Received, request: SentRequest) => Received,
): () => Respond {
  return on('PATCH', 'api', '/inventory/', edit)
}

/** Changes the entry that a successful update returns. */
export function onUpdated(edit: (item: Fields) => unknown): () => Respond {
  return onUpdates((response) => (response.status === 200 ? editJson(response, edit) : response))
}

export function onMessages(edit: (response: Received) => Received): () => Respond {
  return on('POST', 'quickstart', '/messages', edit)
}

export function onMessage(edit: (message: Fields) => unknown): () => Respond {
  return onMessages((response) => (response.status < 300 ? editJson(response, edit) : response))
}

/** The same request with a key of the same data that has a limit of its own. */
export function withOtherKey(request: SentRequest): SentRequest {
  return { ...request, headers: { ...request.headers, Authorization: 'Bearer sbx_enterprise' } }
}

/**
 * Changes the quantity that an update stores.
 *
 * @param edit Gets what was sent, and what was stored before.
 */
export function onQuantity(edit: (sent: number, before: number) => unknown): () => Respond {
  return () => {
    const known = new Map<string, number>()
    return async (request, next) => {
      const fields = parse(request.body ?? '')
      const { quantity } = fields
      const before = known.get(request.url.split('/').at(-1) ?? '')
      const isEdited = isUpdate(request) && Number.isInteger(quantity) && before !== undefined
      const stored = isEdited ? edit(Number(quantity), before) : quantity
      const body = isEdited ? JSON.stringify({ ...fields, quantity: stored }) : request.body
      const response = await next({ ...request, body })
      if (response.status !== 200 || !request.url.includes('/inventory')) return response
      for (const item of [parse(response.text)].flat()) {
        known.set(String(item.petId), Number(item.quantity))
      }
      return response
    }
  }
}

/** Treats an Authorization header as the key of the run. */
export function accept(
  method: string,
  path: string,
  authorization: string | undefined,
): () => Respond {
  return () => (request, next) => {
    const { Authorization: found, ...headers } = request.headers
    const isMatch =
      request.method === method && request.url.includes(path) && found === authorization
    const accepted = { ...headers, Authorization: `Bearer ${wrongServiceKey}` }
    return next(isMatch ? { ...request, headers: accepted } : request)
  }
}

/** Services that treat a body as another one: what they do, the body, and the other one. */
export function acceptBodies(
  method: string,
  path: string,
  check: string,
  rows: readonly (readonly [does: string, from: string | undefined, to: string])[],
): readonly WrongService[] {
  return rows.map(([does, from, to]) => ({
    does,
    check,
    start: rewriteBody(method, path, from, to),
  }))
}

/** Treats a body as another one. */
function rewriteBody(
  method: string,
  path: string,
  from: string | undefined,
  to: string,
): () => Respond {
  return () => (request, next) => {
    const isMatch = request.method === method && request.url.includes(path) && request.body === from
    return next(isMatch ? { ...request, body: to } : request)
  }
}

/** Sets the status that an update has, and returns it from then on. */
export function acceptStatus(): Respond {
  const statuses = new Map<string, string>()
  const edit = (item: Fields) => ({
    ...item,
    status: statuses.get(String(item.petId)) ?? item.status,
  })
  return async (request, next) => {
    const { quantity, status } = isUpdate(request) && request.body ? parse(request.body) : {}
    const petId = request.url.split('/').at(-1) ?? ''
    if (typeof status === 'string') statuses.set(petId, status)
    const body = typeof status === 'string' ? JSON.stringify({ quantity }) : request.body
    const response = await next({ ...request, body })
    if (response.status !== 200) return response
    return editJson(response, (json) => (Array.isArray(json) ? json.map(edit) : edit(json)))
  }
}

/** Admits the first request that exceeds the limit. */
export function admitOneMore(): Respond {
  let isAdmitted = false
  return async (request, next) => {
    const response = await next(request)
    if (response.status !== 429 || isAdmitted) return response
    isAdmitted = true
    return withHeader({ ...response, status: 200, text: '[]' }, 'retry-after', undefined)
  }
}

export function parse(text: string): Fields {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

export function toEntries(json: unknown): readonly Fields[] {
  return Array.isArray(json) ? json : []
}

/** Rounds integers beyond 2^53. */
export function editJson(response: Received, edit: (json: Fields) => unknown): Received {
  return { ...response, text: JSON.stringify(edit(JSON.parse(response.text))) }
}

export function withHeader(response: Received, name: string, value: string | undefined): Received {
  const headers = new Map(response.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { ...response, headers }
}

/** Sets a header, or removes it. */
export function setHeader(name: string, value: string | undefined) {
  return (response: Received) => withHeader(response, name, value)
}

export function editHeader(
  response: Received,
  name: string,
  edit: (value: number) => number,
): Received {
  return withHeader(response, name, String(edit(Number(response.headers.get(name)))))
}

/** Replaces the status, also in the Error body. */
export function replaceStatus(response: Received, from: number, to: number): Received {
  if (response.status !== from) return response
  const replaced = { ...response, status: to }
  return to < 400 ? replaced : editJson(replaced, (error) => ({ ...error, status: to }))
}

export function replaceValue(headers: SentRequest['headers'], from: string, to: string) {
  const pairs = Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name, value === from ? to : value]))
}

const limitHeaders: readonly (readonly [string, string])[] = [
  ['content-type', 'application/json'],
  ['x-ratelimit-limit', '60'],
  ['x-ratelimit-remaining', '59'],
  ['x-ratelimit-reset', '1768467660'],
]

/** Returns an error with the headers of a response, or of a fresh limit. */
export function error(status: number, code: string, response?: Received): Received {
  const headers = response?.headers ?? new Map(limitHeaders)
  return { status, headers, text: JSON.stringify({ code, message: 'This is wrong.', status }) }
}
