import { describe, expect, test } from 'vitest'
import type { ServiceRequest } from '../../../support/client.js'
import type { Suite } from '../../../support/suite.js'

const readable: readonly ServiceRequest[] = [
  { operation: 'listInventory' },
  { operation: 'listOrders' },
  { operation: 'getPet' },
  { operation: 'getPet', petId: '99' },
  { operation: 'getPet', petId: 'x' },
  { operation: 'listInventory', key: null },
  { operation: 'listInventory', key: 'sbx_revoked' },
  { operation: 'listOrders', key: 'sbx_free_rate-limited' },
  { operation: 'getPet', key: 'sbx_free_sunset-passed' },
  { operation: 'getPet', headers: { Prefer: 'code=500' } },
]

/** HEAD, OPTIONS and the matching of paths. */
export function describeMethods({ open, assumption, isPage }: Suite): void {
  describe('methods and paths', () => {
    test.each(readable)('HEAD responds to %j as GET does, without the body', async (request) => {
      const get = await (await open()).send(request)
      const head = await (await open()).send({ ...request, method: 'HEAD' })
      expect(head.status).toBe(get.status)
      expect(head.text).toBe('')
      expect(toComparable(head.headers)).toEqual(toComparable(get.headers))
      expect(Number(head.headers.get('Content-Length'))).toBe(new Blob([get.text]).size)
    })

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

    test.each([
      ['api', '/inventory', 'GET'],
      ['api', '/inventory/1', 'PATCH'],
      ['staging', '/pets/1', 'GET'],
      ['quickstart', '/messages', 'POST'],
    ] as const)('a page of another origin may send: %s %s %s passes preflight', async (...row) => {
      const [address, path, method] = row
      const { send } = await open()
      const { status, headers, text } = await send({
        address,
        path,
        method: 'OPTIONS',
        key: null,
        headers: {
          Origin: 'https://shop.example',
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'authorization,content-type,prefer',
        },
      })
      expect({ status, text }).toEqual({ status: 204, text: '' })
      expect(headers.get('Access-Control-Allow-Methods')?.split(', ')).toContain(method)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      // The wildcard does not include Authorization.
      expect(headers.get('Access-Control-Allow-Headers')).toBe('Authorization, *')
      expect(headers.get('Access-Control-Max-Age')).toBe('600')
    })

    test.skipIf(isPage)(
      'preflight of an unknown path succeeds, so that a page can read the 404',
      async () => {
        const { send } = await open()
        const preflight = { 'Access-Control-Request-Method': 'GET' }
        const response = await send({ path: '/nowhere', method: 'OPTIONS', headers: preflight })
        expect(response.status).toBe(204)
        expect((await send({ path: '/nowhere', method: 'OPTIONS' })).status).toBe(404)
      },
    )
  })
}

/** Omits the headers that a connection adds or omits for a response without body. */
function toComparable(headers: Headers): Record<string, string> {
  const connection = ['connection', 'keep-alive', 'transfer-encoding']
  return Object.fromEntries([...headers].filter(([name]) => !connection.includes(name)))
}
