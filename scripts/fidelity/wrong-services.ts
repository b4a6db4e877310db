import { addresses } from '../../src/service/addresses.js'
import { type PlanId, plans } from '../../src/service/plans.js'
import type { CheckUrls } from '../../src/verify/check.js'
import { unknownKey } from '../../src/verify/curl.js'
import type { Send, SentRequest } from '../../src/verify/request.js'

export type Received = Awaited<ReturnType<Send>>
/** Sends a request to the correct service. */
type Next = (request: SentRequest) => Promise<Received>
type Respond = (request: SentRequest, next: Next) => Promise<Received>

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

const otherApi = 'https://api.petstore.example/v2'

/** Every wrong service. `petstore-sandbox verify` must find each of them. */
export const wrongServices: readonly WrongService[] = [
  {
    does: 'is below /v2',
    check: 'base-address.version',
    urls: { api: otherApi },
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(otherApi, correctUrls.api) }),
  },
  {
    does: 'has staging at the base address',
    check: 'staging.separate',
    urls: { staging: correctUrls.api },
    start: () => (request, next) => next(request),
  },
  {
    does: 'has no orders in staging',
    check: 'staging.separate',
    start: on('GET', 'staging', '/store/orders', () => error(404, 'route_not_found')),
  },
  {
    does: 'lists the inventory at /stock',
    check: 'list-inventory.path',
    start: on('GET', 'api', '/inventory', (response) =>
      response.status === 200 ? error(404, 'route_not_found', response) : response,
    ),
  },
  {
    does: 'redirects GET /store/orders to another host',
    check: 'list-orders.path',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200
        ? {
            ...withHeader(response, 'location', 'https://other.example/v1/store/orders'),
            status: 301,
            text: '',
          }
        : response,
    ),
  },
  {
    does: 'wraps the list in an object',
    check: 'list-inventory.success',
    start: onList((entries) => ({ items: entries })),
  },
  {
    does: 'lists the inventory with status 206',
    check: 'list-inventory.success',
    start: on('GET', 'api', '/inventory', (response) => replaceStatus(response, 200, 206)),
  },
  {
    does: 'lists a pet twice',
    check: 'list-inventory.one-entry-per-pet',
    start: onList((entries) => [...entries, entries[0]]),
  },
  {
    does: 'filters the list by a query parameter',
    check: 'list-inventory.no-parameters',
    start: () => async (request, next) => {
      const response = await next(request)
      return request.url.includes('status=sold')
        ? editJson(response, (entries) =>
            toEntries(entries).filter(({ status }) => status === 'sold'),
          )
        : response
    },
  },
  {
    does: 'lists the inventory without a key',
    check: 'list-inventory.missing-key',
    start: accept('GET', '/inventory', undefined),
  },
  {
    does: 'lists the inventory with any key',
    check: 'list-inventory.invalid-key',
    start: accept('GET', '/inventory', `Bearer ${unknownKey}`),
  },
  {
    does: 'returns ids as strings',
    check: 'inventory-item.pet-id',
    start: onList((entries) => entries.map((entry) => ({ ...entry, petId: String(entry.petId) }))),
  },
  {
    does: 'returns quantities as strings',
    check: 'inventory-item.quantity',
    start: onList((entries) =>
      entries.map((entry) => ({ ...entry, quantity: String(entry.quantity) })),
    ),
  },
  {
    does: 'returns entries without a status',
    check: 'inventory-item.status',
    start: onList((entries) => entries.map(({ status, ...entry }) => entry)),
  },
  {
    does: 'returns the status AVAILABLE',
    check: 'pet-status.values',
    start: () => async (request, next) => {
      const response = await next(request)
      return { ...response, text: response.text.replaceAll('"available"', '"AVAILABLE"') }
    },
  },
  {
    does: 'has no GET /pets/{petId}',
    check: 'get-pet.path',
    start: on('GET', 'api', '/pets/', (response) =>
      response.status === 200 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'does not mark getPet as deprecated',
    check: 'get-pet.deprecation',
    start: on('GET', 'api', '/pets/', (response) => withHeader(response, 'deprecation', undefined)),
  },
  {
    does: 'states no sunset date',
    check: 'get-pet.sunset',
    start: on('GET', 'api', '/pets/', (response) => withHeader(response, 'sunset', undefined)),
  },
  {
    does: 'states the sunset date in ISO 8601',
    check: 'get-pet.sunset',
    start: on('GET', 'api', '/pets/', (response) => withHeader(response, 'sunset', '2026-04-15')),
  },
  {
    does: 'has no GET /store/orders',
    check: 'list-orders.path',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'accepts the key without Bearer',
    check: 'authentication.bearer',
    start: accept('GET', '/inventory', wrongServiceKey),
  },
  {
    does: 'lists orders without a key',
    check: 'authentication.every-operation',
    start: accept('GET', '/store/orders', undefined),
  },
  {
    does: 'returns pets without a key',
    check: 'authentication.every-operation',
    start: accept('GET', '/pets/', undefined),
  },
  {
    does: 'returns 403 in place of 401',
    check: 'list-inventory.missing-key',
    companions: [
      'authentication.bearer',
      'authentication.every-operation',
      'list-inventory.invalid-key',
      'send-message.bearer',
      'send-message.invalid-key',
      'send-message.missing-key',
      'update-inventory.invalid-key',
      'update-inventory.missing-key',
    ],
    start: always((response) => replaceStatus(response, 401, 403)),
  },
  {
    does: 'has updateInventory with PUT only',
    check: 'update-inventory.path',
    start: on('PATCH', 'api', '/inventory/', () => error(405, 'method_not_allowed')),
  },
  {
    does: 'returns only the quantity of an updated entry',
    check: 'update-inventory.success',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      response.status === 200 ? editJson(response, ({ quantity }) => ({ quantity })) : response,
    ),
  },
  {
    does: 'responds to an update with 204 and no body',
    check: 'update-inventory.success',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      response.status === 200 ? { ...response, status: 204, text: '' } : response,
    ),
  },
  {
    does: 'updates a second pet too',
    check: 'update-inventory.pet-id',
    start: () => async (request, next) => {
      const response = await next(request)
      if (isUpdate(request) && response.status === 200) {
        await next({ ...request, url: `${correctUrls.api}/inventory/5` })
      }
      return response
    },
  },
  {
    does: 'returns the id of another pet after an update',
    check: 'update-inventory.pet-id',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      response.status === 200 ? editJson(response, (item) => ({ ...item, petId: 5 })) : response,
    ),
  },
  {
    does: 'forgets updates',
    check: 'update-inventory.quantity',
    start: () => async (request, next) => {
      if (!isUpdate(request) || !/^\{"quantity":\d+\}$/.test(request.body ?? '')) {
        return next(request)
      }
      const list = {
        ...request,
        method: 'GET',
        url: `${correctUrls.api}/inventory`,
        body: undefined,
      }
      const before = await next(list)
      const response = await next(request)
      if (response.status === 200) {
        const [first] = toEntries(JSON.parse(before.text))
        await next({ ...request, body: JSON.stringify({ quantity: first?.quantity }) })
      }
      return response
    },
  },
  {
    does: 'adds the quantity to the stock',
    check: 'update-inventory.quantity',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      response.status === 200
        ? editJson(response, (item) => ({ ...item, quantity: Number(item.quantity) + 4 }))
        : response,
    ),
  },
  {
    does: 'rejects a smaller quantity',
    check: 'update-inventory.uses',
    start: on('PATCH', 'api', '/inventory/', (response, request) =>
      request.body === '{"quantity":3}' ? error(400, 'invalid_field') : response,
    ),
  },
  {
    does: 'accepts a status',
    check: 'update-inventory.no-status',
    start: acceptStatus,
  },
  {
    does: 'updates the first pet if the petId is a word',
    check: 'update-inventory.path-parameter',
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(/inventory\/[a-z-]+$/, 'inventory/1') }),
  },
  {
    does: 'rounds ids beyond 2^53',
    check: 'update-inventory.int64',
    key: 'sbx_free_int64-ids',
    start: on('PATCH', 'api', '/inventory/', (response) => editJson(response, (item) => item)),
  },
  {
    does: 'sets the quantity to 0 without a body',
    check: 'update-inventory.no-body',
    start: rewriteBody('PATCH', '/inventory/', undefined, '{"quantity":0}'),
  },
  {
    does: 'accepts a body without a quantity',
    check: 'update-inventory.missing-quantity',
    start: rewriteBody('PATCH', '/inventory/', '{}', '{"quantity":0}'),
  },
  {
    does: 'converts a quantity that is a string',
    check: 'update-inventory.invalid-quantity',
    start: () => (request, next) =>
      next({ ...request, body: request.body?.replace(/"(\d+)"/, '$1') }),
  },
  {
    does: 'returns 422 in place of 400 for updates',
    check: 'update-inventory.missing-quantity',
    companions: ['update-inventory.invalid-quantity', 'update-inventory.no-body'],
    start: on('PATCH', 'api', '/inventory/', (response) => replaceStatus(response, 400, 422)),
  },
  {
    does: 'updates without a key',
    check: 'update-inventory.missing-key',
    start: accept('PATCH', '/inventory/', undefined),
  },
  {
    does: 'updates with any key',
    check: 'update-inventory.invalid-key',
    start: accept('PATCH', '/inventory/', `Bearer ${unknownKey}`),
  },
  {
    does: 'creates an entry for an unknown pet',
    check: 'update-inventory.unknown-pet',
    start: on('PATCH', 'api', '/inventory/', (response) =>
      response.status === 404
        ? { ...response, status: 200, text: '{"petId":404,"quantity":1,"status":"available"}' }
        : response,
    ),
  },
  {
    does: 'returns 400 for an unknown pet',
    check: 'update-inventory.unknown-pet',
    start: on('PATCH', 'api', '/inventory/', (response) => replaceStatus(response, 404, 400)),
  },
  {
    does: 'has no POST /messages',
    check: 'send-message.path',
    start: onMessages((response) =>
      response.status === 200 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'has the quickstart example at the base address',
    check: 'send-message.path',
    urls: { quickstart: correctUrls.api },
    start: () => (request, next) =>
      next(
        request.url.endsWith('/messages')
          ? { ...request, url: `${correctUrls.quickstart}/messages` }
          : request,
      ),
  },
  {
    does: 'returns a message without an id',
    check: 'send-message.id',
    start: onMessage(({ id, ...message }) => message),
  },
  {
    does: 'returns a number as the id of a message',
    check: 'send-message.id',
    start: onMessage((message) => ({ ...message, id: 17 })),
  },
  {
    does: 'does not return the message',
    check: 'send-message.message',
    start: onMessage(({ message, ...others }) => others),
  },
  {
    does: 'returns the status sent',
    check: 'send-message.status',
    start: onMessage((message) => ({ ...message, status: 'sent' })),
  },
  {
    does: 'returns createdAt in seconds since 1970',
    check: 'send-message.created-at',
    start: onMessage((message) => ({ ...message, createdAt: 1_768_467_600 })),
  },
  {
    does: 'accepts a message as text/plain',
    check: 'send-message.content-type',
    start: () => (request, next) =>
      next({
        ...request,
        headers: replaceValue(request.headers, 'text/plain', 'application/json'),
      }),
  },
  {
    does: 'accepts a number as the message',
    check: 'send-message.message-string',
    start: rewriteBody('POST', '/messages', '{"message":5}', '{"message":"5"}'),
  },
  {
    does: 'accepts a message without a key',
    check: 'send-message.missing-key',
    start: accept('POST', '/messages', undefined),
  },
  {
    does: 'accepts a message with any key',
    check: 'send-message.invalid-key',
    start: accept('POST', '/messages', `Bearer ${unknownKey}`),
  },
  {
    does: 'accepts a message with a key without Bearer',
    check: 'send-message.bearer',
    start: accept('POST', '/messages', wrongServiceKey),
  },
  {
    does: 'accepts invalid JSON',
    check: 'send-message.invalid-json',
    start: rewriteBody('POST', '/messages', '{"message":', '{"message":""}'),
  },
  {
    does: 'accepts a body without a message',
    check: 'send-message.missing-message',
    start: rewriteBody('POST', '/messages', '{}', '{"message":""}'),
  },
  {
    does: 'charges two requests for each',
    check: 'limits.counts-down',
    companions: ['limits.exceeded'],
    start: always((response) =>
      editHeader(response, 'x-ratelimit-remaining', (left) =>
        Math.max(0, 2 * left - plans.free.requestsPerMinute),
      ),
    ),
  },
  {
    does: 'always states the same number of remaining requests',
    check: 'limits.counts-down',
    companions: ['limits.exceeded'],
    start: always((response) =>
      editHeader(response, 'x-ratelimit-remaining', (left) => (left === 0 ? 0 : 50)),
    ),
  },
  {
    does: 'has another limit than 60 for the plan Free',
    check: 'limits.plan-free',
    start: always((response) => editHeader(response, 'x-ratelimit-limit', () => 500)),
  },
  {
    does: 'has another limit than 300 for the plan Pro',
    check: 'limits.plan-pro',
    key: 'sbx_pro',
    plan: 'pro',
    start: always((response) => editHeader(response, 'x-ratelimit-limit', () => 500)),
  },
  {
    does: 'has another limit than 1,000 for the plan Business',
    check: 'limits.plan-business',
    key: 'sbx_business',
    plan: 'business',
    start: always((response) => editHeader(response, 'x-ratelimit-limit', () => 2_000)),
  },
  {
    does: 'rejects the last request of the limit',
    check: 'limits.exceeded',
    start: always((response) =>
      response.status === 200 && response.headers.get('x-ratelimit-remaining') === '0'
        ? withHeader(error(429, 'rate_limit_exceeded', response), 'retry-after', '60')
        : response,
    ),
  },
  {
    does: 'admits one request beyond the limit',
    check: 'limits.exceeded',
    start: admitOneMore,
  },
  {
    does: 'rejects requests beyond the limit with 503',
    check: 'limits.exceeded',
    start: always((response) => replaceStatus(response, 429, 503)),
  },
  {
    does: 'sends no Retry-After',
    check: 'limits.retry-after',
    start: always((response) => withHeader(response, 'retry-after', undefined)),
  },
  {
    does: 'sends Retry-After: 0',
    check: 'limits.retry-after',
    companions: ['limits.retry-succeeds'],
    start: onRejected((response) => withHeader(response, 'retry-after', '0')),
  },
  {
    does: 'sends a Retry-After that is too short',
    check: 'limits.retry-succeeds',
    start: onRejected((response) => withHeader(response, 'retry-after', '5')),
  },
  {
    does: 'sends the limit without an Error body',
    check: 'error.shape',
    start: onRejected((response) => ({ ...response, text: '{"error":"slow down"}' })),
  },
  {
    does: 'sends 401 as an HTML page',
    check: 'payloads.media-type',
    companions: ['error.shape', 'payloads.json'],
    start: onStatus(401, (response) =>
      withHeader({ ...response, text: '<h1>Unauthorized</h1>' }, 'content-type', 'text/html'),
    ),
  },
  {
    does: 'sends JSON as text/plain',
    check: 'payloads.media-type',
    start: onStatus(200, (response) => withHeader(response, 'content-type', 'text/plain')),
  },
  {
    does: 'sends orders as XML',
    check: 'payloads.json',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200 ? { ...response, text: '<orders/>' } : response,
    ),
  },
  {
    does: 'sends errors without a message',
    check: 'error.shape',
    start: onErrors(({ message, ...error }) => error),
  },
  {
    does: 'sends codes as numbers',
    check: 'error.code',
    start: onErrors((error) => ({ ...error, code: 4_001 })),
  },
  {
    does: 'sends messages as objects',
    check: 'error.message',
    start: onErrors((error) => ({ ...error, message: { en: error.message } })),
  },
  {
    does: 'sends the status as a string',
    check: 'error.status',
    start: onErrors((error) => ({ ...error, status: String(error.status) })),
  },
  {
    does: 'sends the status 400 in every Error body',
    check: 'error.status-repeats',
    start: onErrors((error) => ({ ...error, status: 400 })),
  },
  {
    does: 'sends no X-RateLimit-Limit with errors',
    check: 'limits.limit-header',
    start: onStatus(401, (response) => withHeader(response, 'x-ratelimit-limit', undefined)),
  },
  {
    does: 'sends no X-RateLimit-Remaining with errors',
    check: 'limits.remaining-header',
    start: onStatus(401, (response) => withHeader(response, 'x-ratelimit-remaining', undefined)),
  },
  {
    does: 'states more remaining requests than the limit',
    check: 'limits.remaining-header',
    start: onStatus(404, (response) => withHeader(response, 'x-ratelimit-remaining', '61')),
  },
  {
    does: 'states remaining requests with 429',
    check: 'limits.remaining-header',
    start: onRejected((response) => withHeader(response, 'x-ratelimit-remaining', '1')),
  },
  {
    does: 'sends X-RateLimit-Reset in milliseconds',
    check: 'limits.reset-header',
    start: always((response) => editHeader(response, 'x-ratelimit-reset', (at) => at * 1000)),
  },
  {
    does: 'sends X-RateLimit-Reset as the number of seconds left',
    check: 'limits.reset-header',
    start: always((response) => editHeader(response, 'x-ratelimit-reset', () => 60)),
  },
]

