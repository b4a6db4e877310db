import { toRawRequest } from '../client.js'
import type { Random } from '../random.js'

/**
 * Returns the bytes of a random request with one to three changes, most often one: of a value in its
 * body, or of its bytes. A request that sets faults, quotas or a scenario has a world of its own, so
 * that it affects no other request.
 */
export function generateMutation(random: Random, index: number): Buffer {
  const [line, body] = random.pick(random.chance(0.7) ? templatesWithBody : templates)
  const label = /faults|quota|scenario/.test(line) ? `own-${index}` : `shared-${index % 20}`
  const headers = [`Authorization: Bearer sbx_enterprise_default_${label}`]
  if (body !== undefined) headers.push('Content-Type: application/json')
  if (random.chance(0.2)) headers.push(random.pick(optionalHeaders))
  const count = random.pick([1, 1, 1, 2, 3])
  if (body !== undefined && random.chance(0.5)) {
    return toRawRequest(line, headers, JSON.stringify(mutateValue(random, body, count)))
  }
  let request = toRawRequest(line, headers, body === undefined ? '' : JSON.stringify(body))
  for (let made = 0; made < count; made++) {
    request = random.pick(random.pick(mutations))(random, request)
  }
  return request
}

/** Returns a copy of a JSON value in which some values or names are replaced, removed or added. */
function mutateValue(random: Random, value: unknown, count: number): unknown {
  const root = { value: structuredClone(value) }
  // Not an assignment, which would set the prototype for the name __proto__.
  const set = (object: object, key: string) =>
    Object.defineProperty(object, key, {
      value: structuredClone(random.pick(hostileValues)),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  for (let made = 0; made < count; made++) {
    const [object, key] = random.pick(listPlaces(root))
    const kind = random.int(5)
    if (object === root || kind > 1) set(object, key)
    else if (kind === 1) set(object, random.pick(hostileNames))
    else Reflect.deleteProperty(object, key)
  }
  return root.value
}

/** Returns every property in a value: the object or array, and the name or index. */
function listPlaces(value: object): (readonly [object: object, key: string])[] {
  return Object.entries(value).flatMap(([key, item]) => [
    [value, key] as const,
    ...(typeof item === 'object' && item !== null ? listPlaces(item) : []),
  ])
}

const hostileNames = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'x'.repeat(500),
  '\u0000',
  '0',
  'name',
]

const hostileValues: readonly unknown[] = [
  null,
  true,
  '',
  '5',
  -1,
  0.1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  '9223372036854775808',
  '-9223372036854775808',
  '1'.repeat(5_000),
  'a-'.repeat(5_000),
  '\ud800',
  '2026-13-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  'P999999999Y',
  [],
  [[]],
  Array.from({ length: 3_000 }, (_, index) => index),
  {},
  { toString: 1, valueOf: 2, constructor: 3 },
  nest(70),
  nest(1_000),
]

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

const pet = { petId: 77, name: 'Pip', quantity: 3, tags: ['a'] }
const clock = { now: '2026-01-01T09:00:00Z', frozen: true }
const scenario = {
  name: 'a',
  extends: 'default',
  seed: 7,
  clock,
  pets: [pet],
  quota: { free: { minute: { used: 5 } } },
  apiKeys: [{ key: 'acme-mutated-key', plan: 'pro' }],
}

/** Every operation, with request lines and valid bodies. */
const templates: readonly (readonly [line: string, body?: unknown])[] = [
  ['GET /v1/inventory'],
  ['HEAD /v1/inventory'],
  ['OPTIONS /v1/inventory'],
  ['GET /staging/v1/inventory?page=1&limit=20'],
  ['PATCH /v1/inventory/7', { quantity: 25 }],
  ['PATCH /v1/inventory/9223372036854775807', { quantity: 0 }],
  ['GET /v1/pets/7'],
  ['GET /v1/store/orders'],
  ['POST /quickstart/messages', { message: 'Hello, pets! \u{1f436}' }],
  ['GET /sandbox'],
  ['GET /sandbox/scenarios'],
  ['PUT /sandbox/scenario', 'low-stock'],
  ['PUT /sandbox/scenario', scenario],
  ['PUT /sandbox/scenario', ['default', scenario]],
  ['POST /sandbox/reset'],
  ['GET /sandbox/snapshot?name=my-snapshot'],
  ['GET /sandbox/requests?limit=5&unmatched=true'],
  ['DELETE /sandbox/requests'],
  ['GET /sandbox/clock'],
  ['PATCH /sandbox/clock', { frozen: true, advance: 'PT90S' }],
  ['PATCH /sandbox/quota', { minute: { remaining: 1 }, ban: { seconds: 30 } }],
  ['PUT /sandbox/faults', [{ type: 'status', status: 404, operation: 'getPet', atMost: 2 }]],
  ['POST /sandbox/faults', { type: 'truncate', share: 0.5, rate: 0.1 }],
  ['GET /sandbox/messages'],
  ['GET /sandbox/pets'],
  ['POST /sandbox/pets', pet],
  ['PATCH /sandbox/pets/7', { quantity: 9, extra: { deep: [1, 2, 3] } }],
  ['DELETE /sandbox/pets/7'],
  ['POST /sandbox/orders', { id: 5, petId: 7, complete: false }],
  ['POST /sandbox/keys', { plan: 'pro', scenario: 'low-stock' }],
  ['GET /'],
  ['GET /openapi.json'],
  ['GET /healthz'],
  ['HEAD /readyz'],
]

const templatesWithBody = templates.filter(([, body]) => body !== undefined)

const optionalHeaders = [
  'Prefer: code=404',
  'Idempotency-Key: 8e03978e-40d5-43dd-bc93-6894a57f9324',
  'Expect: 100-continue',
  'Accept-Encoding: gzip, br',
  'Connection: close',
  'If-None-Match: "a"',
  'Range: bytes=0-10',
  'X-Forwarded-For: 10.0.0.1, 10.0.0.2',
]

/** Header lines that conflict with others, or that are often handled wrongly. */
const hostileHeaders = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Content-Type: application/json; charset=utf-16',
  'Authorization: Basic eDp5',
  'Authorization: Bearer',
  `Authorization: Bearer ${'x'.repeat(3_000)}`,
  'Host: evil.example',
  'Host:',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Expect: 200-ok',
  'Expect: 100-continue',
  'Origin: https://shop.example',
  'Sec-Fetch-Site: cross-site',
  'Prefer: code=999',
  'Prefer: code=200, delay=x, handling=strict',
  'Trailer: X',
  'TE: trailers',
  'Cookie: a=b; a=c; =',
  'X-Empty:',
  ': no name',
  'No-Colon',
  'X\u0000: a',
  `X-Long: ${'y'.repeat(17_000)}`,
  Array.from({ length: 120 }, (_, index) => `X-${index}: a`).join('\r\n'),
]

