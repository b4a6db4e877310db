import { expect, test } from 'vitest'
import { readRequestId } from '../../src/engine/response.js'
import {
  findNearestOperation,
  Router,
  type ServiceEndpoint,
  splitTarget,
  toRouteProblem,
} from '../../src/engine/route.js'
import type { AddressId } from '../../src/service/addresses.js'
import { operations } from '../../src/service/operations/operations.js'

test('a router finds an operation by its method and path, at each of its addresses', () => {
  const router = new Router<ServiceEndpoint>()
  const endpoint = { type: 'service', id: 'getPet', definition: operations.getPet } as const
  router.add(endpoint, ['api', 'staging'])
  router.add({ ...endpoint, definition: operations.updateInventory }, ['api'])
  const route = { endpoint, params: { petId: '%37' }, allow: [] }
  expect(router.route('staging', 'HEAD', '/pets/%37')).toEqual(route)
  expect(router.route('api', 'GET', '/pets/%37')).toEqual(route)
  expect(router.route('api', 'GET', '/inventory/7')).toEqual({ allow: ['PATCH', 'OPTIONS'] })
})

test.each<[address: AddressId, request: string, end: string]>([
  ['api', 'GET /inventroy', 'Production address; did you mean listInventory, GET /inventory?'],
  ['api', 'GET /INVENTORY//', 'Production address; did you mean listInventory, GET /inventory?'],
  [
    'api',
    'PATCH /inventory/-12/',
    'Production address; did you mean updateInventory, PATCH /inventory/{petId}?',
  ],
  ['staging', 'PUT /store/order', 'Staging address; did you mean listOrders, GET /store/orders?'],
  [
    'staging',
    'POST /messages',
    'Staging address; sendMessage, POST /messages, is at the Quickstart address',
  ],
  [
    'api',
    'GET /messages',
    'Production address; did you mean sendMessage, POST /messages, at the Quickstart address?',
  ],
  [
    'quickstart',
    'GET /pets/12',
    'Quickstart address; getPet, GET /pets/{petId}, is at the Production address',
  ],
  [
    'quickstart',
    'GET /pets/9223372036854775807/2',
    'Quickstart address; did you mean getPet, GET /pets/{petId}, at the Production address?',
  ],
  ['api', 'GET /unknown', 'Production address'],
])('at the address %s, %s gets the nearest operation in its message', (address, request, end) => {
  const [method = '', path = ''] = request.split(' ')
  const { message } = toRouteProblem(address, method, path, [])
  expect(message).toBe(`${request} is not an operation of the ${end}`)
})

test.each([
  [`/inventory${'/'.repeat(190)}`, 'listInventory'],
  [`/inventory${'/'.repeat(191)}`, undefined],
])('no operation is near a path with more than 200 characters', (path, nearest) => {
  expect(findNearestOperation('GET', path)).toBe(nearest)
})

test.each([
  ['/pets/1', '/pets/1', ''],
  ['/pets?a=1?b#c', '/pets', 'a=1?b'],
  ['/pets#a?b', '/pets', ''],
  ['#/pets', '', ''],
])('%s is the path "%s" and the query "%s"', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

test.each([
  ['acme-42_A.b:c/d+e=@', true],
  ['x'.repeat(128), true],
  ['x'.repeat(129), false],
  ['', false],
  ['a b', false],
  ['a\n', false],
  ['sbx_free_default_label', false],
  [undefined, false],
])('the request id %j of a client is used: %s', (id, isUsed) => {
  expect(readRequestId(id)).toBe(isUsed ? id : undefined)
})
