import type { PlanId } from '../service/plans.js'
import type { ReceivedResponse } from './request.js'

/** The base addresses of the specification: {base_url}, {staging_base_url}, {quickstart_base_url}. */
export const checkAddresses = ['api', 'staging', 'quickstart'] as const
export type CheckAddress = (typeof checkAddresses)[number]

/** A statement of the specification: a sentence, a list item or a table row. */
export interface Quote {
  /** Number of the section, such as `4.1`; `introduction` for the text before section 1. */
  readonly section: string
  /** As the specification has it. The cells of a table row are joined with ` | `. */
  readonly sentence: string
}

/** One observable statement of the specification, and how it is observed. */
export interface Check extends Quote {
  /** Topic and statement, such as `list-inventory.success`. Unique. */
  readonly id: string
  /** Other statements that say the same. */
  readonly restated?: readonly Quote[]
  /** Whether the check changes data, or changes data of a service that does not agree. */
  readonly writes?: boolean
  /** Whether the check uses up the rate limit of the key. */
  readonly exhausts?: boolean
  /** The address that the check needs in addition to {base_url}. */
  readonly needs?: 'staging' | 'quickstart'
  /** The plan of the key that the check needs. */
  readonly plan?: PlanId
  /** Maximum number of requests that it sends, without those that use up the limit. */
  readonly requests: number
  /**
   * Sends what a check that examines all responses of the run needs at least. Such a check runs also
   * if this fails, or if the run has ended early.
   */
  prepare?(client: CheckClient): Promise<void>
  /**
   * Sends the requests and returns what deviates.
   *
   * @throws {Skip} If the service has no state in which the statement can be observed.
   */
  run(client: CheckClient): Promise<readonly Deviation[]> | readonly Deviation[]
}

/** What a check expected and found. */
export interface Deviation {
  readonly expected: string
  readonly actual: string
  /** The exchanges that show it, in order. */
  readonly exchanges: readonly Exchange[]
}

/** A check cannot observe its statement in the current state of the service. */
export class Skip extends Error {
  override readonly name = 'Skip'
}

/**
 * How a request authenticates. `own`: `Authorization: Bearer <key>`. `unknown`: with a key that does
 * not exist. `without-scheme`: `Authorization: <key>`. `other-scheme`: `Authorization: Basic <key>`.
 * `missing`: no header.
 */
export type Credential = 'own' | 'unknown' | 'without-scheme' | 'other-scheme' | 'missing'

/** A request of a check. It never contains the key. */
export interface CheckRequest {
  /** Default: api. */
  readonly address?: CheckAddress
  /** Default: GET. */
  readonly method?: string
  /** Path below the address, with the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Default: own. */
  readonly credential?: Credential
}

/** A request and its response. */
export interface Exchange extends ReceivedResponse {
  readonly request: CheckRequest
  /** The body; undefined if it is not JSON. Integers beyond ±(2^53−1) are bigints. */
  readonly json: unknown
  /** Seconds from the start of the request to the end of the response. */
  readonly elapsedSeconds: number
}

/** Sends the requests of checks. */
export interface CheckClient {
  readonly urls: CheckUrls
  /** The plan of the key, if it is known. */
  readonly plan: PlanId | undefined
  /** The pet whose quantity checks change. Default: the first entry of the inventory. */
  readonly petId: string | undefined
  /**
   * All exchanges of the run so far, oldest first. They have the beginning of the text, and of the
   * JSON only the fields of an Error body; null for any other JSON.
   */
  readonly exchanges: readonly Exchange[]
  /**
   * Sends a request, and repeats it once after a 5xx. A response with 429 ends the run, unless
   * `mayExceed`.
   */
  send(request: CheckRequest, options?: { readonly mayExceed?: boolean }): Promise<Exchange>
  /** Returns the response to an equal request of this run, or sends it. */
  observe(request: CheckRequest, options?: { readonly maxAgeMs?: number }): Promise<Exchange>
  /**
   * Waits for a number of seconds, and says so.
   *
   * @param cause Why it waits.
   * @throws {Skip} If it is too long.
   */
  wait(seconds: number, cause: string): Promise<void>
}

/** Base URLs without a trailing slash. */
export type CheckUrls = { readonly api: string } & {
  readonly [Address in CheckAddress]?: string | undefined
}
