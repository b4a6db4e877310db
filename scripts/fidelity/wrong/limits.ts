import { plans } from '../../../src/service/plans.js'
import type { SentRequest } from '../../../src/verify/request.js'
import {
  admitOneMore,
  always,
  correctUrls,
  editHeader,
  error,
  isUpdate,
  onRejected,
  type Received,
  type Respond,
  replaceStatus,
  setHeader,
  type WrongService,
  withHeader,
  withOtherKey,
  wrongServiceKey,
} from './service.js'

/** Services whose rate limit is wrong. */
export const wrongLimits: readonly WrongService[] = [
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
    does: 'states more remaining requests with each',
    check: 'limits.counts-down',
    companions: ['limits.exceeded'],
    start: () => {
      let sent = 0
      return async (request, next) => {
        const response = await next(request)
        return editHeader(response, 'x-ratelimit-remaining', (left) =>
          left === 0 ? 0 : ++sent % 60,
        )
      }
    },
  },
  {
    does: 'charges two requests for an update',
    check: 'limits.counts-down',
    start: chargeMore(1, isUpdate),
  },
  {
    does: 'charges five requests for a rejected update',
    check: 'limits.counts-down',
    start: chargeMore(4, (request, { status }) => isUpdate(request) && status >= 400),
  },
  {
    does: 'charges two requests for a pet',
    check: 'limits.counts-down',
    start: chargeMore(1, ({ url }) => url.startsWith(`${correctUrls.api}/pets/`)),
  },
  {
    does: 'charges two requests for the orders',
    check: 'limits.counts-down',
    start: chargeMore(1, ({ url }) => url === `${correctUrls.api}/store/orders`),
  },
  {
    does: 'does not charge updates',
    check: 'limits.counts-down',
    start: chargeReads,
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
    companions: ['limits.reset-header'],
    start: always((response) => replaceStatus(response, 429, 503)),
  },
  {
    does: 'sends no Retry-After',
    check: 'limits.retry-after',
    start: always(setHeader('retry-after', undefined)),
  },
  {
    does: 'sends Retry-After: 0',
    check: 'limits.retry-after',
    companions: ['limits.retry-succeeds'],
    start: onRejected(setHeader('retry-after', '0')),
  },
  ...['-60', '59.5', 'soon', '2026-01-15T09:01:00Z'].map((value) => ({
    does: `sends Retry-After: ${value}`,
    check: 'limits.retry-after',
    start: onRejected(setHeader('retry-after', value)),
  })),
  {
    does: 'sends a Retry-After in milliseconds',
    check: 'limits.retry-after',
    start: onRejected((response) =>
      editHeader(response, 'retry-after', (seconds) => seconds * 1000),
    ),
  },
  {
    does: 'sends a Retry-After of an hour for a limit of a minute',
    check: 'limits.retry-after',
    start: onRejected(setHeader('retry-after', '3600')),
  },
  {
    does: 'sends a Retry-After of three seconds too many',
    check: 'limits.retry-after',
    start: onRejected((response) => editHeader(response, 'retry-after', (seconds) => seconds + 3)),
  },
  {
    does: 'sends a Retry-After with a date an hour ahead',
    check: 'limits.retry-after',
    start: onRejected((response) =>
      withHeader(
        response,
        'retry-after',
        new Date(Date.parse(response.headers.get('date') ?? '') + 3_600_000).toUTCString(),
      ),
    ),
  },
  {
    does: 'states a reset before Retry-After',
    check: 'limits.retry-after',
    start: onRejected((response) => editHeader(response, 'x-ratelimit-reset', (at) => at - 20)),
  },
  {
    does: 'sends a Retry-After that is too short',
    check: 'limits.retry-succeeds',
    start: onRejected(setHeader('retry-after', '5')),
  },
  {
    does: 'resets the limit before X-RateLimit-Reset',
    check: 'limits.retry-succeeds',
    start: resetEarly,
  },
]

/** Charges more requests than one for each that is matched. */
function chargeMore(
  more: number,
  isMatch: (request: SentRequest, response: Received) => boolean,
): () => Respond {
  return () => async (request, next) => {
    const response = await next(request)
    if (!isMatch(request, response) || response.status === 401) return response
    const url = `${correctUrls.api}/inventory`
    let { headers } = response
    for (let sent = 0; sent < more; sent++) {
      headers = (await next({ ...request, method: 'GET', url, body: undefined })).headers
    }
    return editHeader(response, 'x-ratelimit-remaining', () =>
      Number(headers.get('x-ratelimit-remaining')),
    )
  }
}

/** Charges no updates. */
function chargeReads(): Respond {
  let headers: Received['headers'] = new Map()
  return async (request, next) => {
    const isOwn = request.headers.Authorization === `Bearer ${wrongServiceKey}`
    if (!isOwn) return next(request)
    const response = await next(isUpdate(request) ? withOtherKey(request) : request)
    if (request.url === `${correctUrls.api}/inventory`) headers = response.headers
    return isUpdate(request) ? { ...response, headers } : response
  }
}

/** Has a new window 20 seconds after the first rejection, and states 60. */
function resetEarly(): Respond {
  let rejections = 0
  return async (request, next) => {
    const response = await next(request)
    if (response.status !== 429) return response
    const seconds = Date.parse(response.headers.get('date') ?? '') / 1000
    rejections += 1
    if (rejections === 1) return withHeader(response, 'retry-after', '20')
    const admitted = withHeader({ ...response, status: 200, text: '[]' }, 'retry-after', undefined)
    const left = withHeader(admitted, 'x-ratelimit-remaining', String(61 - rejections))
    return editHeader(left, 'x-ratelimit-reset', () => seconds + 60)
  }
}
