import type { ApiRequest } from '../../src/engine/exchange.js'

/** A request for the inventory with a key of Free, which no transport has received. */
export const listRequest: ApiRequest = {
  method: 'GET',
  address: 'api',
  path: '/inventory',
  query: '',
  header: (name) => (name === 'authorization' ? 'Bearer sbx_free' : undefined),
  forEachHeader: () => {},
  isAborted: false,
  onAbort: () => {},
  readBody: () => undefined,
}
