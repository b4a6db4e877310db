import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlOperationId,
  type ControlOperations,
  type ControlResult,
  controlOperations,
} from '../../control/operations.js'
import { maskApiKey } from '../../service/api-key.js'
import type { ErrorCode } from '../../service/errors.js'
import { parseJson } from '../../service/json.js'
import { errorSchema } from '../../service/response-schemas.js'
import { toPlainLine } from '../../service/validation/message.js'
import { UsageError } from '../../service/validation/usage-error.js'
import { validate } from '../../service/validation/validate.js'
import { readPages } from './read-pages.js'
import { type ControlTarget, toControlRequest } from './remote/request.js'

/** The world that a client controls. */
export interface WorldAccess extends ControlTarget {
  /** Root URL of the sandbox, without a trailing slash. */
  readonly url: string
}

/** The input of a control operation. The sandbox validates the query and the body. */
export interface ControlInput<Id extends ControlOperationId> {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>
  /** Query parameters by name; those that are undefined are not sent. */
  readonly query?: { readonly [Name in QueryName<Id>]?: string | undefined }
  readonly body?: unknown
}

type QueryName<Id extends ControlOperationId> =
  ControlOperations[Id] extends ControlOperation<infer Query, infer _Body, infer _Result>
    ? Extract<keyof NonNullable<Query>, string>
    : never

/** Timeout of a request, in milliseconds. Starting a scenario with many pets takes 1 to 2 seconds. */
const timeoutMs = 30_000

/** An HTTP client of the control API. Its requests are derived from the control operations. */
export class WorldClient {
  readonly #access: WorldAccess
  readonly #help: string

  /** @param help Command line that prints the help of the running command. */
  constructor(access: WorldAccess, help: string) {
    this.#access = access
    this.#help = help
  }

  /** Root URL of the sandbox. */
  get url(): string {
    return this.#access.url
  }

  /**
   * Sends a control request and returns the body of the response; undefined if it has none.
   *
   * @throws {UsageError} If there is no response, an error response, or one with an unexpected body.
   */
  async send<Id extends ControlOperationId>(
    id: Id,
    input: ControlInput<Id> = {},
  ): Promise<ControlResult<Id>> {
    const operation: ControlOperation = controlOperations[id]
    const response = await this.#fetch(operation, input, AbortSignal.timeout(timeoutMs))
    const text = await this.#attempt(() => response.text())
    return this.#readBody(operation, text, response) as ControlResult<Id> // it matches the schema
  }

  /**
   * Reads all pages of a list.
   *
   * @throws {UsageError} Like `send`.
   */
  list(id: ControlOperationId, idField: string): Promise<Readonly<Record<string, unknown>>[]> {
    return readPages(idField, async (page) => {
      const records = await this.send(id, page)
      return records as Readonly<Record<string, unknown>>[] // it matches the schema of a list
    })
  }

  /**
   * Opens the stream of a control operation that responds with server-sent events.
   *
   * @throws {UsageError} Like `send`.
   */
  async open(id: ControlOperationId, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#fetch(controlOperations[id], {}, signal)
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (isStream && response.body) return response.body
    throw toForeignResponse(this.url, response)
  }

  #readBody(operation: ControlOperation, text: string, response: Response): unknown {
    const { status = 200, body, mediaType = 'application/json' } = operation.response
    if (!body && response.status === status && text === '') return undefined
    const value = mediaType === 'application/json' ? parseJson(text) : text
    if (body && validate(body.documentedSchema ?? body.schema, value).ok) return value
    throw toForeignResponse(this.url, response)
  }

  /** Sends a request and returns the response if its status is a success. */
  async #fetch(
    operation: ControlOperation,
    input: ControlInput<ControlOperationId>,
    signal: AbortSignal,
  ): Promise<Response> {
    const { url, init } = toControlRequest(this.#access, operation, input)
    const response = await this.#attempt(() => fetch(url, { ...init, signal }))
    if (response.ok) return response
    throw this.#toFailure(parseJson(await this.#attempt(() => response.text())), response)
  }

  async #attempt<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      throw toMissingResponse(this.url, error)
    }
  }

  /** Converts an error response to a failure with the next step. */
  #toFailure(body: unknown, response: Response): UsageError {
    const result = validate(errorSchema, body)
    if (!result.ok) return toForeignResponse(this.url, response)
    const { code, message } = result.value
    const steps: Readonly<Record<string, string>> = nextSteps
    const nextStep = Object.hasOwn(steps, code) ? steps[code] : `see ${this.#help}`
    const key = response.status === 401 ? ` for the key ${maskApiKey(this.#access.apiKey)}` : ''
    const reason = toPlainLine(message.replaceAll(/\s*\n\s*/g, '; '))
    return new UsageError(`${toPlainLine(code)}${key}: ${reason}; ${nextStep}`)
  }
}

const wantedUrl = '--url must be the root of a sandbox such as http://127.0.0.1:4010'
const wantedKey = 'petstore-sandbox key prints a key; set it with --key or PETSTORE_SANDBOX_KEY'

/** The next step after an error. Default: the help of the command. */
const nextSteps: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied:
    'set the key of a world of your own with --key, or the token of the sandbox with --token',
  invalid_scenario:
    'petstore-sandbox world scenarios lists the known ones, petstore-sandbox check FILE checks a file',
  pet_not_found: 'petstore-sandbox world pets lists the pets',
  resource_not_found: 'petstore-sandbox world orders lists the orders',
  route_not_found: wantedUrl,
  method_not_allowed: wantedUrl,
  sandbox_capacity: 'petstore-sandbox world reset removes the added records of this world',
  internal_error: 'see the log of the sandbox',
}

/** Returns the failure for a request without a complete response. */
function toMissingResponse(url: string, error: unknown): UsageError {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new UsageError(`no response from ${url} within ${timeoutMs / 1_000} s; ${wantedUrl}`)
  }
  const nextStep = 'start one with petstore-sandbox, or set --url'
  return new UsageError(`no sandbox responds at ${url} (${toReason(error)}); ${nextStep}`)
}

/** Returns the failure for a response that a sandbox of this version does not send. */
function toForeignResponse(url: string, { status, headers }: Response): UsageError {
  const type = headers.get('Content-Type') ?? 'no content type'
  const found = toPlainLine(`${status} with ${type}`)
  return new UsageError(
    `the server at ${url} is not a petstore-sandbox of this version, found ${found}; ${wantedUrl}`,
  )
}

/** Returns the system's error code, such as ECONNREFUSED, which fetch wraps. */
function toReason(error: unknown): string {
  if (!(error instanceof Error)) return toPlainLine(String(error))
  const { cause } = error
  if (!(cause instanceof Error)) return toPlainLine(error.message)
  return toPlainLine('code' in cause ? String(cause.code) : cause.message)
}
