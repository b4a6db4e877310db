import { describe, expect, test } from 'vitest'
import { operationIds } from '../../../../src/service/operations/operations.js'
import type { Suite } from '../../../support/suite.js'

/**
 * Spec §5, and 401 of §7. The golden file service-authentication has the forms of headers and keys that
 * are rejected.
 */
export function describeAuthentication({ open, assumption }: Suite): void {
  describe('authentication', () => {
    test.each(operationIds)('spec §5: the scheme applies to %s', async (operation) => {
      const { send } = await open()
      const missing = await send({ operation, key: null })
      expect(missing).toMatchObject({ status: 401, code: 'missing_api_key' })
      const invalid = await send({ operation, key: 'sbx_revoked' })
      expect(invalid).toMatchObject({ status: 401, code: 'invalid_api_key' })
    })

    test('spec §5: authentication comes first: 401 despite other errors', async () => {
      const { send } = await open()
      for (const request of [
        { operation: 'updateInventory', body: '{' },
        { operation: 'updateInventory', petId: 'x' },
        { operation: 'getPet', petId: '99' },
        { operation: 'getPet', headers: { Prefer: 'handling=strict, code=418' } },
        { operation: 'getPet', headers: { Prefer: 'code=200' } },
      ] as const) {
        expect((await send({ ...request, key: null })).status).toBe(401)
      }
    })

    assumption('A22', '`Bearer`, one space and the key, exactly as written', async () => {
      const { send } = await open()
      for (const scheme of ['bearer ', 'BEARER ', 'Bearer  ', 'Bearer   ']) {
        const response = await send({
          operation: 'listInventory',
          authorization: `${scheme}sbx_free`,
        })
        expect(response, scheme).toMatchObject({ status: 401, code: 'missing_api_key' })
      }
      const accepted = await send({ operation: 'listInventory', authorization: 'Bearer sbx_free' })
      expect(accepted.status).toBe(200)
    })
  })
}
