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

    test('spec §8 rule 2: a client that waits for Retry-After is never banned', async () => {
      const { send, sandbox } = await open({ scenario: tight })
      for (let round = 0; round < 30; round++) {
        expect((await send({ operation: 'listInventory' })).status).toBe(200)
        const { code, retryAfter } = await send({ operation: 'listInventory' })
        expect(code).toBe('rate_limit_exceeded')
        sandbox.world.clock.advance(retryAfter * 1000)
      }
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
