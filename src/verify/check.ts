import type { PlanId } from '../service/plans.js'
import { truncate } from '../service/validation/message.js'
import type { CheckRequest, Exchange } from './request.js'
import {
  describeRequest,
  describeResponse,
  describeValue,
  isRejected,
  isUnrouted,
  toObject,
} from './response.js'
import { type Session, Skip } from './session.js'

/** One observable statement of the specification, and the check that observes it. */
export interface Check {
  /** Topic and statement, such as `list-inventory.success`. Unique. */
  readonly id: string
  /**
   * The section and the exact sentence, list item or table row, such as `§4.1 Parameters: none.`. The
   * cells of a row are joined with ` | `. The text before section 1 is `§introduction`.
   */
  readonly statement: string
  /** Other statements with the same meaning. */
  readonly restated?: readonly string[]
  /**
   * If the check changes data, possibly only of a deviating service: the maximum number of its
   * requests.
   */
  readonly writes?: number
  /** Whether the check uses up the rate limit of the key. */
  readonly exhausts?: boolean
  /** The address that the check needs in addition to {base_url}. */
  readonly needs?: 'staging' | 'quickstart'
  /** The plan of the key that the check needs. */
  readonly plan?: PlanId
  /**
   * Sends the minimum requests for a check that examines all responses of the run. Such a check also
   * runs if this fails, or if the run has ended early.
   */
  prepare?(session: Session): Promise<void>
  /**
   * Sends the requests and returns the deviations.
   *
   * @throws {Skip} If the service has no state in which the statement can be observed.
   */
  run(session: Session): Promise<Deviations> | Deviations
}

/** The expected and the actual value of a check. */
export interface Deviation {
  readonly expected: string
  readonly actual: string
  /** The exchanges that show the deviation, in order. */
  readonly exchanges: readonly Exchange[]
}

export type Deviations = readonly Deviation[]

/** Returns why a check cannot use a response: `getPet responded with 404 (pet_not_found)`. */
export function toSkip(operation: string, { status, json }: Exchange): Skip {
  const code = status >= 400 ? toObject(json)?.code : undefined
  const shown = typeof code === 'string' && code !== '' ? ` (${truncate(code)})` : ''
  return new Skip(`${operation} responded with ${status}${shown}`)
}

/** Returns one deviation unless a condition is met. */
export function expectThat(
  isMet: boolean,
  expected: string,
  actual: unknown,
  ...exchanges: readonly Exchange[]
): Deviations {
  return isMet ? [] : [{ expected, actual: describeValue(actual), exchanges }]
}

/** Returns one deviation, with the response, unless a condition is met. */
export function expectResponse(exchange: Exchange, isMet: boolean, expected: string): Deviations {
  return expectThat(isMet, expected, describeResponse(exchange), exchange)
}

/** Returns one deviation unless a response has a status. */
export function expectStatus(exchange: Exchange, status: number): Deviations {
  return expectResponse(exchange, exchange.status === status, `status ${status}`)
}

/** Returns one deviation unless the status is 400 to 499. */
export function expectRejection(exchange: Exchange, what: string): Deviations {
  return expectResponse(exchange, isRejected(exchange), `a 4xx status for ${what}`)
}

/** Returns one deviation unless an operation has the method and path of a request. */
export function expectRouted(exchange: Exchange): Deviations {
  const expected = `an operation at ${describeRequest(exchange.request)}`
  return expectResponse(exchange, !isUnrouted(exchange), expected)
}

/** Returns the function of a check that expects one status of the response to each request. */
export function respondsWith(status: number, ...requests: readonly CheckRequest[]): Check['run'] {
  return async ({ observe }) => {
    const deviations: Deviation[] = []
    for (const request of requests) deviations.push(...expectStatus(await observe(request), status))
    return deviations
  }
}
