import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import { operationIds } from '../../../../src/service/operations/operations.js'
import type { SendRequest } from '../../../support/client.js'
import { successStatus } from '../../../support/operations.js'
import type { Suite } from '../../../support/suite.js'

/** Spec §8 rule 3: repeated requests after a 429 may lead to a temporary ban of the API key. */
export function describeBans({ open, assumption }: Suite): void {
  describe('bans', () => {
    assumption(
      'A08',
      'the 10th rejected request in one window bans the key for 300 seconds',
      async () => {
        const { send, sandbox } = await open({ scenario: 'rate-limited' })
        expect(await codes(send, 10)).toEqual([
          ...Array(9).fill('rate_limit_exceeded'),
          'api_key_banned',
        ])
        const banned = await send({ operation: 'listInventory' })
        expect(banned).toMatchObject({ status: 429, code: 'api_key_banned', retryAfter: 300 })
        expect(banned.message).toContain('2026-01-15T09:05:00Z')

        sandbox.world.clock.advance(299_999)
        const last = await send({ operation: 'listInventory' })
        expect(last).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
        sandbox.world.clock.advance(1)
        expect((await send({ operation: 'listInventory' })).status).toBe(200)
      },
    )

    test('assumption A07: during a ban, no requests are left until the ban ends', async () => {
      const { send, sandbox } = await open({ scenario: 'banned-key' })
      const requests = [
        ...operationIds.map((operation) => ({ operation })),
        { operation: 'listInventory', method: 'HEAD' },
        { operation: 'updateInventory', json: {} },
        { operation: 'getPet', petId: '404' },
      ] as const
      for (const request of requests) {
        const { status, headers, rateLimit, retryAfter } = await send(request)
        expect(status).toBe(429)
        expect(rateLimit.remaining, JSON.stringify(request)).toBe(0)
        const now = Date.parse(headers.get('Date') ?? '') / 1000
        expect(rateLimit.reset, 'X-RateLimit-Reset').toBeGreaterThanOrEqual(now + retryAfter)
        sandbox.world.clock.advance(7_777)
      }
      const unrouted = await send({ path: '/nowhere' })
      expect(unrouted).toMatchObject({ status: 404, rateLimit: { remaining: 0 } })
    })

    test('spec §8 rule 3: Retry-After of a ban in an exhausted day is that of the day', async () => {
      const { send, sandbox } = await open({ scenario: 'daily-quota-spent' })
      await codes(send, 10)
      const response = await send({ operation: 'listInventory' })
      expect(response).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400 })
      sandbox.world.clock.advance(86_400_000)
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
    })

    test('spec §8 rule 3: a ban does not apply after the clock has moved back before its start', async () => {
      const { send, sandbox } = await open({ scenario: 'rate-limited' })
      await codes(send, 10)
      sandbox.world.clock.advance(-1)
      const { status, rateLimit } = await send({ operation: 'listInventory' })
      expect([status, rateLimit.remaining]).toEqual([200, 59])
    })

    test('spec §8 rule 2: a client that waits for Retry-After is never banned', async () => {
      const { send, sandbox } = await open({ scenario: tight })
      for (let round = 0; round < 30; round++) {
        expect((await send({ operation: 'listInventory' })).status).toBe(200)
        const { code, retryAfter } = await send({ operation: 'listInventory' })
        expect(code).toBe('rate_limit_exceeded')
        sandbox.world.clock.advance(retryAfter * 1000)
      }
    })

    test('assumption A08: a scenario sets the rule', async () => {
      const rules = { ban: { rejections: 2, seconds: 61 } }
      const { send } = await open({
        scenario: { name: 'strict', extends: ['rate-limited'], rules },
      })
      expect(await codes(send, 3)).toEqual([
        'rate_limit_exceeded',
        'api_key_banned',
        'api_key_banned',
      ])
      expect((await send({ operation: 'listInventory' })).retryAfter).toBe(61)
    })

    test('spec §8 rule 3: a ban applies to one key, not to another plan, label or environment', async () => {
      const { send } = await open({ scenario: 'rate-limited' })
      await codes(send, 10)
      const others = [
        { key: 'sbx_pro' },
        { key: 'sbx_free_rate-limited_other' },
        { key: 'sbx_free', address: 'staging' },
      ] as const
      for (const other of others) {
        const response = await send({ operation: 'listInventory', ...other })
        expect(response.code, JSON.stringify(other)).toBe('rate_limit_exceeded')
      }
    })

    test.each(operationIds)(
      'spec §7: %s responds to a banned key with 429 and Retry-After',
      async (operation) => {
        const { send, sandbox } = await open({ scenario: 'banned-key' })
        const response = await send({ operation })
        expect(response).toMatchObject({ status: 429, code: 'api_key_banned', retryAfter: 600 })
        sandbox.world.clock.advance('PT10M')
        expect((await send({ operation })).status).toBe(successStatus(operation))
      },
    )
  })
}

/** One request a minute. */
const tight: Scenario = {
  name: 'tight',
  extends: ['default'],
  plans: { free: { requestsPerMinute: 1 } },
}

async function codes(send: SendRequest, times: number): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  while (found.length < times) found.push((await send({ operation: 'listInventory' })).code)
  return found
}
