import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../../src/index.js'
import type { Suite } from '../../../support/suite.js'

const start = 'Thu, 01 Jan 2026 00:00:00 GMT'

/** A world whose clock is frozen at the start of 2026. */
const frozen: Scenario = {
  name: 'frozen',
  extends: ['default'],
  clock: { now: '2026-01-01T00:00:00Z', frozen: true },
}

/** The `Date` header is the time of the world, so that clients can compute waiting times. */
export function describeDate({ open }: Suite): void {
  describe('the Date header', () => {
    test('is the frozen time of the world, on errors too', async () => {
      const { send } = await open({ scenario: frozen })
      for (const request of [
        { operation: 'listInventory' },
        { operation: 'listInventory', method: 'HEAD' },
        { operation: 'listInventory', address: 'staging' },
        { operation: 'listInventory', key: null },
        { operation: 'getPet', petId: '99' },
        { operation: 'sendMessage', body: ' '.repeat(65_537) },
        { path: '/nowhere', key: null },
      ] as const) {
        expect((await send(request)).headers.get('Date')).toBe(start)
      }
    })

    test('follows the clock of the world', async () => {
      const { send, sandbox } = await open({ scenario: frozen })
      const dateOf = async (key = 'sbx_free') =>
        (await send({ operation: 'listInventory', key })).headers.get('Date')
      sandbox.world.clock.advance('P1DT1H')
      expect(await dateOf()).toBe('Fri, 02 Jan 2026 01:00:00 GMT')
      sandbox.world.clock.set('2031-07-04T12:30:59.999Z')
      expect(await dateOf()).toBe('Fri, 04 Jul 2031 12:30:59 GMT')
      expect(await dateOf('sbx_free_default_other')).toBe('Thu, 15 Jan 2026 09:00:00 GMT')
    })
  })
}
