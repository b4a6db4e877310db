import { tokenHeader } from '../../service/headers.js'
import { parseJson } from '../../service/json.js'
import { readErrorField } from '../../service/validation/message.js'
import {
  type ControlBody,
  type ControlOperationId,
  type ControlQuery,
  type ControlResult,
  controlOperations,
} from '../operations.js'
import { RemoteError, type RemoteErrorCode } from './error.js'

/** A function with the parameters of the global `fetch` that a client needs. */
export type RemoteFetch = (url: string, init: RequestInit) => Promise<Response>

/** Where a client sends its requests, and as whom. */
export interface ControlTarget {
  /** URL of the control API. */
  readonly controlUrl: string
  /** Unmasked; sent in the `Authorization` header only. */
  readonly apiKey: string
  /** Sent in the `Sandbox-Token` header only. */
  readonly token?: string | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: RemoteFetch | undefined
  /** Maximum time of a request, in milliseconds. Default: none. */
  readonly timeoutMs?: number | undefined
  /** Closes the client: its requests then fail with the code `closed`. */
  readonly signal?: AbortSignal | null | undefined
  /** Words failures for the users of the client. */
  describe(
    failure: ControlFailure,
    target: ControlTarget,
  ): Pick<RemoteError, 'message' | 'advice'> & Partial<RemoteError>
}

/** What a client knows of a failed request. */
export interface ControlFailure {
  readonly code: RemoteErrorCode
  /** The message of the Error body. */
  readonly reason?: string
  /** Undefined if there was none. Its body is used. */
  readonly response?: Response
  /** Why there is no response: what `fetch` has thrown. */
  readonly error?: unknown
}

/** The input of a control operation. */
export interface ControlInput<Id extends ControlOperationId = ControlOperationId> {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string | number>> | undefined
  /** Query parameters by name. Those that are undefined are not sent. */
  readonly query?:
    | { readonly [Name in ControlQuery<Id>]?: string | number | boolean | undefined }
    | undefined
  readonly body?: ControlBody<Id> | undefined
}

/** The input of a request, with what only the sandbox itself uses. */
export interface SentInput<Id extends ControlOperationId> extends ControlInput<Id> {
  /** Body as JSON, in which an int64 stays exact. Takes precedence over `body`. */
  readonly json?: string | undefined
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
}

/** A response of a sandbox. */
export interface ControlResponse<Result> {
  /** The body as JSON. */
  readonly text: string
  readonly body: Result
  /** The body of an event stream, which is not read. */
  readonly stream: ReadableStream<Uint8Array> | null
  /** Value of the `Sandbox-World-Generation` header: larger after each restart of the world. */
  readonly generation: number
}

/** The query of a list in pages that returns all entries. */
export const wholeList = { limit: 99_999 } as const

/** Sends control requests to the world of one key. Its requests are derived from the definitions. */
export class ControlClient {
  constructor(readonly target: ControlTarget) {}

  /** Returns a client of the same sandbox with another key. */
  withKey(apiKey: string): ControlClient {
    return new ControlClient({ ...this.target, apiKey })
  }

  /**
   * Sends a request and returns the body of the response.
   *
   * @throws {RemoteError} If there is no response, an error response, or one of another server.
   */
  async send<Id extends ControlOperationId>(
    id: Id,
    input?: SentInput<Id>,
  ): Promise<ControlResult<Id>> {
    return (await this.request(id, input)).body
  }

  /** Sends a request whose result is not used. Rejects like `send`. */
  async perform<Id extends ControlOperationId>(id: Id, input?: SentInput<Id>): Promise<void> {
    await this.request(id, input)
  }

  /**
   * Sends a request and returns the response.
   *
   * @throws {RemoteError} Like `send`.
   */
  async request<Id extends ControlOperationId>(
    id: Id,
    input: SentInput<Id> = {},
  ): Promise<ControlResponse<ControlResult<Id>>> {
    const { fetch = globalThis.fetch, signal, timeoutMs } = this.target
    const timer = id !== streamId && timeoutMs ? AbortSignal.timeout(timeoutMs) : undefined
    const signals = [signal, input.signal, timer].flatMap((each) => each ?? [])
    try {
      const [url, init] = toRequest(this.target, id, input)
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
      // Only a sandbox sends this header, with each response to a valid key.
      const generation = Number(response.headers.get('Sandbox-World-Generation'))
      if (!response.ok || !generation) throw this.toError(await readFailure(response))
      const { body: stream } = response
      const text = id === streamId ? 'null' : await response.text()
      const body = parseJson(text) as ControlResult<Id> | undefined // of the same definition
      if (body === undefined) throw this.toError({ code: 'foreign_response', response })
      return { text, body, stream, generation }
    } catch (error) {
      if (error instanceof RemoteError) throw error
      input.signal?.throwIfAborted()
      const code = signal?.aborted ? 'closed' : timer?.aborted ? 'timeout' : 'unreachable'
      throw this.toError({ code, error })
    }
  }

  /** Returns the error for a failure, in the words of the target. */
  toError(failure: ControlFailure): RemoteError {
    const { message, ...details } = this.target.describe(failure, this.target)
    return new RemoteError(failure.code, message, { status: failure.response?.status, ...details })
  }
}

/** The operation that responds with server-sent events. */
const streamId: ControlOperationId = 'streamEvents'

/** Reads why a response is not a success of a sandbox. */
async function readFailure(response: Response): Promise<ControlFailure> {
  const body = parseJson(await response.text())
  const code = readErrorField(body, 'code')
  const reason = readErrorField(body, 'message')
  if (response.ok || !code || !reason) return { code: 'foreign_response', response }
  return { code: code as RemoteErrorCode, reason, response } // of the catalogue, or a later version
}

/** Returns the arguments of `fetch`. */
function toRequest<Id extends ControlOperationId>(
  { controlUrl, apiKey, token }: ControlTarget,
  id: Id,
  { params = {}, query = {}, body, json = JSON.stringify(body) }: SentInput<Id>,
): Parameters<RemoteFetch> {
  const { method, path } = controlOperations[id]
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value))
  }
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    ...(token !== undefined && { [tokenHeader]: token }),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
  }
  // The key must not reach another server.
  const init = { method, headers, body: json ?? null, redirect: 'manual' } as const
  return [`${controlUrl}${filled}?${search}`.replace(/\?$/, ''), init]
}
