import { unknownKey } from '../../../src/verify/request.js'
import {
  accept,
  always,
  correctUrls,
  editJson,
  error,
  on,
  onList,
  onPets,
  replaceStatus,
  setHeader,
  toEntries,
  type WrongService,
  withHeader,
  wrongServiceKey,
} from './service.js'

const otherApi = 'https://api.petstore.example/v2'

/** Services whose addresses, reads or authentication are wrong. */
export const wrongReads: readonly WrongService[] = [
  {
    does: 'is below /v2',
    check: 'base-address.version',
    urls: { api: otherApi },
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(otherApi, correctUrls.api) }),
  },
  {
    does: 'has staging at the base address',
    check: 'staging.separate',
    urls: { staging: correctUrls.api },
    start: () => (request, next) => next(request),
  },
  {
    does: 'has no orders in staging',
    check: 'staging.separate',
    start: on('GET', 'staging', '/store/orders', () => error(404, 'route_not_found')),
  },
  {
    does: 'has no pets in staging',
    check: 'staging.separate',
    start: on('GET', 'staging', '/pets/', () => error(404, 'route_not_found')),
  },
  {
    does: 'has no updateInventory in staging',
    check: 'staging.update',
    start: on('PATCH', 'staging', '/inventory/', () => error(404, 'route_not_found')),
  },
  {
    does: 'lists the inventory of staging without a key',
    check: 'staging.separate',
    start: accept('GET', '/staging', undefined),
  },
  {
    does: 'lists the inventory at /stock',
    check: 'list-inventory.path',
    start: on('GET', 'api', '/inventory', (response) =>
      response.status === 200 ? error(404, 'route_not_found', response) : response,
    ),
  },
  {
    does: 'redirects GET /store/orders to another host',
    check: 'list-orders.path',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200
        ? {
            ...withHeader(response, 'location', 'https://other.example/v1/store/orders'),
            status: 301,
            text: '',
          }
        : response,
    ),
  },
  {
    does: 'wraps the list in an object',
    check: 'list-inventory.success',
    start: onList((entries) => ({ items: entries })),
  },
  {
    does: 'lists the inventory with status 206',
    check: 'list-inventory.success',
    start: on('GET', 'api', '/inventory', (response) => replaceStatus(response, 200, 206)),
  },
  {
    does: 'lists a pet twice',
    check: 'list-inventory.one-entry-per-pet',
    start: onList((entries) => [...entries, entries[0]]),
  },
  {
    does: 'filters the list by a query parameter',
    check: 'list-inventory.no-parameters',
    start: () => async (request, next) => {
      const response = await next(request)
      return request.url.includes('status=sold')
        ? editJson(response, (entries) =>
            toEntries(entries).filter(({ status }) => status === 'sold'),
          )
        : response
    },
  },
  {
    does: 'lists the inventory without a key',
    check: 'list-inventory.missing-key',
    start: accept('GET', `${correctUrls.api}/inventory`, undefined),
  },
  {
    does: 'lists the inventory with any key',
    check: 'list-inventory.invalid-key',
    start: accept('GET', `${correctUrls.api}/inventory`, `Bearer ${unknownKey}`),
  },
  {
    does: 'returns ids as strings',
    check: 'inventory-item.pet-id',
    start: onList((entries) => entries.map((entry) => ({ ...entry, petId: String(entry.petId) }))),
  },
  {
    does: 'returns quantities as strings',
    check: 'inventory-item.quantity',
    start: onList((entries) =>
      entries.map((entry) => ({ ...entry, quantity: String(entry.quantity) })),
    ),
  },
  {
    does: 'returns a fraction as a quantity',
    check: 'inventory-item.quantity',
    start: onList((entries) =>
      entries.map((entry) => ({ ...entry, quantity: Number(entry.quantity) + 0.5 })),
    ),
  },
  {
    does: 'returns entries without a status',
    check: 'inventory-item.status',
    start: onList((entries) => entries.map(({ status, ...entry }) => entry)),
  },
  {
    does: 'returns the status AVAILABLE',
    check: 'pet-status.values',
    start: () => async (request, next) => {
      const response = await next(request)
      return { ...response, text: response.text.replaceAll('"available"', '"AVAILABLE"') }
    },
  },
  {
    does: 'has no GET /pets/{petId}',
    check: 'get-pet.path',
    start: onPets((response) =>
      response.status === 200 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'does not mark getPet as deprecated',
    check: 'get-pet.deprecation',
    start: onPets(setHeader('deprecation', undefined)),
  },
  {
    does: 'states no sunset date',
    check: 'get-pet.sunset',
    start: onPets(setHeader('sunset', undefined)),
  },
  {
    does: 'states the sunset date in ISO 8601',
    check: 'get-pet.sunset',
    start: onPets(setHeader('sunset', '2026-04-15')),
  },
  {
    does: 'is deprecated from next year on',
    check: 'get-pet.deprecation',
    start: onPets(setHeader('deprecation', '@1799999999')),
  },
  {
    does: 'states the deprecation in milliseconds',
    check: 'get-pet.deprecation',
    start: onPets(setHeader('deprecation', '@1700000000000')),
  },
  {
    does: 'has Deprecation: false',
    check: 'get-pet.deprecation',
    start: onPets(setHeader('deprecation', 'false')),
  },
  {
    does: 'has removed getPet before its sunset',
    check: 'get-pet.path',
    start: onPets((response) =>
      response.status === 200
        ? error(410, 'gone', withHeader(response, 'sunset', 'Fri, 31 Dec 2027 23:59:59 GMT'))
        : response,
    ),
  },
  {
    does: 'has no GET /store/orders',
    check: 'list-orders.path',
    start: on('GET', 'api', '/store/orders', (response) =>
      response.status === 200 ? error(404, 'route_not_found') : response,
    ),
  },
  {
    does: 'accepts the key without Bearer',
    check: 'authentication.bearer',
    start: accept('GET', `${correctUrls.api}/inventory`, wrongServiceKey),
  },
  {
    does: 'accepts the key in any scheme',
    check: 'authentication.bearer',
    start: accept('GET', `${correctUrls.api}/inventory`, `Basic ${wrongServiceKey}`),
  },
  {
    does: 'lists orders without a key',
    check: 'authentication.every-operation',
    start: accept('GET', '/store/orders', undefined),
  },
  {
    does: 'returns pets without a key',
    check: 'authentication.every-operation',
    start: accept('GET', '/pets/', undefined),
  },
  {
    does: 'lists orders with any key',
    check: 'authentication.every-operation',
    start: accept('GET', '/store/orders', `Bearer ${unknownKey}`),
  },
  {
    does: 'returns pets with any key',
    check: 'authentication.every-operation',
    start: accept('GET', '/pets/', `Bearer ${unknownKey}`),
  },
  {
    does: 'returns 403 in place of 401',
    check: 'list-inventory.missing-key',
    companions: [
      'authentication.bearer',
      'authentication.every-operation',
      'list-inventory.invalid-key',
      'send-message.bearer',
      'send-message.invalid-key',
      'send-message.missing-key',
      'staging.separate',
      'staging.update',
      'update-inventory.invalid-key',
      'update-inventory.missing-key',
    ],
    start: always((response) => replaceStatus(response, 401, 403)),
  },
]
