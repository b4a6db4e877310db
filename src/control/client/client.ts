import { pageSize } from '../../service/bounds.js'
import { tokenHeader } from '../../service/headers.js'
import { parseJson } from '../../service/json.js'
import { readErrorField } from '../../service/validation/message.js'
import type { ControlOperation } from '../operation.js'
import {
  type ControlBody,
  type ControlOperationId,
  type ControlQuery,
  type ControlResult,
  controlOperations,
} from '../operations.js'
import { RemoteError, type RemoteErrorCode, type RemoteErrorDetails } from './error.js'

/** A function with the parameters of the global `fetch` that a client needs. */
export type RemoteFetch = (url: string, init: RequestInit) => Promise<Response>

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

/** Words a failure of a request to a target, for the users of a client. */
export type DescribeFailure = (
  failure: ControlFailure,
  target: ControlTarget,
) => RemoteErrorDetails & { readonly message: string }

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
  /** Aborts all requests. */
  readonly signal?: AbortSignal | undefined
  readonly describe: DescribeFailure
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
  /** Value of the `Sandbox-World-Generation` header. */
  readonly generation: string
}

/** The operations that list records in pages. */
type ListId = Exclude<Extract<ControlOperationId, `list${string}`>, 'listFaults' | 'listRequests'>

/** What a client needs to know of an operation. A build contains nothing else of the definitions. */
const routes: Readonly<Record<string, Pick<ControlOperation, 'method' | 'path' | 'idField'>>> =
  controlOperations

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
    const isTimed = timeoutMs !== undefined && id !== streamId
    const timeout = isTimed ? AbortSignal.timeout(timeoutMs) : undefined
    const signals = [signal, input.signal, timeout].filter((one) => one !== undefined)
    try {
      const response = await fetch(toUrl(this.target, id, input), {
        ...toInit(this.target, id, input),
        signal: AbortSignal.any(signals),
      })
      // Only a sandbox sends this header, with each response to a valid key.
      const generation = response.headers.get('Sandbox-World-Generation')
      const { ok, body: stream } = response
      if (!ok || generation === null) throw this.toError(await readFailure(response))
      const text = id === streamId ? 'null' : await response.text()
      const body = parseJson(text)
      if (body === undefined) throw this.toError({ code: 'foreign_response', response })
      return { text, body: body as ControlResult<Id>, stream, generation } // of the same definition
    } catch (error) {
      if (error instanceof RemoteError) throw error
      signal?.throwIfAborted()
      input.signal?.throwIfAborted()
      throw this.toError({ code: timeout?.aborted ? 'timeout' : 'unreachable', error })
    }
  }

  /** Returns the error for a failure, in the words of the target. */
  toError(failure: ControlFailure): RemoteError {
    const { message, ...details } = this.target.describe(failure, this.target)
    const status = failure.response?.status
    return new RemoteError(failure.code, message, { status, ...details })
  }
}

/** The operation that responds with server-sent events. */
const streamId: ControlOperationId = 'streamEvents'

/**
 * Reads all pages of a list.
 *
 * @throws {RemoteError} Like `client.send`.
 */
export async function readPages<Id extends ListId>(
  client: ControlClient,
  id: Id,
  signal?: AbortSignal,
): Promise<ControlResult<Id>> {
  const { idField = '' } = routes[id] ?? {}
  const records: object[] = []
  let page: readonly object[]
  do {
    const last = records.at(-1)
    const query = last && { after: String(Reflect.get(last, idField)) }
    page = (await client.send<ListId>(id, { query, signal })) as object[] // it has an id field
    records.push(...page)
  } while (page.length >= pageSize)
  return records as ControlResult<Id> // pages of the same list
}

/** Reads why a response is not a success of a sandbox. */
export async function readFailure(response: Response): Promise<ControlFailure> {
  const body = parseJson(await response.text().catch(() => ''))
  const code = readErrorField(body, 'code')
  const reason = readErrorField(body, 'message')
  if (response.ok || code === undefined || reason === undefined) {
    return { code: 'foreign_response', response }
  }
  return { code: code as RemoteErrorCode, reason, response } // of the catalogue, or a later version
}

function toUrl<Id extends ControlOperationId>(
  { controlUrl }: ControlTarget,
  id: Id,
  { params = {}, query = {} }: SentInput<Id>,
): string {
  const path = controlOperations[id].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
  return controlUrl + path + search
}

function toInit<Id extends ControlOperationId>(
  { apiKey, token }: ControlTarget,
  id: Id,
  { body, json = JSON.stringify(body) }: SentInput<Id>,
): RequestInit {
  const headers: Record<string, string> = { Authorization: `Bearer ${apiKey}` }
  if (token !== undefined) headers[tokenHeader] = token
  if (json !== undefined) headers['Content-Type'] = 'application/json'
  return {
    method: controlOperations[id].method,
    headers,
    body: json ?? null,
    redirect: 'manual', // the key must not reach another server
  }
}
