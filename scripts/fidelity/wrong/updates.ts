import { unknownKey } from '../../../src/verify/request.js'
import {
  accept,
  acceptBodies,
  acceptStatus,
  correctUrls,
  editJson,
  error,
  type Fields,
  isUpdate,
  on,
  onQuantity,
  onUpdated,
  onUpdates,
  parse,
  type Respond,
  replaceStatus,
  toEntries,
  type WrongService,
  withOtherKey,
} from './service.js'

/** Services whose updateInventory is wrong. */
export const wrongUpdates: readonly WrongService[] = [
  {
    does: 'has updateInventory with PUT only',
    check: 'update-inventory.path',
    start: onUpdates(() => error(405, 'method_not_allowed')),
  },
  {
    does: 'returns only the quantity of an updated entry',
    check: 'update-inventory.success',
    start: onUpdated(({ quantity }) => ({ quantity })),
  },
  {
    does: 'responds to an update with 201',
    check: 'update-inventory.success',
    start: onUpdates((response) => replaceStatus(response, 200, 201)),
  },
  {
    does: 'sells a pet with each update',
    check: 'update-inventory.success',
    companions: ['update-inventory.no-status'],
    start: sellOnUpdate,
  },
  {
    does: 'responds to an update with 204 and no body',
    check: 'update-inventory.success',
    start: onUpdates((response) =>
      response.status === 200 ? { ...response, status: 204, text: '' } : response,
    ),
  },
  {
    does: 'updates a second pet too',
    check: 'update-inventory.pet-id',
    start: () => async (request, next) => {
      const response = await next(request)
      if (isUpdate(request) && response.status === 200) {
        await next(withOtherKey({ ...request, url: `${correctUrls.api}/inventory/5` }))
      }
      return response
    },
  },
  {
    does: 'sells one of another pet with each update',
    check: 'update-inventory.pet-id',
    start: () => {
      let left = 1_000
      return async (request, next) => {
        const response = await next(request)
        if (isUpdate(request) && response.status === 200) {
          const body = JSON.stringify({ quantity: left-- })
          await next(withOtherKey({ ...request, body, url: `${correctUrls.api}/inventory/5` }))
        }
        return response
      }
    },
  },
  {
    does: 'returns the id of another pet after an update',
    check: 'update-inventory.pet-id',
    start: onUpdated((item) => ({ ...item, petId: 5 })),
  },
  {
    does: 'forgets updates',
    check: 'update-inventory.quantity',
    start: () => {
      let before: unknown
      return async (request, next) => {
        const response = await next(request)
        const isList = request.url === `${correctUrls.api}/inventory`
        if (isList && before === undefined) before = toEntries(parse(response.text))[0]?.quantity
        if (isUpdate(request) && response.status === 200) {
          await next(withOtherKey({ ...request, body: JSON.stringify({ quantity: before }) }))
        }
        return response
      }
    },
  },
  {
    does: 'adds the quantity to the stock',
    check: 'update-inventory.quantity',
    start: onUpdated((item) => ({ ...item, quantity: Number(item.quantity) + 4 })),
  },
  {
    does: 'ignores the quantity 0',
    check: 'update-inventory.quantity',
    start: onQuantity((sent, before) => sent || before),
  },
  {
    does: 'does not list a pet without stock',
    check: 'update-inventory.quantity',
    start: on('GET', 'api', '/inventory', (response) =>
      response.status === 200
        ? editJson(response, (json) => toEntries(json).filter(({ quantity }) => quantity !== 0))
        : response,
    ),
  },
  {
    does: 'sets a negative quantity to 0',
    check: 'update-inventory.quantity',
    start: onQuantity((sent) => Math.max(0, sent)),
  },
  {
    does: 'stores the lower 31 bits of a quantity',
    check: 'update-inventory.quantity',
    start: onQuantity((sent) => sent & 0x7fffffff),
  },
  {
    does: 'stores the largest quantity of 32 bits for larger ones',
    check: 'update-inventory.quantity',
    start: onQuantity((sent) => Math.min(2 ** 31 - 1, sent)),
  },
  {
    does: 'stores a quantity as a float',
    check: 'update-inventory.quantity',
    start: onQuantity(Math.fround),
  },
  {
    does: 'stores no more than 1,000',
    check: 'update-inventory.quantity',
    start: onQuantity((sent) => Math.min(1_000, sent)),
  },
  {
    does: 'fails at a quantity with more than 32 bits',
    check: 'update-inventory.quantity',
    start: onUpdates((response, request) =>
      Number(parse(request.body ?? '').quantity) > 2 ** 31
        ? error(500, 'overflow', response)
        : response,
    ),
  },
  {
    does: 'lists the previous quantity',
    check: 'update-inventory.quantity',
    start: () => {
      let previous: unknown
      return async (request, next) => {
        const response = await next(request)
        const isList = request.method === 'GET' && request.url === `${correctUrls.api}/inventory`
        if (!isList || response.status !== 200) return response
        const [first, ...others] = toEntries(parse(response.text))
        const quantity = previous ?? first?.quantity
        previous = first?.quantity
        return { ...response, text: JSON.stringify([{ ...first, quantity }, ...others]) }
      }
    },
  },
  {
    does: 'returns another status than it lists',
    check: 'update-inventory.quantity',
    start: onUpdates((response, request) =>
      response.status === 200 && request.body !== '{"quantity":4}'
        ? editJson(response, (item) => ({ ...item, status: 'pending' }))
        : response,
    ),
  },
  {
    does: 'rejects a smaller quantity',
    check: 'update-inventory.uses',
    start: onQuantity((sent, before) => (sent < before ? null : sent)),
  },
  {
    does: 'accepts a status',
    check: 'update-inventory.no-status',
    start: acceptStatus,
  },
  {
    does: 'returns the status that it was sent, but does not store it',
    check: 'update-inventory.no-status',
    start: () => async (request, next) => {
      const { status, ...fields } = parse(request.body ?? '')
      if (!isUpdate(request) || status === undefined) return next(request)
      const response = await next({ ...request, body: JSON.stringify(fields) })
      return editJson(response, (item) => ({ ...item, status }))
    },
  },
  {
    does: 'updates the first pet if the petId is a word',
    check: 'update-inventory.path-parameter',
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(/inventory\/[a-z-]+$/, 'inventory/1') }),
  },
  {
    does: 'reads the digits at the start of a petId',
    check: 'update-inventory.path-parameter',
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(/(inventory\/\d+)[a-z.].*$/, '$1') }),
  },
  {
    does: 'reads a petId beyond 2^63 as the largest one',
    check: 'update-inventory.path-parameter',
    start: () => (request, next) =>
      next({ ...request, url: request.url.replace(/9223372036854775808$/, '1') }),
  },
  {
    does: 'rounds ids beyond 2^53',
    check: 'update-inventory.int64',
    key: 'sbx_free_int64-ids',
    start: onUpdates((response) => editJson(response, (item) => item)),
  },
  {
    does: 'rounds ids beyond 2^53 in the list and in updates',
    check: 'update-inventory.int64',
    companions: [
      'inventory-item.pet-id',
      'list-inventory.one-entry-per-pet',
      'update-inventory.path-parameter',
    ],
    key: 'sbx_free_int64-ids',
    start: roundIds,
  },
  ...acceptBodies('PATCH', '/inventory/', 'update-inventory.no-body', [
    ['sets the quantity to 0 without a body', undefined, '{"quantity":0}'],
  ]),
  ...acceptBodies('PATCH', '/inventory/', 'update-inventory.missing-quantity', [
    ['accepts a body without a quantity', '{}', '{"quantity":0}'],
    ['treats invalid JSON as the quantity 0', '{"quantity":', '{"quantity":0}'],
    ['treats an array as the quantity 0', '[]', '{"quantity":0}'],
    ['treats null as the quantity 0', 'null', '{"quantity":0}'],
  ]),
  {
    does: 'rejects an update without a quantity after it has set it to 0',
    check: 'update-inventory.missing-quantity',
    start: () => async (request, next) => {
      const response = await next(request)
      if (isUpdate(request) && request.body === '{}') {
        await next(withOtherKey({ ...request, body: '{"quantity":0}' }))
      }
      return response
    },
  },
  {
    does: 'converts a quantity that is a string',
    check: 'update-inventory.invalid-quantity',
    start: () => (request, next) =>
      next({ ...request, body: request.body?.replace(/"(\d+)"/, '$1') }),
  },
  ...acceptBodies('PATCH', '/inventory/', 'update-inventory.invalid-quantity', [
    ['accepts true as a quantity', '{"quantity":true}', '{"quantity":1}'],
    ['accepts false as a quantity', '{"quantity":false}', '{"quantity":0}'],
    ['accepts an empty string as a quantity', '{"quantity":""}', '{"quantity":0}'],
    ['accepts an empty array as a quantity', '{"quantity":[]}', '{"quantity":0}'],
    ['accepts an array with a number as a quantity', '{"quantity":[4]}', '{"quantity":4}'],
    ['accepts an object as a quantity', '{"quantity":{}}', '{"quantity":0}'],
    ['accepts null as a quantity', '{"quantity":null}', '{"quantity":0}'],
    ['accepts a fraction as a quantity', '{"quantity":4.5}', '{"quantity":4}'],
  ]),
  {
    does: 'rejects a string as a quantity after it has stored it',
    check: 'update-inventory.invalid-quantity',
    start: () => async (request, next) => {
      const response = await next(request)
      if (isUpdate(request) && request.body === '{"quantity":"4"}') {
        await next(withOtherKey({ ...request, body: '{"quantity":40}' }))
      }
      return response
    },
  },
  {
    does: 'returns 422 in place of 400 for updates',
    check: 'update-inventory.missing-quantity',
    companions: ['update-inventory.invalid-quantity', 'update-inventory.no-body'],
    start: onUpdates((response) => replaceStatus(response, 400, 422)),
  },
  {
    does: 'updates without a key',
    check: 'update-inventory.missing-key',
    start: accept('PATCH', `${correctUrls.api}/inventory/`, undefined),
  },
  {
    does: 'updates with any key',
    check: 'update-inventory.invalid-key',
    start: accept('PATCH', `${correctUrls.api}/inventory/`, `Bearer ${unknownKey}`),
  },
  {
    does: 'creates an entry for an unknown pet',
    check: 'update-inventory.unknown-pet',
    start: onUpdates((response) =>
      response.status === 404
        ? { ...response, status: 200, text: '{"petId":404,"quantity":1,"status":"available"}' }
        : response,
    ),
  },
  {
    does: 'returns 400 for an unknown pet',
    check: 'update-inventory.unknown-pet',
    start: onUpdates((response) => replaceStatus(response, 404, 400)),
  },
]

/** Rounds every id as `Number` does. */
function roundIds(): Respond {
  const round = (text: string) => text.replaceAll(/\d{16,}/g, (id) => String(BigInt(Number(id))))
  const exact = new Map<string, string>()
  return async (request, next) => {
    const url = request.url.replace(/\d{16,}$/, (id) => exact.get(round(id)) ?? id)
    const response = await next({ ...request, url })
    if (response.status !== 200 || !request.url.includes('/inventory')) return response
    for (const [id] of response.text.matchAll(/\d{16,}/g)) exact.set(round(id), id)
    return { ...response, text: round(response.text) }
  }
}

/** Sets the status of a pet to `sold` when it is updated. */
function sellOnUpdate(): Respond {
  const sold = new Set<unknown>()
  const sell = (item: Fields) => (sold.has(item.petId) ? { ...item, status: 'sold' } : item)
  return async (request, next) => {
    const response = await next(request)
    if (response.status !== 200 || !request.url.includes('/inventory')) return response
    return editJson(response, (json) => {
      if (Array.isArray(json)) return json.map(sell)
      sold.add(json.petId)
      return sell(json)
    })
  }
}
