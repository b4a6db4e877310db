import type { Exchange } from './play.js'

/** A difference between the release and this build that the changelog states. */
export interface IntendedDifference {
  /** The line of the changelog. */
  readonly reason: string
  /** Returns the exchange without what differs. It is called for both builds. */
  normalize?(exchange: Exchange): Exchange
  /** Whether no build receives a request, because what it does to a world differs. */
  isLeftOut?(headers: readonly string[]): boolean
  /** Returns the JSON of a request to this build as the release takes it. */
  toReleased?(json: string): string
}

/** Two that every response has, and the length of a list of requests, which have ids. */
const changedHeaders = /^(x-request-id|access-control-expose-headers|content-length):/i

const wantedByFault = 'wanted one of type, sequence, operation, match, after, triggered'

/** The intended differences between the compared release and this build; emptied after a release. */
export const intendedDifferences: readonly IntendedDifference[] = [
  {
    reason: '`X-Request-Id` in every response, in the journal and in the log of `serve`.',
    normalize: ({ head, ...exchange }) =>
      mapTexts({ ...exchange, head: head.filter((line) => !changedHeaders.test(line)) }, (text) =>
        text
          .replace(/, X-Request-Id/g, '')
          .replace(/\\?"requestId\\?":\\?"[^"]*",/g, '')
          .replace(/,\\?"x-request-id\\?"[:,]\\?"[^"]*"/gi, ''),
      ),
  },
  {
    reason: 'Unknown preferences and unusable values of `Prefer` are ignored (RFC 7240).',
    isLeftOut: (headers) => headers.some((line) => /^Prefer: (?!code=429$)/.test(line)),
  },
  {
    reason: '`GET /sandbox/journal`: `counts`, `latestDroppedAt` are replaced by `dropped`.',
    normalize: (exchange) =>
      mapJson(exchange, '/sandbox/journal', (journal) => {
        for (const name of ['dropped', 'counts', 'latestDroppedAt', 'codes']) delete journal[name]
        return journal
      }),
  },
  {
    reason: 'The report has stricter definitions of its rules.',
    normalize: (exchange) =>
      mapJson(exchange, '/sandbox/report', ({ world, apiKey, plan, createdAt }) => ({
        world,
        apiKey,
        plan,
        createdAt,
      })),
  },
  {
    reason: 'Messages about unknown fields name the nearest known field.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text
          .replace(/[;,] did you mean \\*"[^"]*"\?/g, ',')
          .replace(/wanted a type with it: add type: '\w+'/g, wantedByFault),
      ),
  },
  {
    reason: 'The id of a control request is checked before its body.',
    normalize: (exchange) => {
      const { request, sentBody, head } = exchange
      const hasId = /\/sandbox\/(pets|orders)\//.test(request)
      const isRejected = hasId && sentBody !== '' && /\b400\b/.test(head[0] ?? '')
      return isRejected ? { ...exchange, body: '' } : exchange
    },
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
    reason: 'Faults have the further fields `retryAfterFormat`, `body`, `headers` and `clock`.',
    normalize: (exchange) =>
      mapTexts(exchange, (text) =>
        text.replace(/, (retryAfterFormat, body, headers|clock)\b/g, ''),
      ),
  },
  {
    reason: 'Keys that expire: `expiresAt` of `POST /sandbox/keys`.',
    normalize: (exchange) => mapTexts(exchange, (text) => text.replace(/, expiresAt\b/g, '')),
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

/** Returns the exchange with another JSON value in the body, if its URL contains a path. */
function mapJson(
  exchange: Exchange,
  path: string,
  map: (value: Record<string, unknown>) => unknown,
): Exchange {
  const { request, head, body } = exchange
  const isMapped =
    request.startsWith('GET ') && request.includes(path) && /\b200\b/.test(head[0] ?? '')
  return isMapped ? { ...exchange, body: JSON.stringify(map(JSON.parse(body))) } : exchange
}

/** Returns the exchange with another text in place of each text that is compared. */
function mapTexts(exchange: Exchange, map: (text: string) => string): Exchange {
  const { head, body, entries } = exchange
  return { ...exchange, head: head.map(map), body: map(body), entries: entries.map(map) }
}
