import { describe, expect, test } from 'vitest'
import { operations } from '../../src/operations/operations.js'
import { type Routable, Router } from '../../src/pipeline/route.js'

const router = new Router(operations)

describe('router', () => {
  test.each([
    ['api', 'GET', '/inventory', 'listInventory', {}],
    ['staging', 'GET', '/inventory', 'listInventory', {}],
    ['api', 'HEAD', '/inventory', 'listInventory', {}],
    ['api', 'PATCH', '/inventory/7', 'updateInventory', { petId: '7' }],
    ['api', 'PATCH', '/inventory/a%2Fb', 'updateInventory', { petId: 'a%2Fb' }],
    ['api', 'GET', '/pets/-1', 'getPet', { petId: '-1' }],
    ['api', 'GET', '/store/orders', 'listOrders', {}],
    ['quickstart', 'POST', '/messages', 'sendMessage', {}],
  ] as const)('at %s, %s %s leads to %s', (address, method, path, operation, params) => {
    expect(router.route(address, method, path)).toEqual({ operation, params })
  })

  test.each([
    ['api', 'POST', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['api', 'GET', '/inventory/7', ['PATCH', 'OPTIONS']],
    ['api', 'HEAD', '/inventory/7', ['PATCH', 'OPTIONS']],
    ['api', 'get', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['api', '', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['quickstart', 'GET', '/messages', ['POST', 'OPTIONS']],
  ] as const)('at %s, %s %s leads nowhere, and the path has %j', (address, method, path, allow) => {
    expect(router.route(address, method, path)).toEqual({ operation: undefined, allow })
  })

  test.each([
    ['api', ''],
    ['api', '/'],
    ['api', 'inventory'],
    ['api', '/inventory/'],
    ['api', '//inventory'],
    ['api', '/Inventory'],
    ['api', '/pets'],
    ['api', '/pets/'],
    ['api', '/pets/1/'],
    ['api', '/store/orders/1'],
    ['api', '/messages'],
    ['staging', '/messages'],
    ['quickstart', '/inventory'],
    ['control', '/inventory'],
    ['api', '/{petId}'],
    ['api', '/inventory/1?x=1/2'],
    ['api', '/constructor'],
  ] as const)('at %s, no method has the path "%s"', (address, path) => {
    for (const method of ['GET', 'PATCH', 'POST', 'OPTIONS']) {
      expect(router.route(address, method, path)).toEqual({ operation: undefined, allow: [] })
    }
  })

  test('a path may have several methods and several parameters', () => {
    const rows: Record<string, Routable> = {
      readToy: { method: 'GET', path: '/pets/{petId}/toys/{toyId}', addresses: ['api'] },
      dropToy: { method: 'DELETE', path: '/pets/{petId}/toys/{toyId}', addresses: ['api'] },
    }
    const own = new Router(rows)
    expect(own.route('api', 'DELETE', '/pets/1/toys/2')).toEqual({
      operation: 'dropToy',
      params: { petId: '1', toyId: '2' },
    })
    expect(own.route('api', 'PUT', '/pets/1/toys/2')).toEqual({
      operation: undefined,
      allow: ['GET', 'HEAD', 'DELETE', 'OPTIONS'],
    })
  })

  test('what it finds for one request is not what it found for another', () => {
    const first = router.route('api', 'GET', '/pets/1')
    const second = router.route('api', 'GET', '/pets/2')
    expect([first, second]).toMatchObject([{ params: { petId: '1' } }, { params: { petId: '2' } }])
  })
})
