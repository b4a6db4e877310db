import { describe, expect, test } from 'vitest'
import type { ServiceRequest } from '../../../support/client.js'
import type { Suite } from '../../../support/suite.js'

const requests: readonly ServiceRequest[] = [
  { operation: 'listInventory' },
  { operation: 'updateInventory', json: {} },
  { operation: 'listInventory', key: 'sbx_free_rate-limited' },
  { operation: 'listInventory', key: null },
  { path: '/nowhere', key: null },
  { method: 'OPTIONS', path: '/inventory' },
]

const idOf = ({ headers }: { headers: Headers }) => headers.get('X-Request-Id') ?? ''

/** Every response has an id, by which a client and an operator find the same request. */
export function describeRequestIds({ open }: Suite): void {
  describe('X-Request-Id', () => {
    test.each(requests)('is that of the client: %j', async (request) => {
      const { send } = await open()
      const headers = { ...request.headers, 'X-Request-Id': 'shop/7f3a:1+2=3@x.y-z_Q' }
      expect(idOf(await send({ ...request, headers }))).toBe(headers['X-Request-Id'])
    })

    test.each(requests)('is otherwise one of the sandbox: %j', async (request) => {
      const { send } = await open()
      expect(idOf(await send(request))).toMatch(/^[\w-]{3,40}$/)
    })

    test('differs between all requests', async () => {
      const { send } = await open()
      const ids: string[] = []
      for (const request of [...requests, ...requests]) ids.push(idOf(await send(request)))
      for (const key of ['sbx_free_default_a', 'sbx_free_default_b', 'sbx_free_low-stock_a']) {
        ids.push(idOf(await send({ operation: 'listInventory', key })))
      }
      ids.push(idOf(await send({ operation: 'listInventory', address: 'staging' })))
      expect(new Set(ids).size).toBe(ids.length)
    })

    test('continues after a reset of the world', async () => {
      const { send, sandbox } = await open()
      const before = idOf(await send({ operation: 'listInventory' }))
      sandbox.world.reset()
      expect(idOf(await send({ operation: 'listInventory' }))).not.toBe(before)
    })

    test.each([
      'a'.repeat(129),
      '',
      'a b',
      'a,b',
      '<script>',
      'a"b',
      'sbx_free_default_secret-label',
    ])('is not that of a client that sends "%s"', async (sent) => {
      const { send } = await open()
      const headers = { 'X-Request-Id': sent }
      const id = idOf(await send({ operation: 'listInventory', headers }))
      expect(id).not.toBe(sent)
      expect(id).toMatch(/^[\w-]{3,40}$/)
    })

    test('is in the journal, and in its response headers', async () => {
      const { send, sandbox } = await open()
      const own = idOf(await send({ operation: 'listInventory' }))
      const headers = { 'X-Request-Id': 'shop-7' }
      await send({ operation: 'getPet', petId: '99', headers })
      const entries = sandbox.world.requests.find()
      expect(entries.map(({ requestId }) => requestId)).toEqual([own, 'shop-7'])
      expect(entries.map(({ response }) => response.headers['x-request-id'])).toEqual([
        own,
        'shop-7',
      ])
    })
  })
}