function isUpdate({ method, url }: SentRequest): boolean {
  return method === 'PATCH' && url.startsWith(`${correctUrls.api}/inventory/`)
}

/** Changes every response. */
function always(edit: (response: Received) => Received): () => Respond {
  return () => async (request, next) => edit(await next(request))
}

/** Changes the responses to a method and the beginning of a path. */
function on(
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

function onStatus(status: number, edit: (response: Received) => Received): () => Respond {
  return always((response) => (response.status === status ? edit(response) : response))
}

function onRejected(edit: (response: Received) => Received): () => Respond {
  return onStatus(429, edit)
}

type Fields = Readonly<Record<string, unknown>>

function onErrors(edit: (error: Fields) => unknown): () => Respond {
  return always((response) => (response.status >= 400 ? editJson(response, edit) : response))
}

/** Changes the list of the inventory. */
function onList(edit: (entries: readonly Fields[]) => unknown): () => Respond {
  return on('GET', 'api', '/inventory', (response) =>
    response.status === 200 ? editJson(response, (json) => edit(toEntries(json))) : response,
  )
}

function onMessages(edit: (response: Received) => Received): () => Respond {
  return on('POST', 'quickstart', '/messages', edit)
}

function onMessage(edit: (message: Fields) => unknown): () => Respond {
  return onMessages((response) => (response.status === 200 ? editJson(response, edit) : response))
}

/** Treats an Authorization header as the key of the run. */
function accept(method: string, path: string, authorization: string | undefined): () => Respond {
  return () => (request, next) => {
    const { Authorization: found, ...headers } = request.headers
    const isMatch =
      request.method === method && request.url.includes(path) && found === authorization
    const accepted = { ...headers, Authorization: `Bearer ${wrongServiceKey}` }
    return next(isMatch ? { ...request, headers: accepted } : request)
  }
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
function acceptStatus(): Respond {
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
function admitOneMore(): Respond {
  let isAdmitted = false
  return async (request, next) => {
    const response = await next(request)
    if (response.status !== 429 || isAdmitted) return response
    isAdmitted = true
    return withHeader({ ...response, status: 200, text: '[]' }, 'retry-after', undefined)
  }
}

function parse(text: string): Fields {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function toEntries(json: unknown): readonly Fields[] {
  return Array.isArray(json) ? json : []
}

/** Rounds integers beyond 2^53. */
function editJson(response: Received, edit: (json: Fields) => unknown): Received {
  return { ...response, text: JSON.stringify(edit(JSON.parse(response.text))) }
}

function withHeader(response: Received, name: string, value: string | undefined): Received {
  const headers = new Map(response.headers)
  if (value === undefined) headers.delete(name)
  else headers.set(name, value)
  return { ...response, headers }
}

function editHeader(response: Received, name: string, edit: (value: number) => number): Received {
  return withHeader(response, name, String(edit(Number(response.headers.get(name)))))
}

/** Replaces the status, also in the Error body. */
function replaceStatus(response: Received, from: number, to: number): Received {
  if (response.status !== from) return response
  const replaced = { ...response, status: to }
  return to < 400 ? replaced : editJson(replaced, (error) => ({ ...error, status: to }))
}

function replaceValue(headers: SentRequest['headers'], from: string, to: string) {
  const pairs = Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name, value === from ? to : value]))
}

const limitHeaders: readonly (readonly [string, string])[] = [
  ['content-type', 'application/json'],
  ['x-ratelimit-limit', '60'],
  ['x-ratelimit-remaining', '59'],
  ['x-ratelimit-reset', '1768467660'],
]

/** Returns an error with the headers of a response, or with those of a fresh limit. */
function error(status: number, code: string, response?: Received): Received {
  const headers = response?.headers ?? new Map(limitHeaders)
  return { status, headers, text: JSON.stringify({ code, message: 'This is wrong.', status }) }
}
