import { type PlanId, plans } from '../../service/plans.js'
import { type Check, type Deviations, expectStatus, expectThat } from '../check.js'
import {
  describeRejection,
  isInRange,
  past,
  type RateLimit,
  readRateLimit,
  readRetryAfter,
  toWindowSeconds,
} from '../headers.js'
import { listInventory, toEntry } from '../inventory.js'
import type { CheckRequest, Exchange } from '../request.js'
import { describeResponse, isSuccess } from '../response.js'
import { type Session, Skip } from '../session.js'

const exceeded =
  '§8 When a request exceeds the limit, then the response is 429 Too Many Requests with a `Retry-After` header.'

/** §8: the plans and the rules. The headers are checked on every response. */
export const limitChecks: readonly Check[] = [
  definePlan('free', '§8 Free | 60 | 1,000'),
  definePlan('pro', '§8 Pro | 300 | 10,000'),
  definePlan('business', '§8 Business | 1,000 | 100,000'),
]

/**
 * §8 rules 1 and 2, whose checks use up the limit of the key and cause one rejection; and the charge of
 * a request, whose check examines all requests of the run.
 */
export const exhaustingChecks: readonly Check[] = [
  {
    id: 'limits.exceeded',
    statement: exceeded,
    restated: [
      '§7 429 | Rate limit exceeded; the client must back off and retry after the interval in the `Retry-After` header | all operations',
    ],
    exhausts: true,
    async run(session) {
      const { admitted, last, remaining } = await exhaust(session)
      if (last.status !== 429) return expectStatus(last, 429)
      const expected = `429 after the ${remaining} requests that X-RateLimit-Remaining stated`
      return expectThat(admitted === remaining, expected, `429 after ${admitted}`, last)
    },
  },
  {
    id: 'limits.retry-after',
    statement: exceeded,
    exhausts: true,
    async run(session) {
      const rejected = await findRejected(session)
      const value = rejected.headers.get('retry-after') ?? 'none'
      const seconds = readRetryAfter(rejected)
      const form = 'a Retry-After header with seconds from 1, or an HTTP date'
      if (seconds === undefined || seconds <= 0) return expectThat(false, form, value, rejected)
      const reset = readRateLimit(rejected)?.resetSeconds ?? 0
      // This is the first rejection of the run, so that it is no ban.
      const windowSeconds = toWindowSeconds(rejected, session.options.plan)
      const isBefore = isInRange(reset, rejected, [seconds, Infinity])
      // `limits.reset-header` reports a number that is no time.
      if (isBefore === undefined || reset < 1e9) {
        throw new Skip('the 429 has no valid Date and X-RateLimit-Reset to compare with')
      }
      const isMet = isBefore && seconds <= windowSeconds + 1
      const expected = `a Retry-After up to the X-RateLimit-Reset ${reset}, and to ${windowSeconds} s`
      const date = rejected.headers.get('date')
      return expectThat(isMet, expected, `${value}, with the Date ${date}`, rejected)
    },
  },
  {
    id: 'limits.retry-succeeds',
    statement: '§8 Clients retry after the time in `Retry-After` and use exponential backoff.',
    restated: ['§8 X-RateLimit-Reset | Unix timestamp at which the limit resets'],
    exhausts: true,
    async run(session) {
      const rejected = await findRejected(session)
      const seconds = readRetryAfter(rejected)
      if (seconds === undefined) throw new Skip('the 429 has no valid Retry-After')
      await session.wait(seconds, `GET /inventory received ${describeRejection(rejected)}`)
      const exchange = await session.send(listInventory, { mayExceed: true })
      const expected = `a success after the ${seconds} s of Retry-After`
      const isMet = exchange.status !== 429
      return [
        ...expectThat(isMet, expected, describeResponse(exchange), rejected, exchange),
        ...(isMet ? expectReset(rejected, exchange) : []),
      ]
    },
  },
  {
    id: 'limits.counts-down',
    statement: '§8 X-RateLimit-Remaining | Requests left in the current window',
    prepare: sendPairs,
    run({ exchanges }) {
      const charges = exchanges.flatMap((after, at) => readCharge(exchanges[at - 1], after) ?? [])
      if (charges.length === 0) throw new Skip('no two responses are of the same window')
      // Another client may have used the key between two requests, but not between most of them.
      return [...new Set(charges.map(({ kind }) => kind))].flatMap((kind) => {
        const all = charges.filter((charge) => charge.kind === kind)
        const deviating = all.filter(({ agrees }) => !agrees)
        const [first] = deviating
        if (!first || deviating.length < 2 || deviating.length <= all.length / 2) return []
        const { before, after } = first
        const actual = `${readRemaining(before)}, then ${readRemaining(after)} for ${kind}`
        return expectThat(false, 'one less with each request', actual, before, after)
      })
    },
  },
]

