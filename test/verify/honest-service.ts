import express, { type ErrorRequestHandler, type Express, type Response } from 'express'

/** What a service may decide: the specification does not show it. */
export interface Freedoms {
  /** Bounds of `quantity`. Default: none. */
  readonly minimum?: number
  readonly maximum?: number
  /** Whether a rejected request leaves X-RateLimit-Remaining as it is. */
  readonly refunds?: boolean
  /** Whether each operation has a limit of its own. */
  readonly splits?: boolean
  /** Whether Retry-After has a date. */
  readonly datesRetry?: boolean
  /** Whether unknown fields of a body are rejected. */
  readonly isStrict?: boolean
  /** Whether a pet without stock is sold. */
  readonly sells?: boolean
}

const limits = new Map([
  ['sbx_free', 60],
  ['sbx_pro', 300],
  ['sbx_business', 1_000],
  ['sbx_enterprise', 5_000],
])
/** Beyond 2^53, a double has every second integer. */
const ids = ['1', '2', '5', '7', '9007199254740995']

/**
 * Creates an Express application that agrees with the specification and has no code of the sandbox.
 *
 * @param now Milliseconds since the epoch.
 */
export function createHonestService(now: () => number, freedoms: Freedoms = {}): Express {
  const { minimum = -Infinity, maximum = Infinity } = freedoms
  const stock = new Map(ids.map((id) => [id, { quantity: 4, status: 'available' }]))
  const windows = new Map<string, { used: number; resetsAt: number }>()
  const toItem = (id: string) => JSON.stringify(stock.get(id)).replace('{', `{"petId":${id},`)
  const fail = (response: Response, status: number, message: string) => {
    const { used } = response.locals
    if (freedoms.refunds && used) response.set('X-RateLimit-Remaining', String(used.undo()))
    response.status(status).json({ code: `E${status}`, message, status })
  }
  const api = express.Router()
  api.get('/inventory', (_request, response) => {
    response.type('json').send(`[${ids.map(toItem).join()}]`)
  })
  api.patch('/inventory/:petId', ({ params, body }, response) => {
    const { quantity, ...others } = body ?? {}
    const item = stock.get(params.petId)
    if (!/^-?\d{1,19}$/.test(params.petId)) return fail(response, 400, 'petId: not an int64')
    if (!item) return fail(response, 404, `no pet ${params.petId}`)
    const isValid = Number.isSafeInteger(quantity) && quantity >= minimum && quantity <= maximum
    if (!isValid) return fail(response, 400, 'quantity: not an integer, or out of bounds')
    if (freedoms.isStrict && Object.keys(others).length > 0) return fail(response, 400, 'unknown')
    item.quantity = quantity
    if (freedoms.sells) item.status = quantity === 0 ? 'sold' : 'available'
    response.type('json').send(toItem(params.petId))
  })
  api.get('/pets/:petId', ({ params }, response) => {
    if (!stock.has(params.petId)) return fail(response, 404, `no pet ${params.petId}`)
    response.set({ Deprecation: 'true', Sunset: 'Fri, 31 Dec 2027 23:59:59 GMT' })
    response.json({ name: `Pet ${params.petId}` })
  })
  api.get('/store/orders', (_request, response) => response.json({ orders: [] }))
  const quickstart = express.Router().post('/messages', ({ body }, response) => {
    if (typeof body?.message !== 'string') return fail(response, 400, 'message: not a string')
    const createdAt = new Date(now()).toISOString()
    response.status(202).json({ id: 'm1', message: 'Accepted.', status: 'queued', createdAt })
  })
  const invalidJson: ErrorRequestHandler = (_error, _request, response, _next) =>
    fail(response, 400, 'the body is not JSON')
  return express()
    .use((request, response, next) => {
      const [, key = ''] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '') ?? []
      const limit = limits.get(key)
      const account = freedoms.splits ? `${key} ${request.method} ${request.path.slice(0, 6)}` : key
      const known = windows.get(account)
      const isOpen = known !== undefined && now() < known.resetsAt
      const window = isOpen ? known : { used: 0, resetsAt: now() + 60_000 }
      const isExceeded = limit !== undefined && window.used >= limit
      if (limit !== undefined && !isExceeded) window.used += 1
      windows.set(account, window)
      response.locals.used = limit && !isExceeded && { undo: () => limit - --window.used }
      response.set({
        Date: new Date(now()).toUTCString(),
        'X-RateLimit-Limit': String(limit ?? 60),
        'X-RateLimit-Remaining': String((limit ?? 60) - window.used),
        'X-RateLimit-Reset': String(Math.ceil(window.resetsAt / 1000)),
      })
      if (limit === undefined) return fail(response, 401, 'the key is missing or invalid')
      if (!isExceeded) return next()
      const seconds = Math.ceil((window.resetsAt - now()) / 1000)
      const date = new Date(now() + seconds * 1000).toUTCString()
      response.set('Retry-After', freedoms.datesRetry ? date : String(seconds))
      fail(response, 429, 'too many requests')
    })
    .use(express.json())
    .use('/v1', api)
    .use('/staging/v1', api)
    .use('/quickstart', quickstart)
    .use((_request, response) => fail(response, 404, 'no such operation'))
    .use(invalidJson)
}
