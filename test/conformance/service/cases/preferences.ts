import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../../src/service/errors.js'
import { commonErrors } from '../../../../src/service/operations/operation.js'
import { type OperationId, operationIds } from '../../../../src/service/operations/operations.js'
import { errorsByOperation, successStatus } from '../../../support/operations.js'
import { type Suite, startMs } from '../../../support/suite.js'

function documentedStatuses(id: OperationId): readonly number[] {
  const errors = [...(errorsByOperation[id] ?? []), ...commonErrors]
  const statuses = [successStatus(id), ...errors.map((code) => errorCodes[code].status)]
  if (id === 'sendMessage') statuses.push(201, 202) // which a scenario can set (A10)
  return [...new Set(statuses)].sort((a, b) => a - b)
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
      '%s ignores a preferred status that it does not document (RFC 7240, section 2)',
      async (operation) => {
        const { send } = await open()
        for (const code of ['418', '299', '0200', '200.0', '', 'x', '-1', '4e2']) {
          const response = await send({ operation, headers: { Prefer: `code=${code}` } })
          expect(response.status, code).toBe(successStatus(operation))
          expect(response.headers.has('Preference-Applied')).toBe(false)
        }
      },
    )

    test.each(operationIds)(
      'with handling=strict, %s rejects a status that it does not document, and lists the others',
      async (operation) => {
        const { send } = await open()
        const headers = { Prefer: 'handling=strict, code=418' }
        const response = await send({ operation, headers })
        expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
        expect(response.message).toContain(documentedStatuses(operation).join(', '))
        expect(response.headers.has('Preference-Applied')).toBe(false)
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
      expect(sandbox.world.db.messages.count).toBe(0)
    })

    test.each([
      ['delay=0.25', 250],
      ['respond-async, delay=60', 60_000],
      ['DELAY="4"; reason=slow', 4_000],
    ])('Prefer: %s delays the response by %i ms', async (preference, delayMs) => {
      const { send, delays } = await open()
      const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
      expect(response.status).toBe(200)
      expect(response.headers.get('Preference-Applied')).toMatch(/^delay=/)
      expect(delays).toEqual([delayMs])
    })

    test.each(['wait=2', 'wait=2, respond-async', 'delay=61', 'delay=soon', 'x="a, code=429"'])(
      'Prefer: %s has no effect (RFC 7240, sections 2 and 4.3)',
      async (preference) => {
        const { send, delays } = await open()
        const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
        expect(response.status).toBe(200)
        expect(response.headers.has('Preference-Applied')).toBe(false)
        expect(delays).toEqual([])
      },
    )

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