/** Defines the check of a row of the table of plans. A response shows one of its two limits. */
function definePlan(plan: PlanId, statement: string): Check {
  const { requestsPerMinute, requestsPerDay } = plans[plan]
  return {
    id: `limits.plan-${plan}`,
    statement,
    plan,
    async run({ observe }) {
      const exchange = await observe(listInventory)
      const { limit } = requireRateLimit(exchange)
      const isMet = limit === requestsPerMinute || limit === requestsPerDay
      const expected = `X-RateLimit-Limit ${requestsPerMinute} (or ${requestsPerDay}, of the day)`
      return expectThat(isMet, expected, String(limit), exchange)
    },
  }
}

/** Returns a deviation if the whole limit is available before the time of its reset. */
function expectReset(rejected: Exchange, exchange: Exchange): Deviations {
  const [before, after] = [readRateLimit(rejected), readRateLimit(exchange)]
  if (!before || !after || before.limit !== after.limit) return []
  const isReset = after.remaining >= after.limit - 1
  const isTime = isInRange(before.resetSeconds, rejected, [0, 86_400]) === true
  const isEarly = isReset && isTime && isInRange(before.resetSeconds, exchange, past) === false
  const actual = `${after.remaining} requests left, with the Date ${exchange.headers.get('date')}`
  const expected = `a reset at the X-RateLimit-Reset ${before.resetSeconds}, not before`
  return expectThat(!isEarly, expected, actual, rejected, exchange)
}

function requireRateLimit(exchange: Exchange): RateLimit {
  const rateLimit = readRateLimit(exchange)
  if (!rateLimit) throw new Skip('the response has no valid X-RateLimit headers')
  return rateLimit
}

/** More requests than this are not sent to use up a limit. */
const maximumRequests = 1_100

/**
 * Sends requests until one is rejected, at most one more than remain. Returns the number of remaining
 * requests in the first response, the number of requests admitted after it, and the last response.
 */
async function exhaust(session: Session) {
  const first = await session.send(listInventory, { mayExceed: true })
  if (first.status === 429) return { remaining: 0, admitted: 0, last: first }
  const { remaining, resetSeconds } = requireRateLimit(first)
  if (remaining > maximumRequests) {
    throw new Skip(`the key has ${remaining} requests left, more than ${maximumRequests}`)
  }
  for (let admitted = 0; ; admitted++) {
    const last = await session.send(listInventory, { mayExceed: true })
    if (last.status === 429) return { remaining, admitted, last }
    if (readRateLimit(last)?.resetSeconds !== resetSeconds) {
      throw new Skip('the limit was reset before it was used up')
    }
    if (admitted === remaining) return { remaining, admitted, last }
  }
}

/** Returns the rejection that this check or an earlier one has caused. */
async function findRejected(session: Session): Promise<Exchange> {
  const isRejected = ({ status }: Exchange) => status === 429
  const rejected = session.exchanges.find(isRejected) ?? (await exhaust(session)).last
  if (isRejected(rejected)) return rejected
  throw new Skip('no request was rejected with 429')
}

/** Sends each read request until two consecutive responses agree, at most four times. */
async function sendPairs({ observe, send }: Session): Promise<void> {
  const { json } = await observe(listInventory)
  const pet = Array.isArray(json) ? toEntry(json[0]) : undefined
  const paths = [listInventory.path, ...(pet ? [`/pets/${pet.petId}`] : []), '/store/orders']
  for (const path of paths) {
    let before = await send({ path })
    for (let sent = 1; sent < 4; sent++) {
      const after = await send({ path })
      if (readCharge(before, after)?.agrees) break
      before = after
    }
  }
}

/**
 * Returns the charge of a request, computed from its response and the previous one, with the operation
 * and the status as its kind; undefined if it is unknown. The specification does not state whether a
 * rejected request is charged, and each operation may have a separate limit.
 */
function readCharge(before: Exchange | undefined, after: Exchange) {
  const operation = toOperation(after.request)
  if (!before || operation === undefined || after.status === 429) return undefined
  if (toOperation(before.request) !== operation) return undefined
  const [first, second] = [readRateLimit(before), readRateLimit(after)]
  if (!first || !second) return undefined
  if (first.resetSeconds !== second.resetSeconds || first.limit !== second.limit) return undefined
  const charged = first.remaining - second.remaining
  const agrees = charged === 1 || (charged === 0 && !isSuccess(after))
  return { kind: `${operation} ${after.status}`, before, after, agrees }
}

/** Returns the operation that is charged to the key; undefined for requests without this key. */
function toOperation(request: CheckRequest): string | undefined {
  const { address = 'api', method = 'GET', path, credential = 'own' } = request
  if (address !== 'api' || credential !== 'own') return undefined
  return `${method} ${/^\/\w+/.exec(path)?.[0]}`
}

function readRemaining(exchange: Exchange): string {
  return exchange.headers.get('x-ratelimit-remaining') ?? 'none'
}
