import { readDate } from '../rate-limit.js'

/** A response as it was received or recorded. */
export interface Received {
  readonly status: number
  /** The headers that are used, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Time of the response in milliseconds since the epoch, by the clock of the server. */
  readonly atMs: number
  /** Whether the body contained the API key, which is masked. */
  readonly isMasked?: boolean
}

/** The responses of a deployment from which a scenario is made. */
export interface Deployment {
  /** Base URL, which ends with the version. */
  readonly url: string
  readonly inventory: Received | undefined
  readonly orders: Received | undefined
  /** The responses of GET /pets/{petId}, by id in canonical decimal. */
  readonly pets: ReadonlyMap<string, Received>
}

/** Returns all responses of a deployment. */
export function listResponses({ inventory, orders, pets }: Deployment): readonly Received[] {
  return [inventory, orders, ...pets.values()].filter((received) => received !== undefined)
}

/** The headers that are used: of the limit, of the deprecation, and the date. */
const usedHeaders = [
  'content-type',
  'date',
  'deprecation',
  'link',
  'location',
  'retry-after',
  'sunset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

/** Maximum length of a header, in characters. */
const maximumHeader = 2_000

/**
 * Returns the headers that are used.
 *
 * @param get Returns the value of a header by its name in lower case.
 */
export function pickHeaders(
  get: (name: string) => string | undefined,
): ReadonlyMap<string, string> {
  const picked = new Map<string, string>()
  for (const name of usedHeaders) {
    const value = get(name)
    if (value !== undefined) picked.set(name, value.slice(0, maximumHeader))
  }
  return picked
}

/** Returns the time of a `Date` header in milliseconds since the epoch, or a fallback. */
export function readAtMs(headers: ReadonlyMap<string, string>, fallbackMs: number): number {
  const seconds = readDate({ headers })
  return seconds === undefined ? fallbackMs : seconds * 1000
}
