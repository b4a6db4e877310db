import type { ControlOperation } from '../../control/operation.js'
import { validate } from '../../validation/validate.js'
import type { Access } from './access.js'
import { toErrorResponse, toNoResponse, toNoSandbox } from './failures.js'
import { parseJson } from './parse-json.js'

/** What goes with a call; the sandbox checks the body and says where it does not fit. */
export interface Sent {
  /** Path parameters by name. */
  readonly params?: Readonly<Record<string, string>>
  /** Without those that are undefined. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

/** How long an answer may take: a scenario of many pets takes a second or two. */
const patienceMs = 30_000

/** The control API of one world over HTTP, by the rows of the control table. */
export class WorldClient {
  readonly #access: Access
  readonly #help: string

  /** @param help The command that prints the help of what the user has called. */
  constructor(access: Access, help: string) {
    this.#access = access
    this.#help = help
  }

  /** The root of the sandbox. */
  get url(): string {
    return this.#access.url
  }

  /**
   * Calls an operation and gives what it answers, as it came.
   *
   * @throws {CliError} When nothing answers, the sandbox refuses, or what answers is no sandbox.
   */
  async send<Query, Body, Result>(
    operation: ControlOperation<Query, Body, Result>,
    sent: Sent = {},
  ): Promise<Result> {
    const response = await this.#send(operation, sent, AbortSignal.timeout(patienceMs))
    const body = parseJson(await this.#attempt(() => response.text()))
    const { response: schema } = operation
    if (schema === undefined || !validate(schema, body).ok) throw toNoSandbox(this.url, response)
    return body as Result // it fits the schema of this type
  }

  /**
   * Opens the stream of an operation that has one.
   *
   * @throws {CliError} As `call` does.
   */
  async open<Query, Body, Result>(
    operation: ControlOperation<Query, Body, Result>,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(operation, {}, signal)
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    if (isStream && response.body) return response.body
    throw toNoSandbox(this.url, response)
  }

  /** Sends a call and gives the answer if it is a success. */
  async #send<Query, Body, Result>(
    { method, path }: ControlOperation<Query, Body, Result>,
    { params = {}, query = {}, body }: Sent,
    signal: AbortSignal,
  ): Promise<Response> {
    const { controlUrl, apiKey } = this.#access
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    )
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    }
    const response = await this.#attempt(() =>
      fetch(`${controlUrl}${filled}${toSearch(query)}`, {
        method,
        headers,
        signal,
        redirect: 'manual', // the key is for this server and no other
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    if (response.ok) return response
    const answer = parseJson(await this.#attempt(() => response.text()))
    throw toErrorResponse(answer, { url: this.url, apiKey, help: this.#help, response })
  }

  async #attempt<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      throw toNoResponse(this.url, error)
    }
  }
}

function toSearch(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
