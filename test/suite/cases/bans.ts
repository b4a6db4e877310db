import { describe, expect, test } from 'vitest'
import { operationIds } from '../../../src/operations/operations.js'
import type { Scenario } from '../../../src/index.js'
import type { Call } from '../../support/client.js'
import type { Suite } from '../../support/suite.js'

/** Spec §8 rule 3: repeated requests after a 429 may lead to a temporary ban of the API key. */
export function describeBans({ open, assumption }: Suite): void {
  describe('bans', () => {
    assumption(
      'A08',
      'the 10th rejected request in one window bans the key for 300 seconds',
      async () => {
        const { call, sandbox } = await open({ scenario: 'rate-limited' })
        expect(await codes(call, 10)).toEqual([
          ...Array(9).fill('rate_limit_exceeded'),
          'api_key_banned',
        ])
        const banned = await call({ operation: 'listInventory' })
        expect(banned).toMatchObject({ status: 429, code: 'api_key_banned', retryAfter: 300 })
        expect(banned.message).toContain('2026-01-15T09:05:00Z')

        sandbox.world.clock.advance(299_999)
        const last = await call({ operation: 'listInventory' })
        expect(last).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
        sandbox.world.clock.advance(1)
        expect((await call({ operation: 'listInventory' })).status).toBe(200)
      },
    )

    test('spec §8 rule 3: a ban outlasts the window that brought it', async () => {
      const { call, sandbox } = await open({ scenario: 'rate-limited' })
      await codes(call, 10)
      sandbox.world.clock.advance(60_000)
      const answer = await call({ operation: 'listInventory' })
      expect(answer).toMatchObject({ code: 'api_key_banned', retryAfter: 240 })
    })

    test('spec §8 rule 3: going on does not make a ban longer', async () => {
      const { call, sandbox } = await open({ scenario: 'rate-limited' })
      await codes(call, 10)
      for (let waited = 0; waited < 300; waited += 25) {
        const { retryAfter } = await call({ operation: 'listInventory' })
        expect(retryAfter).toBe(300 - waited)
        sandbox.world.clock.advance(25_000)
      }
      expect((await call({ operation: 'listInventory' })).status).toBe(200)
    })

    test('spec §8 rule 3: a ban in a used-up day says to wait for the day', async () => {
      const { call, sandbox } = await open({ scenario: 'daily-quota-spent' })
      await codes(call, 10)
      const answer = await call({ operation: 'listInventory' })
      expect(answer).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400 })
      sandbox.world.clock.advance(86_400_000)
      expect((await call({ operation: 'listInventory' })).status).toBe(200)
    })

    test('spec §8: the headers of a banned key show 0 requests remaining and reset after Retry-After', async () => {
      const { call, sandbox } = await open()
      await call({ operation: 'listInventory' })
      sandbox.world.quota.account('free').set({ ban: { seconds: 300 } })
      const reset = Math.ceil((sandbox.world.clock.now() + 300_000) / 1000)
      const banned = await call({ operation: 'listInventory' })
      expect(banned).toMatchObject({ code: 'api_key_banned', retryAfter: 300 })
      expect(banned.rateLimit).toEqual({ limit: 60, remaining: 0, reset })
      const uncharged = await call({ path: '/nowhere', key: 'sbx_free' })
      expect(uncharged.status).toBe(404)
      expect(uncharged.rateLimit).toEqual({ limit: 60, remaining: 0, reset })
    })

    test('spec §8 rule 3: a ban does not apply after the clock has moved back before its start', async () => {
      const { call, sandbox } = await open({ scenario: 'rate-limited' })
      await codes(call, 10)
      sandbox.world.clock.advance(-1)
      const { status, rateLimit } = await call({ operation: 'listInventory' })
      expect([status, rateLimit.remaining]).toEqual([200, 59])
    })

    test('spec §8 rule 2: who waits for Retry-After is never banned', async () => {
      const { call, sandbox } = await open({ scenario: tight })
      for (let round = 0; round < 30; round++) {
        expect((await call({ operation: 'listInventory' })).status).toBe(200)
        const { code, retryAfter } = await call({ operation: 'listInventory' })
        expect(code).toBe('rate_limit_exceeded')
        sandbox.world.clock.advance(retryAfter * 1000)
      }
    })

    test('assumption A08: rejections count in one window only', async () => {
      const { call, sandbox } = await open({ scenario: tight })
      for (let round = 0; round < 3; round++) {
        expect(await codes(call, 10)).toEqual([undefined, ...Array(9).fill('rate_limit_exceeded')])
        sandbox.world.clock.advance(60_000)
      }
    })

    test('assumption A08: the rule is the scenario’s', async () => {
      const rules = { ban: { rejections: 2, seconds: 61 } }
      const { call } = await open({
        scenario: { name: 'strict', extends: ['rate-limited'], rules },
      })
      expect(await codes(call, 3)).toEqual([
        'rate_limit_exceeded',
        'api_key_banned',
        'api_key_banned',
      ])
      expect((await call({ operation: 'listInventory' })).retryAfter).toBe(61)
    })

    test('spec §8 rule 3: it is the key that is banned: no other plan, label or environment', async () => {
      const { call } = await open({ scenario: 'rate-limited' })
      await codes(call, 10)
      const others = [
        { key: 'sbx_pro' },
        { key: 'sbx_free_rate-limited_other' },
        { key: 'sbx_free', address: 'staging' },
      ] as const
      for (const other of others) {
        const answer = await call({ operation: 'listInventory', ...other })
        expect(answer.code, JSON.stringify(other)).toBe('rate_limit_exceeded')
      }
    })

    test.each(operationIds)(
      'spec §7: %s answers a banned key with 429 and Retry-After',
      async (operation) => {
        const { call, sandbox } = await open({ scenario: 'banned-key' })
        const answer = await call({ operation })
        expect(answer).toMatchObject({ status: 429, code: 'api_key_banned', retryAfter: 600 })
        sandbox.world.clock.advance('PT10M')
        expect((await call({ operation })).status).toBe(200)
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

async function codes(call: Call, times: number): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = []
  while (found.length < times) found.push((await call({ operation: 'listInventory' })).code)
  return found
}
