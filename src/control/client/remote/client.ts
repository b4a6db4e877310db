import { maskApiKey } from '../../../service/api-key.js'
import type { ErrorBody } from '../../../service/errors.js'
import { parseJson } from '../../../service/json.js'
import { startTimer, stopTimer } from '../../../service/timers.js'
import { readErrorField, truncate } from '../../../service/validation/message.js'
import type { ControlOperation } from '../../operation.js'
import {
  type ControlBody,
  type ControlOperationId,
  type ControlResult,
  controlOperations,
} from '../../operations.js'
import { createForeignError, RemoteError, type RemoteErrorCode, toAdvice } from './error.js'
import { type ControlTarget, toControlRequest } from './request.js'

/** A function with the parameters of the global `fetch` that a handle needs. */
export type RemoteFetch = (url: string, init: RequestInit) => Promise<Response>

/** How a client reaches a world. */
export interface RemoteAccess extends ControlTarget {
  /** Root URL of the sandbox, without a trailing slash. */
  readonly url: string
  /** Base URL of the service: `{base_url}`, or `{staging_base_url}` in staging. */
  readonly baseUrl: string
  /** Value of `{quickstart_base_url}`, which belongs to production. */
  readonly quickstartBaseUrl: string
  readonly fetch: RemoteFetch
  /** Maximum time of a request, in milliseconds. */
  readonly timeoutMs: number
  /** Aborts all requests. */
  readonly signal: AbortSignal
}

/** The input of a control operation. */
export interface ControlInput<Id extends ControlOperationId = ControlOperationId> {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** Query parameters by name. Those that are undefined are not sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  readonly body?: ControlBody<Id> | undefined
}

/** What a client needs to know of an operation. A build contains nothing else of the definitions. */
const routes: Readonly<Record<string, Pick<ControlOperation, 'method' | 'path'>>> =
  controlOperations

/** Sends control requests to the world of one key. Its requests are derived from the definitions. */
export class RemoteClient {
  constructor(readonly access: RemoteAccess) {}

  /** Returns a client of the same sandbox with another key. */
  withKey(apiKey: string): RemoteClient {
    return new RemoteClient({ ...this.access, apiKey })
  }

  /** Returns a client with another key, which ends with this one and can be closed on its own. */
  fork(apiKey: string): { client: RemoteClient; close: (reason: unknown) => void } {
    const closing = new AbortController()
    const parent = this.access.signal
    const close = (reason: unknown) => {
      parent.removeEventListener('abort', onAbort)
      closing.abort(reason)
    }
    const onAbort = () => close(parent.reason)
    parent.addEventListener('abort', onAbort)
    return { client: new RemoteClient({ ...this.access, apiKey, signal: closing.signal }), close }
  }

  /**
   * Sends a request and returns the body of the response.
   *
   * @throws {RemoteError} If there is no response, an error response, or one of another server.
   */
  async send<Id extends ControlOperationId>(
    id: Id,
    input: ControlInput<Id> = {},
  ): Promise<ControlResult<Id>> {
    return this.#run(undefined, async (signal) => {
      const response = await this.#fetch(id, input, signal)
      const text = await response.text()
      const body = parseJson(text)
      if (body === undefined) throw this.#toForeignError(response)
      return body as ControlResult<Id> // derived from the same definition
    })
  }

  /**
   * Opens the stream of an operation that responds with server-sent events.
   *
   * @throws {RemoteError} Like `send`.
   */
  async open(id: ControlOperationId, signal: AbortSignal): Promise<Response> {
    return this.#run(signal, async (combined) => {
      const response = await this.#fetch(id, {}, combined)
      const type = response.headers.get('Content-Type') ?? ''
      if (response.body && type.startsWith('text/event-stream')) return response
      throw this.#toForeignError(response)
    })
  }

  /** Runs a step with a timeout, and converts its errors. */
  async #run<T>(
    signal: AbortSignal | undefined,
    step: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { url, timeoutMs } = this.access
    const timeout = new AbortController()
    const timer = startTimer(() => timeout.abort(), timeoutMs)
    const stops = signal ? [this.access.signal, signal] : [this.access.signal]
    try {
      return await step(AbortSignal.any([...stops, timeout.signal]))
    } catch (error) {
      if (error instanceof RemoteError) throw error
      for (const stop of stops) stop.throwIfAborted()
      if (!timeout.signal.aborted) throw this.#toMissingResponse(error)
      const message = `no response from ${url} within ${timeoutMs} ms`
      throw new RemoteError('timeout', message, {
        advice: 'check that the sandbox responds, or set timeoutMs',
      })
    } finally {
      stopTimer(timer)
    }
  }

  /** Sends a request and returns the response if its status is a success. */
  async #fetch(
    id: ControlOperationId,
    input: ControlInput,
    signal: AbortSignal,
  ): Promise<Response> {
    const { method = 'GET', path = '' } = routes[id] ?? {}
    const { url, init } = toControlRequest(this.access, { method, path }, input)
    const response = await this.access.fetch(url, { ...init, signal })
    if (response.ok) return response
    throw await this.#toError(response)
  }

  async #toError(response: Response): Promise<RemoteError> {
    const { status, headers, type } = response
    if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      const target = this.#mask(truncate(headers.get('Location') ?? 'another URL'))
      const advice = 'the key is not sent there; set url to the root of the sandbox itself'
      return createForeignError(this.access.url, `a redirect to ${target}`, status, advice)
    }
    const body = parseJson(await response.text())
    if (!isErrorBody(body)) return this.#toForeignError(response)
    const { code, message } = body
    const key = status === 401 ? ` (key ${maskApiKey(this.access.apiKey)})` : ''
    const retryAfterSeconds = Number(headers.get('Retry-After') ?? Number.NaN)
    return new RemoteError(
      code as RemoteErrorCode, // a code of the catalogue, or of a later version
      this.#mask(`${this.access.controlUrl} responded with ${status} ${code}${key}: ${message}`),
      {
        advice: toAdvice(code),
        status,
        ...(Number.isFinite(retryAfterSeconds) && { retryAfterSeconds }),
      },
    )
  }

  #toForeignError({ status, headers }: Response): RemoteError {
    const type = truncate(headers.get('Content-Type') ?? 'no content type')
    return createForeignError(this.access.url, this.#mask(`${status} with ${type}`), status)
  }

  #toMissingResponse(error: unknown): RemoteError {
    const cause: unknown = error instanceof Error ? error.cause : undefined
    const found =
      readErrorField(cause, 'code') ??
      readErrorField(cause, 'message') ??
      readErrorField(error, 'message')
    const reason = this.#mask(truncate(found || String(error)))
    const message = `the sandbox at ${this.access.url} could not be reached (${reason})`
    return new RemoteError('unreachable', message, {
      advice: 'start one with petstore-sandbox, or set url',
    })
  }

  /** Masks the key and the token, which a server or a proxy may repeat. */
  #mask(text: string): string {
    const { apiKey, token } = this.access
    // The key sbx_free is public, and messages name it.
    const masked = apiKey.length > 12 ? text.replaceAll(apiKey, maskApiKey(apiKey)) : text
    return token === undefined ? masked : masked.replaceAll(token, '…')
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return (
    readErrorField(value, 'code') !== undefined && readErrorField(value, 'message') !== undefined
  )
}
