import fc from 'fast-check'
import type { CommandRequest } from '../control/commands.js'

export interface BaselineRequest extends CommandRequest {
  /** Whether each character of the body is one byte. Default: UTF-8. */
  readonly isLatin1?: boolean
  /** Whether the client aborts the request while it is delayed. In process only. */
  readonly isAborted?: boolean
}

/** What differs from the request of an operation. An empty value of a header omits it. */
export interface Variation extends Partial<BaselineRequest> {
  /** Follows the path. */
  readonly suffix?: string
}

const authorizations = [
  '',
  'Bearer',
  'Bearer  sbx_free',
  'bearer sbx_free',
  'Basic c2J4X2ZyZWU6',
  'sbx_free',
  'Bearer sbx_gold',
  'Bearer sbx_revoked',
  'Bearer sbx_free_no-such-scenario',
  'Bearer SBX_FREE',
  'Bearer sbx_free_default_',
  'Bearer sbx_free+low-stock',
  `Bearer ${'x'.repeat(300)}`,
]

const headers: readonly Readonly<Record<string, string>>[] = [
  ...authorizations.map((Authorization) => ({ Authorization })),
  ...['', 'text/plain', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'json'].map(
    (type) => ({ 'Content-Type': type }),
  ),
  ...['gzip', 'identity', 'br, gzip', ''].map((encoding) => ({ 'Content-Encoding': encoding })),
  ...[
    'code=500',
    'code=401',
    'code="404"; wait=1',
    'code=200, code=404',
    'wait=60.5',
    'wait="1.5"',
    'respond-async, handling=strict',
    'handling=strict, code=999',
    'delay=2',
    'return=minimal; foo="a,b"',
    ',;=',
  ].map((Prefer) => ({ Prefer })),
  { Origin: 'https://shop.example' },
  { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'same-origin' },
  { Host: 'shop.example' },
  { 'Idempotency-Key': '"8e03978e"', 'User-Agent': 'shop/1.0', 'X-Client': 'shop' },
  { 'X-Long': 'y'.repeat(17_000) },
  Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`X-${index}`, 'a'])),
]

/** JSON texts at the limits of what a reader accepts, and beyond them. */
const jsonTexts = [
  '',
  ' ',
  '{"quantity":1e2}',
  '{"quantity":-0}',
  '{"quantity":5.0}',
  '{"quantity":5.5}',
  '{"quantity":05}',
  '{"quantity":9007199254740991}',
  '{"quantity":9007199254740993}',
  '{"quantity":1e400}',
  '{"quantity":5,"quantity":6}',
  '{"quantity":5}x',
  '{"quantity":5,}',
  '\t{ "quantity" :\r\n 5 }\n',
  '\u{feff}{"quantity":5}',
  '{"stock":{"quantity":5}}',
  '{"quant\\u0069ty":5}',
  '{"message":"\\ud800"}',
  '{"message":"\\u0000 \\"\\\\ \u{1f436}"}',
  '{"message":"a\u0001"}',
  '{"message":""}',
  '{"message":"Hi","extra":[1,2.50,"3"]}',
  '{"petId":9223372036854775807,"name":"Max","big":12345678901234567890}',
  '{"id":-9223372036854775808,"petId":"9223372036854775807"}',
  '{"petId":9223372036854775808,"name":"Max"}',
  '{"petId":1.0,"name":"Max"}',
  '["default",',
  'nul',
  '[1 2]',
  "{'a':1}",
  '[['.repeat(40) + ']]'.repeat(40),
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
]

const bytes = ['"\xff"', '{"message":"\xc3"}', '{"message":"\xed\xa0\x80"}', '\xff\xfe{\0}\0']

/** The largest bodies, and one byte more. */
const large = [
  `"${'x'.repeat(65_534)}"`,
  `"${'x'.repeat(65_535)}"`,
  `{"message":"${'é'.repeat(20_000)}"}`,
]
const huge = `"${'x'.repeat(8_388_607)}"`

const methods = ['HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']
const suffixes = ['/', '?', '?verbose=1', '?__proto__=1', '/x', '%2F', '//', '/%31', '/../clock']

const preflight = {
  method: 'OPTIONS',
  headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'PATCH' },
}

const one = <T>(values: readonly T[], toVariation: (value: T) => Variation) =>
  fc.constantFrom(...values).map(toVariation)

export const variation: fc.Arbitrary<Variation> = fc.oneof(
  { weight: 60, arbitrary: fc.constant({}) },
  { weight: 60, arbitrary: one(headers, (varied) => ({ headers: varied })) },
  { weight: 30, arbitrary: one(jsonTexts, (body) => ({ body })) },
  { weight: 10, arbitrary: one(bytes, (body) => ({ body, isLatin1: true })) },
  { weight: 10, arbitrary: one(large, (body) => ({ body })) },
  { weight: 1, arbitrary: fc.constant({ body: huge }) },
  { weight: 20, arbitrary: one(methods, (method) => ({ method })) },
  { weight: 20, arbitrary: one(suffixes, (suffix) => ({ suffix })) },
  { weight: 5, arbitrary: fc.constant(preflight) },
  { weight: 5, arbitrary: fc.constant({ isAborted: true }) },
)

export function toVariation(
  request: BaselineRequest,
  { suffix = '', ...fields }: Variation,
): BaselineRequest {
  const { body, ...varied } = { ...request, ...fields, path: request.path + suffix }
  // Fetch sends no body with these methods.
  if (body === undefined || /^(GET|HEAD)$/.test(varied.method)) return varied
  return { ...varied, body, headers: { 'Content-Type': 'application/json', ...varied.headers } }
}
