import { describe, expect, test } from 'vitest'
import { operationIds } from '../../../../src/service/operations/operations.js'
import type { Suite } from '../../../support/suite.js'

/** Authorization headers that are not `Bearer <API_KEY>`. */
const notBearer: readonly [what: string, authorization: string | undefined][] = [
  ['no Authorization header', undefined],
  ['an empty header', ''],
  ['the scheme alone', 'Bearer'],
  ['the key alone', 'sbx_free'],
  ['no space', 'Bearersbx_free'],
  ['a tab in place of the space', 'Bearer\tsbx_free'],
  ['the scheme twice', 'Bearer Bearer sbx_free'],
  ['the header twice', 'Bearer sbx_free, Bearer sbx_free'],
  ['trailing text', 'Bearer sbx_free and more'],
  ['another scheme', 'Basic c2J4X2ZyZWU6'],
  ['another word', 'Token sbx_free'],
  ['a letter beyond ASCII', 'Bearer sbx_fr\u00e9e'],
]

/** Bearer tokens that are not API keys. */
const notKeys: readonly [what: string, key: string][] = [
  ['a key of another service', 'sk_live_51H8aJ2eZvKYlo2C'],
  ['the prefix alone', 'sbx_'],
  ['an unknown plan', 'sbx_platinum'],
  ['a plan in upper case', 'sbx_FREE'],
  ['upper case', 'SBX_FREE'],
  ['hyphens in place of underscores', 'sbx-free'],
  ['an underscore at its end', 'sbx_free_'],
  ['a scenario in upper case', 'sbx_free_Default'],
  ['a scenario with two hyphens', 'sbx_free_low--stock'],
  ['an empty label', 'sbx_free_default_'],
  ['a label of 65 characters', `sbx_free_default_${'x'.repeat(65)}`],
  ['a label with an underscore', 'sbx_free_default_ci_7'],
  ['a comma at its end', 'sbx_free,'],
  ['quotes', '"sbx_free"'],
  ['an unknown scenario', 'sbx_free_no-such-scenario'],
  ['an unknown scenario and a label', 'sbx_free_no-such-scenario_ci-7'],
  ['a revoked key', 'sbx_revoked'],
  ['a revoked key with scenario and label', 'sbx_revoked_default_ci-7'],
  ['a property of Object.prototype', 'constructor'],
  ['the name __proto__', '__proto__'],
  ['the name of a plan', 'free'],
]

/** Spec §5, and 401 of §7. */
export function describeAuthentication({ open, assumption }: Suite): void {
  describe('authentication', () => {
    test.each(notBearer)('spec §5: 401 missing_api_key for %s', async (_, authorization) => {
      const { send } = await open()
      const header = authorization === undefined ? { key: null } : { authorization }
      const response = await send({ operation: 'listInventory', ...header })
      expect(response).toMatchObject({ status: 401, code: 'missing_api_key' })
      expect(response.message).toContain('must be "Bearer <API_KEY>"')
      // RFC 6750, section 3.1: without a token, no error code.
      expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="petstore"')
    })

    test.each(notKeys)('spec §5: 401 invalid_api_key for %s', async (_, key) => {
      const { send } = await open()
      const response = await send({ operation: 'listInventory', key })
      expect(response).toMatchObject({ status: 401, code: 'invalid_api_key' })
      expect(response.headers.get('WWW-Authenticate')).toBe(
        'Bearer realm="petstore", error="invalid_token"',
      )
    })

    test.each([
      'sbx_free',
      'sbx_pro',
      'sbx_enterprise',
      'sbx_pro_low-stock',
      'sbx_pro_low-stock_ci-7',
      `sbx_free_default_${'Ab-9'.repeat(16)}`,
    ])('spec §5: the key %s is accepted', async (key) => {
      const { send } = await open()
      expect((await send({ operation: 'listInventory', key })).status).toBe(200)
    })

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

    test('spec §5: a key in the query or in another header is ignored', async () => {
      const { send } = await open()
      const response = await send({
        path: '/inventory?api_key=sbx_free&access_token=sbx_free',
        key: null,
        headers: { 'X-API-Key': 'sbx_free' },
      })
      expect(response).toMatchObject({ status: 401, code: 'missing_api_key' })
    })

    test('spec §5: the message of a 401 has a reason and masks the key', async () => {
      const { send } = await open()
      const secret = 'sbx_free_no-such-scenario_5ecret5ecret'
      for (const header of [
        { key: secret },
        { authorization: `bearer ${secret}` },
        { authorization: secret },
        { authorization: `Bearer ${secret} x` },
        { key: `${secret}_` },
      ]) {
        const { status, text } = await send({ operation: 'listInventory', ...header })
        expect(status).toBe(401)
        expect(text).not.toContain('5ecret')
      }
      const { message } = await send({ operation: 'listInventory', key: secret })
      expect(message).toContain('unknown scenario "no-such-scenario"')
    })

    test('spec §5: a key does not expire', async () => {
      const { send, sandbox } = await open()
      sandbox.world.clock.advance('P5000D')
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
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

    test('a key of the scenario is accepted with its plan, only as a whole', async () => {
      const key = 'shop-key-0042'
      const { send } = await open({
        scenario: { name: 'built-in', extends: ['default'], apiKeys: [{ key, plan: 'business' }] },
      })
      const response = await send({ operation: 'listInventory', key })
      expect(response).toMatchObject({ status: 200, rateLimit: { limit: 1_000, remaining: 999 } })
      for (const other of [key.slice(0, -1), `${key}x`, key.toUpperCase()]) {
        expect((await send({ operation: 'listInventory', key: other })).status).toBe(401)
      }
    })
  })
}