const hostileTexts = [
  '%',
  '%00',
  '%zz',
  '%2e%2e/',
  '../',
  '//',
  '/'.repeat(300),
  '?',
  '#',
  '\u0000',
  '\r\n',
  ' ',
  '\u00ff',
  '__proto__',
  'constructor',
  '9'.repeat(400),
  '-1',
  '1e999',
  'null',
  'NaN',
  '"',
  '{',
  '['.repeat(2_000),
  '{"a":'.repeat(500),
  '\\ud800',
  '\ud83d\ude00',
  ',',
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']
const otherMethods = [
  ...methods,
  'QUERY',
  'PROPFIND',
  'M-SEARCH',
  'get',
  'G E T',
  '',
  'X'.repeat(50),
]
const versions = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 ', 'http/1.1', 'HTTP/1.10', '']
const targets = ['*', 'http://127.0.0.1/v1/inventory', '/v1/inventory HTTP/1.1', 'inventory', '/ /']

type Mutation = (random: Random, request: Buffer) => Buffer

/** Mutations by the part that they change. Each part is equally likely. */
const mutations: readonly (readonly Mutation[])[] = [
  [
    // Bytes anywhere.
    (random, request) => {
      const copy = Buffer.from(request)
      const at = random.int(copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << random.int(8))
      return copy
    },
    (random, request) => insert(random, request, Buffer.from([random.int(256), random.int(256)])),
    (random, request) => insert(random, request, Buffer.from(random.pick(hostileTexts), 'utf8')),
    (random, request) => {
      const from = random.int(request.length)
      return Buffer.concat([request.subarray(0, from), request.subarray(from + 1 + random.int(12))])
    },
    (random, request) => {
      const from = random.int(request.length)
      return insert(random, request, request.subarray(from, from + 1 + random.int(60)))
    },
    (random, request) => request.subarray(0, 1 + random.int(request.length)),
  ],
  [
    // The request line.
    (random, request) => replace(request, /^[^ ]*/, random.pick(otherMethods)),
    (random, request) => replace(request, /HTTP\/1\.1/, random.pick(versions)),
    (random, request) => replace(request, /(?<= )[^ ]+(?= )/, random.pick(targets)),
    (random, request) => replace(request, /\/[^/ ]*(?= )/, `/${random.pick(hostileTexts)}`),
    (random, request) => replace(request, / HTTP/, `?${random.pick(hostileTexts)}=1 HTTP`),
    (_, request) => replace(request, / HTTP/, `${'?a=1'.padEnd(5_000, '&a=1')} HTTP`),
  ],
  [
    // The header section.
    (random, request) => replace(request, /\r\n/, `\r\n${random.pick(hostileHeaders)}\r\n`),
    (random, request) => replace(request, /\r\n/, `\r\n${random.pick(hostileHeaders)}\r\n`),
    (_, request) => replace(request, /Host: [^\r]*\r\n/, ''),
    (random, request) =>
      replace(request, /Authorization: [^\r]*/, `Authorization: ${random.pick(hostileTexts)}`),
    (random, request) =>
      replace(request, /Content-Length: \d+/, `Content-Length: ${random.int(200)}`),
    (_, request) => replace(request, /\r\n/g, '\n'),
    (_, request) => replace(request, /: /g, ':'),
    (_, request) => replace(request, /\r\nHost/, '\r\n Host'),
  ],
  [
    // The body.
    (random, request) => replace(request, /\d+(?=\D*$)/, random.pick(hostileTexts)),
    (random, request) =>
      replace(request, /"[^"]*"(?=[^"]*$)/, random.pick(['null', '{}', '""', '1e400'])),
    (random, request) =>
      replace(request, /\r\n\r\n[\s\S]*$/, `\r\n\r\n${random.pick(hostileTexts)}`),
    (random, request) =>
      replace(request, /Content-Length: \d+\r\n\r\n([\s\S]*)$/, (_, body: string) => {
        const size = random.chance(0.8) ? body.length.toString(16) : random.pick(['0', 'zz', '-1'])
        return `Transfer-Encoding: chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`
      }),
  ],
  [
    // A second request on the same connection.
    (_, request) => Buffer.concat([request, request]),
  ],
]

function insert(random: Random, request: Buffer, bytes: Buffer): Buffer {
  const at = random.int(request.length + 1)
  return Buffer.concat([request.subarray(0, at), bytes, request.subarray(at)])
}

/** Replaces text. Each byte of the request is one character. */
function replace(
  request: Buffer,
  pattern: RegExp,
  value: string | ((...groups: string[]) => string),
): Buffer {
  const text = request.toString('latin1')
  const replaced =
    typeof value === 'string' ? text.replace(pattern, () => value) : text.replace(pattern, value)
  return Buffer.from(replaced, 'latin1')
}
