import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../src/service/errors.js'
import { type OperationId, operationIds } from '../../../src/service/operations/operations.js'
import { errorsByOperation, successStatus } from '../../support/operations.js'
import { type Suite, startMs } from '../../support/suite.js'

/** The statuses of the operations of the specification (§4, §7) and the assumptions. */
const specified: Partial<Record<OperationId, readonly number[]>> = {
  listInventory: [200, 401, 429, 500],
  updateInventory: [200, 400, 401, 404, 413, 415, 429, 500],
  getPet: [200, 400, 401, 404, 410, 429, 500],
  listOrders: [200, 401, 429, 500],
  sendMessage: [200, 400, 401, 413, 415, 429, 500],
}

/** Returns the specified statuses; those of its definition for an operation that is not specified. */
function documentedStatuses(id: OperationId): readonly number[] {
  const errors = (errorsByOperation[id] ?? []).map((code) => errorCodes[code].status)
  const defined = [successStatus(id), ...errors]
  return specified[id] ?? [...new Set(defined)].sort((a, b) => a - b)
}

const offered = operationIds.flatMap((id) =>
  documentedStatuses(id).map((status) => [id, status] as const),
)

/** A client can request a response with the Prefer header (RFC 7240). */
export function describePreferences({ open }: Suite): void {
  describe('preferences', () => {
    test.each(offered)(
      '%s responds with %i if the client prefers it',
      async (operation, status) => {
        const { send } = await open()
        const response = await send({ operation, headers: { Prefer: `code=${status}` } })
        expect(response.status).toBe(status)
        expect(response.headers.get('Preference-Applied')).toBe(`code=${status}`)
        if (status < 400) return
        expect(response.json).toMatchObject({
          status,
          message: `requested by Prefer: code=${status}`,
        })
      },
    )

    test.each(operationIds)(
      '%s rejects a preferred status that it does not document',
      async (operation) => {
        const { send } = await open()
        for (const code of ['418', '201', '0200', '200.0', '', 'x', '-1', '4e2']) {
          const response = await send({ operation, headers: { Prefer: `code=${code}` } })
          expect(response, code).toMatchObject({ status: 400, code: 'invalid_parameter' })
          expect(response.message).toContain(documentedStatuses(operation).join(', '))
          expect(response.headers.has('Preference-Applied')).toBe(false)
        }
      },
    )

    test('a preferred 429 is like a real one and charges one request', async () => {
      const { send } = await open()
      await send({ operation: 'listInventory' })
      const response = await send({ operation: 'listInventory', headers: { Prefer: 'code=429' } })
      expect(response).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 60 })
      const reset = Math.ceil((startMs + 60_000) / 1000)
      expect(response.rateLimit).toEqual({ limit: 60, remaining: 0, reset })
      const next = await send({ operation: 'listInventory' })
      expect(next).toMatchObject({ status: 200, rateLimit: { remaining: 57 } })
    })

    test('a preferred error changes nothing', async () => {
      const { send, sandbox } = await open()
      const before = await send({ operation: 'listInventory' })
      await send({ operation: 'updateInventory', headers: { Prefer: 'code=500' } })
      await send({ operation: 'sendMessage', headers: { Prefer: 'code=500' } })
      expect((await send({ operation: 'listInventory' })).text).toBe(before.text)
      expect(sandbox.world.db.messageCount).toBe(0)
    })

    test('a preferred success that fails has no Preference-Applied', async () => {
      const { send } = await open()
      const headers = { Prefer: 'code=200' }
      const response = await send({ operation: 'getPet', petId: '99', headers })
      expect(response.status).toBe(404)
      expect(response.headers.has('Preference-Applied')).toBe(false)
    })

    test.each([
      ['wait=2', 2_000],
      ['wait=0.25', 250],
      ['wait=0', undefined],
      ['wait=60', 60_000],
      ['respond-async, wait=3', 3_000],
      ['WAIT="4"', 4_000],
    ])('Prefer: %s delays the response by %s ms', async (preference, delayMs) => {
      const { send, delays } = await open()
      const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
      expect(response.status).toBe(200)
      expect(delays).toEqual(delayMs === undefined ? [] : [delayMs])
    })

    test('code and wait can be combined', async () => {
      const { send, delays } = await open()
      const headers = { Prefer: 'wait=1, code=404' }
      const response = await send({ operation: 'getPet', headers })
      expect(response).toMatchObject({ status: 404, code: 'pet_not_found' })
      expect(response.headers.get('Preference-Applied')).toBe('code=404, wait=1')
      expect(delays).toEqual([1_000])
    })

    test('a preferred success is delayed as well', async () => {
      const { send, delays } = await open()
      const headers = { Prefer: 'code=200, wait=1' }
      const { status, headers: received } = await send({ operation: 'listInventory', headers })
      expect([status, received.get('Preference-Applied')]).toEqual([200, 'code=200, wait=1'])
      expect(delays).toEqual([1_000])
    })

    test.each(['wait=61', 'wait=-1', 'wait=soon', 'wait', 'wait=1e1', 'wait=Infinity'])(
      'Prefer: %s is rejected without a delay',
      async (preference) => {
        const { send, delays } = await open()
        const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
        expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
        expect(response.message).toContain('wait must be seconds from 0 to 60')
        expect(delays).toEqual([])
      },
    )

    test('an unknown preference is ignored (RFC 7240)', async () => {
      const { send } = await open()
      const headers = { Prefer: 'return=minimal; foo="a, b", handling=strict' }
      const response = await send({ operation: 'listInventory', headers })
      expect(response.status).toBe(200)
      expect(response.headers.has('Preference-Applied')).toBe(false)
    })

    test('spec §5, §8: a preference bypasses neither authentication nor the limits', async () => {
      const { send } = await open()
      const headers = { Prefer: 'code=200' }
      const spent = { operation: 'listInventory', key: 'sbx_free_rate-limited', headers } as const
      expect(await send(spent)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
      const keyless = { operation: 'listInventory', key: null, headers } as const
      expect(await send(keyless)).toMatchObject({ status: 401, code: 'missing_api_key' })
    })
  })
}
