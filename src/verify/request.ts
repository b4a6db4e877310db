/** A request as it is sent. */
export interface SentRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Maximum size of the body of the response. Default: 16 MiB. */
  readonly maximumBytes?: number
}

/** A complete response. */
export interface ReceivedResponse {
  readonly status: number
  /** Names are in lower case. Repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** Whether the body contained an API key, which is masked. Default: false. */
  readonly isMasked?: boolean
}

/**
 * Sends a request without following redirects.
 *
 * @throws {RequestFailure} If there is no complete response.
 */
export type Send = (
  request: SentRequest,
  signal: AbortSignal | undefined,
) => Promise<ReceivedResponse>

/** A request has no complete response, such as after a timeout. The message is one line. */
export class RequestFailure extends Error {
  override readonly name = 'RequestFailure'
}
