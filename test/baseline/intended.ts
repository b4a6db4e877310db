import type { Exchange } from './exchange.js'

/** A difference between the release and this build that the changelog states. */
export interface IntendedDifference {
  /** The line of the changelog. */
  readonly reason: string
  /**
   * Returns the exchange without what differs. It is called for both builds. Undefined if nothing of
   * the exchange should be compared.
   */
  normalize?(exchange: Exchange): Exchange | undefined
  /** Whether neither build receives a request, because what it does to a world differs. */
  isLeftOut?(request: Exchange['request']): boolean
  /** Returns the JSON of a request to this build as the release takes it. */
  toReleased?(json: string): string
}

/** Two that every response has, and the length of a list of requests, which have ids. */
const changedHeaders = ['x-request-id', 'access-control-expose-headers', 'content-length']

const wantedByFault = 'wanted one of type, sequence, operation, match, after, triggered'

/** The intended differences between the compared release and this build; emptied after a release. */
export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason: 'Every response has `X-Request-Id`.',
    normalize: (exchange) =>
      mapTexts(withoutHeaders(exchange, changedHeaders), (text) =>
        text
          .replace(/^(X-Request-Id|Access-Control-Expose-Headers|Content-Length): .*\r\n/gim, '')
          .replace(/, X-Request-Id/g, '')
          // The labels of new keys, and what masks keys: the ids have drawn random bytes before.
          .replace(/(?<=_|masked-)([\da-f]{2})\1{19}\b/g, '')
          .replace(/\\?"requestId\\?":\\?"[^"]*",/g, '')
          .replace(/,\\?"x-request-id\\?":\\?"[^"]*"/g, '')
          .replace(/,\\?"X-Request-Id\\?",\\?"[^"]*"/g, ''),
      ),
  },
  {
    reason: '`Prefer` follows RFC 7240.',
    isLeftOut: (request) =>
      typeof request === 'string'
        ? /^Prefer:/im.test(request)
        : !/^(code=(200|401|429|500))?$/.test(request.headers.Prefer ?? ''),
  },
  {
    reason:
      '`GET /sandbox/journal` has `dropped` in place of `counts` and `latestDroppedAt`, and its `codes` are those of the retained entries.',
    normalize: (exchange) =>
      mapJson(exchange, '/sandbox/journal', (journal) => {
        for (const name of ['dropped', 'counts', 'latestDroppedAt', 'codes']) delete journal[name]
        return journal
      }),
  },
  {
    reason: 'A report is judged by what the client is known to have received.',
    normalize: (exchange) =>
      mapJson(exchange, '/sandbox/report', ({ world, apiKey, plan, createdAt }) => ({
        world,
        apiKey,
        plan,
        createdAt,
      })),
  },
  {
    reason: 'Messages about an unknown field name the field that was probably meant.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text
          .replace(/[;,] did you mean \\*"[^"]*"\?/g, ',')
          .replace(/wanted a type with it: add type: '\w+'/g, wantedByFault),
      ),
  },
  {
    reason: 'Lists of the control API have the parameters `limit` and `after`.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) => text.replace(/wanted one of limit, after/g, 'wanted none')),
  },
  {
    reason: 'A request target in absolute form is accepted (RFC 9112).',
    isLeftOut: (request) => typeof request === 'string' && /^\S+ http:/.test(request),
  },
  {
    reason: 'The id and the query of a control request are checked before its body.',
    normalize: (exchange) => {
      const { request, response } = exchange
      const isConcerned =
        typeof request !== 'string' &&
        request.body !== undefined &&
        response.status === 400 &&
        /\/sandbox\/((pets|orders)\/|.*\?)/.test(request.target)
      return isConcerned ? { ...exchange, response: { ...response, body: '' } } : exchange
    },
  },
  {
    reason: 'Faults have the further fields `retryAfterFormat`, `body`, `headers` and `clock`.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text.replace(/, (retryAfterFormat, body, headers|clock)\b/g, ''),
      ),
  },
  {
    reason: '`incomplete` of a journal entry names each part once.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text.replace(/(?<="incomplete\\*":\[)[^\]]*/g, (list) =>
          [...new Set(list.split(','))].join(),
        ),
      ),
  },
  {
    reason: 'The fields `times` and `after` of a fault are now `atMost` and `skip`.',
    toReleased: (json) => json.replace(/"atMost":/g, '"times":').replace(/"skip":/g, '"after":'),
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text.replace(/\btimes\b/g, 'atMost').replace(/\bafter\b/g, 'skip'),
      ),
  },
]

/** Returns the exchange with another JSON value in the body, if its target begins with a path. */
function mapJson(
  exchange: Exchange,
  path: string,
  map: (value: Record<string, unknown>) => unknown,
): Exchange {
  const { request, response } = exchange
  if (typeof request === 'string' || !request.target.includes(path)) return exchange
  if (response.status !== 200 || request.method !== 'GET') return exchange
  const body = JSON.stringify(map(JSON.parse(response.body)))
  return { ...exchange, response: { ...response, body } }
}

/** Returns the exchange without some headers of its response. */
function withoutHeaders(exchange: Exchange, names: readonly string[]): Exchange {
  const { response } = exchange
  const headers = response.headers.filter(([name]) => !names.includes(name.toLowerCase()))
  return { ...exchange, response: { ...response, headers } }
}

/** Returns the exchange with another text in place of each text that is compared. */
function mapTexts(exchange: Exchange, map: (text: string) => string): Exchange {
  const { response, entries } = exchange
  const headers = response.headers.map(([name, value]) => [name, map(value)] as const)
  return {
    ...exchange,
    response: { ...response, headers, body: map(response.body) },
    entries: entries.map(map),
  }
}
