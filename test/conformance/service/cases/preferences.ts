import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../../../src/service/errors.js'
import { commonErrors } from '../../../../src/service/operations/operation.js'
import { type OperationId, operationIds } from '../../../../src/service/operations/operations.js'
import { errorsByOperation, successStatus } from '../../../support/operations.js'
import { type Suite, startMs } from '../../../support/suite.js'

/** The statuses of the operations of the specification (§4, §7), the assumptions and the server. */
const specified: Partial<Record<OperationId, readonly number[]>> = {
  listInventory: [200, 400, 401, 408, 421, 429, 431, 500, 503],
  updateInventory: [200, 400, 401, 404, 408, 413, 415, 421, 429, 431, 500, 503],
  getPet: [200, 400, 401, 404, 408, 410, 421, 429, 431, 500, 503],
  listOrders: [200, 400, 401, 408, 421, 429, 431, 500, 503],
  sendMessage: [200, 201, 202, 400, 401, 408, 413, 415, 421, 429, 431, 500, 503],
}

/** Returns the specified statuses; those of its definition for an operation that is not specified. */
function documentedStatuses(id: OperationId): readonly number[] {
  const errors = [...(errorsByOperation[id] ?? []), ...commonErrors]
  const defined = [successStatus(id), ...errors.map((code) => errorCodes[code].status)]
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

    test('an ignored status does not hide a fault', async () => {
      const { send, sandbox } = await open()
      sandbox.world.faults.add({ type: 'status', status: 503 })
      const headers = { Prefer: 'code=418' }
      const response = await send({ operation: 'listInventory', headers, expectsFault: true })
      expect(response).toMatchObject({ status: 503, code: 'service_unavailable' })
    })

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

    test('a preferred success that fails has no Preference-Applied', async () => {
      const { send } = await open()
      const headers = { Prefer: 'code=200' }
      const response = await send({ operation: 'getPet', petId: '99', headers })
      expect(response.status).toBe(404)
      expect(response.headers.has('Preference-Applied')).toBe(false)
    })

    test.each([
      ['delay=2', 2_000],
      ['delay=0.25', 250],
      ['delay=0', undefined],
      ['delay=60', 60_000],
      ['respond-async, delay=3', 3_000],
      ['DELAY="4"', 4_000],
      ['delay = 5; reason=slow', 5_000],
    ])('Prefer: %s delays the response by %s ms', async (preference, delayMs) => {
      const { send, delays } = await open()
      const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
      expect(response.status).toBe(200)
      expect(response.headers.get('Preference-Applied')).toMatch(/^delay=/)
      expect(delays).toEqual(delayMs === undefined ? [] : [delayMs])
    })

    test.each(['wait=2', 'wait=60', 'wait=0', 'handling=lenient; wait=1', 'wait=2, respond-async'])(
      'Prefer: %s does not delay: wait is an upper bound (RFC 7240, section 4.3)',
      async (preference) => {
        const { send, delays } = await open()
        const response = await send({ operation: 'listInventory', headers: { Prefer: preference } })
        expect(response.status).toBe(200)
        expect(response.headers.has('Preference-Applied')).toBe(false)
        expect(delays).toEqual([])
      },
    )

    test('code and delay can be combined', async () => {
      const { send, delays } = await open()
      const headers = { Prefer: 'delay=1, code=404' }
      const response = await send({ operation: 'getPet', headers })
      expect(response).toMatchObject({ status: 404, code: 'pet_not_found' })
      expect(response.headers.get('Preference-Applied')).toBe('code=404, delay=1')
      expect(delays).toEqual([1_000])
    })

    test('a preferred success is delayed as well', async () => {
      const { send, delays } = await open()
      const headers = { Prefer: 'code=200, delay=1' }
      const { status, headers: received } = await send({ operation: 'listInventory', headers })
      expect([status, received.get('Preference-Applied')]).toEqual([200, 'code=200, delay=1'])
      expect(delays).toEqual([1_000])
    })

    describe.each(['delay=61', 'delay=-1', 'delay=soon', 'delay', 'delay=1e1', 'delay=Infinity'])(
      'Prefer: %s',
      (preference) => {
        test('is ignored', async () => {
          const { send, delays } = await open()
          const headers = { Prefer: preference }
          const response = await send({ operation: 'listInventory', headers })
          expect(response.status).toBe(200)
          expect(response.headers.has('Preference-Applied')).toBe(false)
          expect(delays).toEqual([])
        })

        test('is rejected with handling=strict, without a delay', async () => {
          const { send, delays } = await open()
          const headers = { Prefer: `${preference}, handling=strict` }
          const response = await send({ operation: 'listInventory', headers })
          expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
          expect(response.message).toContain('delay (seconds from 0 to 60)')
          expect(response.message).toContain(`found "${preference}"`)
          expect(delays).toEqual([])
        })
      },
    )

    test.each([
      'return=minimal; foo="a, code=429"',
      'note="a, code=429"',
      'note="a; \\", code=429, \\""',
      'foo; code=429',
      'wait=1; code=429',
      'handling=lenient, handling=strict, foo',
      'code=418, code=429',
      'a b, =, ;;, ,',
      'code="429',
    ])('Prefer: %s is ignored (RFC 7240, section 2)', async (preference) => {
      const { send } = await open()
      const headers = { Prefer: preference }
      const response = await send({ operation: 'listInventory', headers })
      expect(response.status).toBe(200)
      expect(response.headers.has('Preference-Applied')).toBe(false)
    })

    test.each([
      ['note="a, b", code=429', 'code=429'],
      ['return=minimal; wait=1, code=429; x="y", foo', 'code=429'],
      ['code="429"', 'code=429'],
      ['a b, code=429', 'code=429'],
      ['handling=strict, code=429, wait=5', 'code=429, handling=strict'],
      ['Handling="strict"; x=1,, CODE=429', 'code=429, handling=strict'],
    ])('Prefer: %s applies %s', async (preference, applied) => {
      const { send } = await open()
      const headers = { Prefer: preference }
      const response = await send({ operation: 'listInventory', headers })
      expect(response.status).toBe(429)
      expect(response.headers.get('Preference-Applied')).toBe(applied)
    })

    test.each([
      ['handling=strict, foo', 'foo'],
      ['return=minimal, handling=strict', 'return=minimal'],
      ['handling=strict, note="a, code=429"', 'note=a, code=429'],
      ['handling=strict, wait=soon', 'wait=soon'],
      ['handling=strict, a b', 'a b'],
    ])('Prefer: %s is rejected because of %s', async (preference, found) => {
      const { send } = await open()
      const headers = { Prefer: preference }
      const response = await send({ operation: 'listInventory', headers })
      expect(response).toMatchObject({ status: 400, code: 'invalid_parameter' })
      expect(response.message).toContain(`found ${JSON.stringify(found)}`)
      for (const accepted of ['code (', 'delay (', 'wait (', 'handling (strict or lenient)']) {
        expect(response.message).toContain(accepted)
      }
    })

    test('the journal explains what has no effect', async () => {
      const { send, sandbox } = await open()
      const headers = { Prefer: 'wait=2, code=418, delay=61' }
      await send({ operation: 'listInventory', headers })
      expect(sandbox.world.requests.find().at(-1)?.explanation).toEqual(
        expect.arrayContaining([
          'preference wait: an upper bound, which does not delay',
          expect.stringMatching(/^preference ignored: code must be one of 200, /),
          'preference ignored: delay must be seconds from 0 to 60',
        ]),
      )
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
