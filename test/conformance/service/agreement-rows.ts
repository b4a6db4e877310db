import { startMs } from '../../support/suite.js'
import type {
  ReceivedResponse,
  SentRequest,
  ServiceAddress,
  Transport,
} from '../../support/transport.js'

/** A request: address, method, path, headers and body. */
type Row = readonly [
  address: ServiceAddress,
  method: string,
  path: string,
  headers?: Readonly<Record<string, string | readonly string[]>>,
  body?: string,
]

const free = { Authorization: 'Bearer sbx_free' }
const json = { ...free, 'Content-Type': 'application/json' }
const keyed = (key: string) => ({ Authorization: `Bearer ${key}` })
const prefer = (preference: string) => ({ ...free, Prefer: preference })
const preflight = {
  Origin: 'https://shop.example',
  'Access-Control-Request-Method': 'PATCH',
  'Access-Control-Request-Headers': 'authorization',
}

/** Valid and invalid requests, sent in this order to one sandbox: earlier ones affect later ones. */
export const rows: readonly Row[] = [
  ['api', 'GET', '/inventory', free],
  ['api', 'HEAD', '/inventory', free],
  ['api', 'GET', '/inventory?status=sold&x=%C3%A6#top', free],
  ['api', 'OPTIONS', '/inventory', free],
  ['api', 'OPTIONS', '/inventory/1', preflight],
  ['api', 'OPTIONS', '/nowhere', preflight],
  ['api', 'OPTIONS', '/nowhere', free],
  ['api', 'PATCH', '/inventory/1', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/1', { ...json, 'Content-Type': 'text/plain' }, '{"quantity":7}'],
  [
    'api',
    'PATCH',
    '/inventory/1',
    { ...json, 'Content-Type': 'application/json;charset=utf-8' },
    '{"quantity":8}',
  ],
  ['api', 'PATCH', '/inventory/1', { ...json, 'Content-Encoding': 'gzip' }, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/1', { ...json, 'Content-Encoding': 'Identity' }, '{"quantity":8}'],
  ['api', 'PATCH', '/inventory/1', json],
  ['api', 'PATCH', '/inventory/1', json, '{"quantity":'],
  ['api', 'PATCH', '/inventory/1', json, '{}'],
  ['api', 'PATCH', '/inventory/1', json, '{"quantity":"7"}'],
  ['api', 'PATCH', '/inventory/1', json, '{"quantity":7,"størrelse":"猫"}'],
  ['api', 'PATCH', '/inventory/1', json, `{"quantity":7}${' '.repeat(65_536)}`],
  ['api', 'PATCH', '/inventory/404', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/%31', json, '{"quantity":9}'],
  ['api', 'PATCH', '/inventory/01', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/9223372036854775808', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/%E7%8C%AB', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/%', json, '{"quantity":7}'],
  ['api', 'PATCH', '/inventory/', json, '{"quantity":7}'],
  ['api', 'DELETE', '/inventory/1', free],
  ['api', 'PUT', '/inventory', json, '{"quantity":7}'],
  ['api', 'POST', '/inventory', json, `{"quantity":7}${' '.repeat(65_536)}`],
  ['api', 'PROPFIND', '/inventory', free],
  ['api', 'GET', '/pets/3', free],
  ['api', 'HEAD', '/pets/3', free],
  ['api', 'GET', '/pets/404', free],
  ['api', 'GET', '/pets/x', free],
  ['api', 'GET', '/pets/3', keyed('sbx_free_sunset-passed')],
  ['api', 'GET', '/pets/9223372036854775807', keyed('sbx_free_int64-ids')],
  ['api', 'GET', '/inventory', keyed('sbx_free_int64-ids')],
  ['api', 'GET', '/store/orders', free],
  ['api', 'GET', '/store/orders', keyed('sbx_enterprise_int64-ids')],
  ['api', 'GET', '/store/orders/', free],
  ['api', 'GET', '/Inventory', free],
  ['api', 'GET', '/inventory/1/2', free],
  ['api', 'GET', '/', free],
  ['api', 'GET', '', free],
  ['api', 'GET', '?x=1', free],
  ['api', 'GET', '/inventory//', free],
  ['api', 'GET', "/a%2Fb/~!$&'()*+,;=:@", free],
  ['api', 'GET', '/inventory', {}],
  ['api', 'HEAD', '/inventory', {}],
  ['api', 'GET', '/inventory', { Authorization: '' }],
  ['api', 'GET', '/inventory', { Authorization: 'bearer sbx_free' }],
  ['api', 'GET', '/inventory', { Authorization: 'Bearer  sbx_free' }],
  ['api', 'GET', '/inventory', { Authorization: 'Bearer sbx_free x' }],
  ['api', 'GET', '/inventory', { Authorization: 'Bearer sbx_fr\u00e9e' }],
  ['api', 'GET', '/inventory', { Authorization: ['Bearer sbx_free', 'Bearer sbx_free'] }],
  ['api', 'GET', '/inventory', { Authorization: ['Bearer sbx_free', 'Bearer sbx_pro'] }],
  ['api', 'GET', '/inventory', { ...free, Prefer: ['delay=1', 'code=401'] }],
  ['api', 'GET', '/inventory', { Authorization: 'Basic c2J4X2ZyZWU6' }],
  ['api', 'GET', '/inventory', keyed('sbx_revoked')],
  ['api', 'GET', '/inventory', keyed('sbx_free_no-such')],
  ['api', 'GET', '/inventory', keyed('constructor')],
  ['api', 'GET', '/inventory', keyed('sbx_pro_low-stock_ci-7')],
  ['staging', 'GET', '/inventory', free],
  ['staging', 'PATCH', '/inventory/2', json, '{"quantity":1}'],
  ['staging', 'GET', '/pets/2', free],
  ['staging', 'POST', '/messages', json, '{"message":"Hi"}'],
  ['quickstart', 'POST', '/messages', json, '{"message":"Hej \\u00e6 猫 \\ud83d"}'],
  ['quickstart', 'POST', '/messages', json, '{"message":5}'],
  ['quickstart', 'POST', '/messages', json, '{"text":"Hi"}'],
  ['quickstart', 'GET', '/messages', free],
  ['quickstart', 'GET', '/inventory', free],
  ['api', 'GET', '/inventory', prefer('code=429')],
  ['api', 'GET', '/inventory', prefer('code=401')],
  ['api', 'GET', '/inventory', prefer('code=418')],
  ['api', 'GET', '/inventory', prefer('code=500, delay=2')],
  ['api', 'GET', '/pets/1', prefer('delay=0.5, code=410')],
  ['api', 'GET', '/inventory', prefer('respond-async, wait=1')],
  ['api', 'GET', '/inventory', prefer('handling=strict, respond-async')],
  ['api', 'GET', '/inventory', { ...free, Accept: 'text/html', 'X-Unknown': 'æ' }],
  ['api', 'GET', '/inventory', { ...free, Cookie: 'a=b', 'If-None-Match': '*' }],
  ['api', 'GET', '/inventory', keyed('sbx_pro_nearly-limited')],
  ['api', 'GET', '/inventory', keyed('sbx_pro_nearly-limited')],
  ['api', 'GET', '/pets/1', keyed('sbx_free_rate-limited')],
  ['api', 'GET', '/store/orders', keyed('sbx_free_daily-quota-spent')],
  ['api', 'PATCH', '/inventory/1', { ...json, ...keyed('sbx_free_banned-key') }, '{"quantity":7}'],
  [
    'quickstart',
    'POST',
    '/messages',
    { ...json, ...keyed('sbx_free_banned-key') },
    '{"message":""}',
  ],
  ['api', 'GET', '/inventory', keyed('sbx_free_empty-store')],
  ['api', 'GET', '/inventory', free],
]

/** Sends all requests, one after the other, to a new sandbox. */
export async function sendRows(transport: Transport): Promise<ReceivedResponse[]> {
  const sleep = () => Promise.resolve()
  const place = await transport.open({ now: () => startMs, sleep })
  try {
    const responses: ReceivedResponse[] = []
    for (const row of rows) responses.push(await place.send(toRequest(row, place.urls)))
    return responses
  } finally {
    await place.close()
  }
}

function toRequest(row: Row, urls: Readonly<Record<ServiceAddress, string>>): SentRequest {
  const [address, method, path, headers = {}, body] = row
  return {
    method,
    url: `${urls[address]}${path}`,
    headers: Object.entries(headers).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as const),
    ),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
  }
}
