import { describe, expect, test } from 'vitest'
import { controlRouter } from '../../src/engine/control.js'
import { serviceRouter } from '../../src/engine/route.js'
import { operationIds, operations } from '../../src/service/operations/operations.js'
import { controlOperations } from '../support/operations.js'

const unmatched = { endpoint: undefined, params: undefined }

/** Returns the methods of the operations that have a path. */
function methodsOf(path: string): string[] {
  return operationIds
    .filter((id) => operations[id].path === path)
    .map((id) => operations[id].method)
}

describe('the router of the service', () => {
  test.each([
    ['api', 'GET', '/inventory', 'listInventory', undefined],
    ['staging', 'GET', '/inventory', 'listInventory', undefined],
    ['api', 'HEAD', '/inventory', 'listInventory', undefined],
    ['api', 'PATCH', '/inventory/7', 'updateInventory', { petId: '7' }],
    ['api', 'PATCH', '/inventory/a%2Fb', 'updateInventory', { petId: 'a%2Fb' }],
    ['api', 'GET', '/pets/-1', 'getPet', { petId: '-1' }],
    ['api', 'GET', '/store/orders', 'listOrders', undefined],
    ['quickstart', 'POST', '/messages', 'sendMessage', undefined],
  ] as const)('at %s, %s %s matches %s', (address, method, path, id, params) => {
    expect(serviceRouter.route(address, method, path)).toEqual({
      endpoint: { type: 'service', id, definition: operations[id] },
      params,
      allow: [],
    })
  })

  test.each([
    ['api', 'POST', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['api', 'GET', '/inventory/7', [...methodsOf('/inventory/{petId}'), 'OPTIONS']],
    ['api', 'HEAD', '/inventory/7', [...methodsOf('/inventory/{petId}'), 'OPTIONS']],
    ['api', 'get', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['api', '', '/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['quickstart', 'GET', '/messages', ['POST', 'OPTIONS']],
  ] as const)('at %s, %s %s matches nothing; the path has %j', (address, method, path, allow) => {
    expect(serviceRouter.route(address, method, path)).toEqual({ ...unmatched, allow })
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
    ['control', '/clock'],
    ['api', '/orders/1'],
    ['quickstart', '/clock'],
    ['api', '/{petId}'],
    ['api', '/inventory/1?x=1/2'],
    ['api', '/constructor'],
  ] as const)('at %s, "%s" has no method', (address, path) => {
    for (const method of ['GET', 'PATCH', 'POST', 'OPTIONS']) {
      expect(serviceRouter.route(address, method, path)).toEqual({ ...unmatched, allow: [] })
    }
  })

  test('returns separate parameters for each request', () => {
    const first = serviceRouter.route('api', 'GET', '/pets/1')
    const second = serviceRouter.route('api', 'GET', '/pets/2')
    expect([first, second]).toMatchObject([{ params: { petId: '1' } }, { params: { petId: '2' } }])
  })
})

describe('controlRouter', () => {
  test.each([
    ['control', 'GET', '', 'getOverview', undefined],
    ['control', 'POST', '/faults', 'addFault', undefined],
    ['control', 'PUT', '/faults', 'replaceFaults', undefined],
    ['control', 'PATCH', '/orders/5', 'changeOrder', { id: '5' }],
    ['stagingControl', 'DELETE', '/orders/5', 'removeOrder', { id: '5' }],
    ['stagingControl', 'HEAD', '/pets', 'listPets', undefined],
  ] as const)(
    'at %s, %s "%s" matches the control operation %s',
    (address, method, path, id, params) => {
      const definition = controlOperations[id]
      expect(controlRouter.route(address, method, path)).toEqual({
        endpoint: { type: 'control', id, definition },
        params,
        allow: [],
      })
    },
  )

  test('returns every method of a path with several', () => {
    const { allow } = controlRouter.route('control', 'GET', '/orders/5')
    expect(allow).toEqual(['PATCH', 'DELETE', 'OPTIONS'])
    expect(controlRouter.route('stagingControl', 'PATCH', '/faults')).toEqual({
      ...unmatched,
      allow: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
    })
  })

  test.each(['/inventory', '/', '/orders/'])('"%s" has no method', (path) => {
    for (const method of ['GET', 'PATCH', 'POST', 'OPTIONS']) {
      expect(controlRouter.route('control', method, path)).toEqual({ ...unmatched, allow: [] })
    }
  })
})
