import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import { operationIds } from '../../../../src/service/operations/operations.js'
import type { SendRequest, ServiceResponse } from '../../../support/client.js'
import { successStatus } from '../../../support/operations.js'
import { type Suite, startMs } from '../../../support/suite.js'

/** The table of spec §8; the figures of Enterprise are assumption A09. */
const plans = [
  ['free', 60, 1_000],
  ['pro', 300, 10_000],
  ['business', 1_000, 100_000],
  ['enterprise', 5_000, 500_000],
] as const

type PlanId = (typeof plans)[number][0]

const minute = 60_000
const day = 86_400_000

/** Spec §8: limits, headers and rules. */
export function describeLimits({ open, assumption }: Suite): void {
  describe('rate limits', () => {
    test.each(plans)(
      'spec §8: plan %s has %i requests per minute and %i per day',
      async (plan, _, perDay) => {
        const { send, sandbox } = await open({ scenario: withRemaining(plan, 'day', 2) })
        const responses = await repeat(send, 3, plan)
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
        expect(responses.map(({ rateLimit }) => rateLimit.remaining)).toEqual([1, 0, 0])
        for (const { rateLimit } of responses) {
          expect(rateLimit.limit).toBe(perDay)
          expect(rateLimit.reset).toBe(Math.ceil((startMs + day) / 1000))
        }
        expect(responses[2]).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 86_400 })

        sandbox.world.clock.advance(minute)
        expect((await send(list(plan))).status, 'a minute later').toBe(429)
        sandbox.world.clock.advance(day - minute)
        expect((await send(list(plan))).status, 'a day later').toBe(200)
      },
    )

    assumption(
      'A09',
      'Enterprise has 5,000 requests a minute and 500,000 a day, or the limits of the scenario',
      async () => {
        const own = await open()
        const response = await own.send(list('enterprise'))
        expect(response.rateLimit).toMatchObject({ limit: 5_000, remaining: 4_999 })
        const late = await open({ scenario: withRemaining('enterprise', 'day', 5) })
        expect((await late.send(list('enterprise'))).rateLimit.limit).toBe(500_000)
        const agreed: Scenario = {
          name: 'agreed',
          extends: ['default'],
          plans: { enterprise: { requestsPerMinute: 7, requestsPerDay: 70 } },
        }
        const { send } = await open({ scenario: agreed })
        expect((await send(list('enterprise'))).rateLimit).toMatchObject({ limit: 7, remaining: 6 })
        expect((await send(list('pro'))).rateLimit.limit).toBe(300)
      },
    )

    test.each(operationIds)(
      'spec §7, §8 rule 1: %s responds with 429 and Retry-After beyond the limit',
      async (operation) => {
        const { send } = await open({ scenario: 'nearly-limited' })
        const last = await send({ operation })
        expect(last).toMatchObject({
          status: successStatus(operation),
          rateLimit: { limit: 60, remaining: 0 },
        })
        const over = await send({ operation })
        expect(over).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfter: 60 })
        expect(over.statusText).toBe('Too Many Requests')
        expect(over.message).toContain('retry after 60 seconds')
      },
    )

    test('spec §8: all operations share one quota', async () => {
      const { send } = await open()
      const remaining: number[] = []
      for (const operation of operationIds) {
        remaining.push((await send({ operation })).rateLimit.remaining)
      }
      expect(remaining).toEqual(operationIds.map((_, index) => 59 - index))
    })

    test('spec §8 rule 4: a higher plan has a separate limit and the same data', async () => {
      const { send } = await open({ scenario: withRemaining('free', 'minute', 1) })
      await send({ operation: 'updateInventory', json: { quantity: 321 } })
      expect((await send(list('free'))).status).toBe(429)
      const upgraded = await send(list('pro'))
      expect(upgraded).toMatchObject({ status: 200, rateLimit: { limit: 300, remaining: 299 } })
      expect(upgraded.text).toContain('{"petId":1,"quantity":321,')
    })

    assumption(
      'A06',
      'both windows are fixed and start with the key’s first request in them',
      async () => {
        const { send, sandbox } = await open()
        const { clock } = sandbox.world
        clock.advance(12_345)
        const opened = clock.now()
        const resetOf = async () => (await send(list('free'))).rateLimit.reset
        expect(await resetOf()).toBe(Math.ceil((opened + minute) / 1000))
        clock.advance(59_999)
        expect(await resetOf(), 'the same window').toBe(Math.ceil((opened + minute) / 1000))
        clock.advance(5 * minute)
        const reopened = clock.now()
        const { rateLimit } = await send(list('free'))
        expect(rateLimit).toEqual({
          limit: 60,
          remaining: 59,
          reset: Math.ceil((reopened + minute) / 1000),
        })
      },
    )

    assumption(
      'A07',
      'the headers describe the window that rejected, otherwise the one with the fewest requests left',
      async () => {
        const quota = { free: { minute: { remaining: 3 }, day: { remaining: 5 } } }
        const { send, sandbox } = await open({
          scenario: { name: 'both', extends: ['default'], quota },
        })
        const limits = (await repeat(send, 4)).map(({ status, rateLimit }) => [
          status,
          rateLimit.limit,
          rateLimit.remaining,
        ])
        expect(limits).toEqual([
          [200, 60, 2],
          [200, 60, 1],
          [200, 60, 0],
          [429, 60, 0],
        ])
        sandbox.world.clock.advance(minute)
        const later = await repeat(send, 3)
        expect(
          later.map(({ status, rateLimit }) => [status, rateLimit.limit, rateLimit.remaining]),
        ).toEqual([
          [200, 1_000, 1],
          [200, 1_000, 0],
          [429, 1_000, 0],
        ])
      },
    )

    assumption(
      'A17',
      'without a valid key, the headers show the minute of Free, and nothing is charged',
      async () => {
        const { send, sandbox } = await open()
        for (const key of [null, 'nonsense', 'sbx_revoked', 'sbx_pro_no-such']) {
          sandbox.world.clock.advance(1_000)
          const { status, rateLimit } = await send({ operation: 'listInventory', key })
          const reset = Math.ceil((sandbox.world.clock.now() + minute) / 1000)
          expect(status).toBe(401)
          expect(rateLimit).toEqual({ limit: 60, remaining: 60, reset })
        }
        expect((await send(list('free'))).rateLimit.remaining).toBe(59)
      },
    )
  })
}

/** Sends requests one after the other. */
async function repeat(
  send: SendRequest,
  times: number,
  plan: PlanId = 'free',
): Promise<ServiceResponse[]> {
  const responses: ServiceResponse[] = []
  while (responses.length < times) responses.push(await send(list(plan)))
  return responses
}

function list(plan: PlanId) {
  return { operation: 'listInventory', key: `sbx_${plan}` } as const
}

/** Returns a scenario in which a plan has the given remaining requests in a window. */
function withRemaining(plan: PlanId, window: 'minute' | 'day', remaining: number): Scenario {
  const quota = { [plan]: { [window]: { remaining } } }
  return { name: 'nearly-spent', extends: ['default'], quota }
}
