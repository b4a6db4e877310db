import { describe, expect, test, vi } from 'vitest'
import { errorCodes } from '../../../../src/service/errors.js'
import { operationIds } from '../../../../src/service/operations/operations.js'
import { Table } from '../../../../src/world/database/table.js'
import type { ServiceRequest } from '../../../support/client.js'
import type { Suite } from '../../../support/suite.js'

const badRequests: readonly [code: string, status: number, request: ServiceRequest][] = [
  ['missing_field', 400, { operation: 'updateInventory', json: {} }],
  ['invalid_field', 400, { operation: 'updateInventory', json: { quantity: 'x' } }],
  ['invalid_json', 400, { operation: 'updateInventory', body: '{' }],
  ['unsupported_media_type', 400, { operation: 'updateInventory', contentType: 'text/plain' }],
  ['invalid_parameter', 400, { operation: 'updateInventory', petId: 'x' }],
  ['missing_api_key', 401, { operation: 'listInventory', key: null }],
  ['invalid_api_key', 401, { operation: 'listInventory', key: 'x' }],
  ['pet_not_found', 404, { operation: 'updateInventory', petId: '99' }],
  ['pet_not_found', 404, { operation: 'getPet', petId: '99' }],
  ['route_not_found', 404, { path: '/nowhere' }],
  ['method_not_allowed', 405, { path: '/inventory', method: 'DELETE' }],
  ['operation_gone', 410, { operation: 'getPet', key: 'sbx_free_sunset-passed' }],
  ['payload_too_large', 413, { operation: 'sendMessage', body: ' '.repeat(65_537) }],
  [
    'unsupported_content_encoding',
    415,
    { operation: 'sendMessage', headers: { 'Content-Encoding': 'gzip' } },
  ],
  ['rate_limit_exceeded', 429, { operation: 'listOrders', key: 'sbx_free_rate-limited' }],
  ['api_key_banned', 429, { operation: 'listOrders', key: 'sbx_free_banned-key' }],
]

/** Spec §2 and §7: the Error body, and what reaches no operation. */
export function describeErrors({ open, assumption }: Suite): void {
  describe('errors', () => {
    assumption('A01', 'a code is in the catalogue, in snake_case, with its status', async () => {
      const { send } = await open()
      for (const [code, status, request] of badRequests) {
        const { json } = await send(request)
        expect(json).toEqual({ code, message: expect.stringMatching(/\S.{8}/), status })
        expect(errorCodes).toHaveProperty(code, expect.objectContaining({ status }))
      }
      for (const code of Object.keys(errorCodes)) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    })

    test.each(operationIds)(
      'spec §7: %s responds to a bug with an Error body without a stack',
      async (operation) => {
        const { send } = await open()
        const log = vi.spyOn(console, 'error').mockImplementation(() => {})
        const failure = new Error('an internal secret')
        const fail = () => {
          throw failure
        }
        // The databases of all replicas.
        const spies = [
          vi.spyOn(Table.prototype, 'toJson').mockImplementation(fail),
          vi.spyOn(Table.prototype, 'find').mockImplementation(fail),
          vi.spyOn(Table.prototype, 'costOf').mockImplementation(fail),
        ]
        try {
          const response = await send({ operation })
          expect(response).toMatchObject({ status: 500, code: 'internal_error' })
          expect(response.text).not.toMatch(/secret|\bat /)
          expect(log).toHaveBeenCalledWith(expect.anything(), failure)
        } finally {
          log.mockRestore()
          for (const spy of spies) spy.mockRestore()
        }
      },
    )

    assumption(
      'A18',
      'an unknown path is 404 and an unknown method 405, without key or charge',
      async () => {
        const { send } = await open()
        for (const key of [null, 'nonsense', 'sbx_free']) {
          for (const path of ['/', '/pets', '/inventory/1/stock', '/store', '/orders', '/%']) {
            const response = await send({ path, key })
            expect(response, path).toMatchObject({ status: 404, code: 'route_not_found' })
          }
          const response = await send({ path: '/inventory', method: 'POST', key })
          expect(response).toMatchObject({ status: 405, code: 'method_not_allowed' })
        }
        const { rateLimit } = await send({ operation: 'listInventory' })
        expect(rateLimit.remaining).toBe(59)
      },
    )

    assumption(
      'A16',
      'HEAD is GET without the body; paths are matched exactly as written',
      async () => {
        const { send } = await open()
        const head = await send({ operation: 'listInventory', method: 'HEAD' })
        expect(head).toMatchObject({ status: 200, text: '' })
        for (const path of [
          '/inventory/',
          '/Inventory',
          '/INVENTORY',
          '/inventory/1/',
          '//inventory',
          '/pets/',
          '/Pets/1',
          '/pets//1',
          '/store/orders/',
          '/store//orders',
          '/%69nventory',
          '/inventory%2F1',
        ]) {
          const response = await send({ path })
          expect(response, path).toMatchObject({ status: 404, code: 'route_not_found' })
        }
      },
    )
  })
}
