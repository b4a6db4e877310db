import type { Environment } from '../../../service/addresses.js'
import { requestIdHeader, tokenHeader } from '../../../service/headers.js'
import type { ControlBody, ControlOperationId, ControlResult } from '../../operations.js'
import { ControlFailure, type ExplainForeign, readJson, toFailure } from './failure.js'

/** Selects the world that the page shows: its key and its environment. */
export interface Access {
  readonly apiKey: string
  readonly environment: Environment
  /** Token that the sandbox requires for control requests. Absent if the user has entered none. */
  readonly token?: string
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Where the operations of the control API are. */
export interface ControlRoutes {
  /** Method and path of each control operation, by its id. */
  readonly operations: ReadonlyMap<string, ControlRoute>
  /** Base URL of the paths by environment, without a trailing slash. */
  readonly baseUrls: ReadonlyMap<Environment, string>
  /** Explains responses of other servers. Default: only that there is another server. */
  readonly explainForeign?: ExplainForeign
}

export interface ControlRoute {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
}

/** Parameters, body and signal of a control request. */
export interface ControlOptions<Id extends ControlOperationId> {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, number | string>>
  readonly query?: Readonly<Record<string, number | string>>
  readonly body?: ControlBody<Id>
  /** Body as a JSON string, in which an int64 stays exact. Takes precedence over `body`. */
  readonly json?: string
  readonly signal?: AbortSignal
}

/** Sends control requests to the world of one key. */
export class ControlClient {
  readonly #routes: ControlRoutes
  readonly #access: Access
  readonly #fetch: Fetch
  /** Generations of the world that requests of this client started. */
  readonly #startedGenerations = new Set<number>()
  #pendingStarts = 0

  constructor(routes: ControlRoutes, access: Access, fetcher: Fetch = fetch) {
    this.#routes = routes
    this.#access = access
    this.#fetch = (url, init) => fetcher(url, init)
  }

  /**
   * Sends a request and returns the body of its response, parsed as JSON; undefined for 204.
   *
   * @throws {ControlFailure} If the sandbox does not respond or responds with an error.
   */
  async send<Id extends ControlOperationId>(
    id: Id,
    options: ControlOptions<Id> = {},
  ): Promise<ControlResult<Id>> {
    const response = await this.request(id, options)
    const body = response.status === 204 ? undefined : await readJson(response)
    return body as ControlResult<Id> // both are derived from the same definition
  }

  /** Returns a client of the same sandbox that sends another key. */
  withKey(apiKey: string): ControlClient {
    return new ControlClient(this.#routes, { ...this.#access, apiKey }, this.#fetch)
  }

  /** Whether a request of this client started the generation, or may be starting it now. */
  hasStarted(generation: number): boolean {
    return this.#pendingStarts > 0 || this.#startedGenerations.has(generation)
  }

  /**
   * Sends a request and returns its response with an unread body.
   *
   * @throws {ControlFailure} If the sandbox does not respond or responds with an error.
   */
  async request<Id extends ControlOperationId>(
    id: Id,
    options: ControlOptions<Id> = {},
  ): Promise<Response> {
    if (id !== 'putScenario' && id !== 'resetWorld') return this.#request(id, options)
    this.#pendingStarts += 1
    try {
      const response = await this.#request(id, options)
      this.#startedGenerations.add(Number(response.headers.get('sandbox-world-generation')))
      return response
    } finally {
      this.#pendingStarts -= 1
    }
  }

  async #request<Id extends ControlOperationId>(
    id: Id,
    { params, query, body, json, signal }: ControlOptions<Id>,
  ): Promise<Response> {
    const { method, url } = this.#findRoute(id, params)
    const text = json ?? (body === undefined ? undefined : JSON.stringify(body))
    const { apiKey, token } = this.#access
    const search = query ? `?${new URLSearchParams(toStrings(query))}` : ''
    const response = await this.#fetch(url + search, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(token !== undefined && { [tokenHeader]: token }),
        ...(text !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw toFailure(error)
    })
    if (isExpected(response)) return response
    const content = await response.text().catch(() => '')
    const requestId = response.headers.get(requestIdHeader)
    const { explainForeign } = this.#routes
    throw ControlFailure.fromResponse(response.status, content, explainForeign, requestId)
  }

  #findRoute(
    id: string,
    params: Readonly<Record<string, number | string>> = {},
  ): { method: string; url: string } {
    const { operations, baseUrls } = this.#routes
    const { environment } = this.#access
    const route = operations.get(id)
    const baseUrl = baseUrls.get(environment)
    if (!route || baseUrl === undefined) {
      const message = `the control API does not have the operation ${id} for ${environment}`
      throw new ControlFailure('rejected', message)
    }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    )
    return { method: route.method, url: baseUrl + path }
  }
}

/** Whether a response is a success with the content type of the control API. */
function isExpected({ ok, status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  return ok && (status === 204 || /^(?:application\/json|text\/event-stream)\b/.test(type))
}

function toStrings(query: Readonly<Record<string, number | string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}
