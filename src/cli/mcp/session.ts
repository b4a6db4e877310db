import { ControlClient } from '../../control/client/client.js'
import { createDescription } from '../../control/client/describe.js'
import { platform } from '../../engine/platform.js'
import { addresses } from '../../service/addresses.js'
import { formatKey } from '../../service/api-key.js'
import { UsageError } from '../../verify/usage-error.js'
import type { Terminal } from '../terminal.js'
import type { McpOptions } from './options.js'

/** Timeout of a request, in milliseconds. Starting a scenario with many pets takes 1 to 2 seconds. */
const timeoutMs = 30_000

/** The world of one call of a tool. */
export interface ToolWorld {
  readonly client: ControlClient
  /** The {base_url} of the service, for the client under test. */
  readonly baseUrl: string
  /** The {quickstart_base_url}, for POST /messages. */
  readonly quickstartUrl: string
  /** URL of the OpenAPI document of the service. */
  readonly openapiUrl: string
  /** The snapshots of the session, by key and name. Each is the JSON of a scenario. */
  readonly snapshots: Map<string, string>
}

/** A sandbox that was reached or started, and the key of its default world. */
interface Reached {
  readonly url: string
  readonly apiKey: string
  close?(): Promise<void>
}

/** The sandbox of the command line. Without --url, it is started on the first use. */
export class Session {
  readonly #options: McpOptions
  readonly #terminal: Terminal
  readonly #snapshots = new Map<string, string>()
  readonly #closing = new AbortController()
  #starting: Promise<Reached> | undefined

  constructor(options: McpOptions, terminal: Terminal) {
    this.#options = options
    this.#terminal = terminal
  }

  /**
   * Returns the world of a key. Default: the world of the session.
   *
   * @throws {UsageError} If the sandbox cannot start.
   */
  async open(key?: string): Promise<ToolWorld> {
    const { token, environment } = this.#options
    const { url, apiKey } = await this.#reach()
    const isStaging = environment === 'staging'
    const control = isStaging ? addresses.stagingControl : addresses.control
    const service = isStaging ? addresses.staging : addresses.api
    const client = new ControlClient({
      controlUrl: `${url}${control.httpPath}`,
      apiKey: key ?? apiKey,
      token,
      timeoutMs,
      signal: this.#closing.signal,
      describe: createDescription({
        url,
        option: '--url',
        advices: nextSteps,
        otherwise: 'correct the arguments of the tool',
        namesResponse: false,
      }),
    })
    return {
      client,
      baseUrl: `${url}${service.httpPath}`,
      quickstartUrl: `${url}${addresses.quickstart.httpPath}`,
      openapiUrl: `${url}/openapi.json`,
      snapshots: this.#snapshots,
    }
  }

  /** Aborts the requests in progress, and stops the sandbox that was started. */
  async close(): Promise<void> {
    this.#closing.abort()
    const reached = await this.#starting?.catch(() => undefined)
    await reached?.close?.()
  }

  async #reach(): Promise<Reached> {
    const { url, key } = this.#options
    if (url !== undefined) return { url, apiKey: key ?? 'sbx_free' }
    this.#starting ??= this.#start()
    try {
      return await this.#starting
    } catch (error) {
      this.#starting = undefined // the next call tries again
      throw error
    }
  }

  async #start(): Promise<Reached> {
    const { key = formatKey('free', 'default', platform.randomLabel()), port = 0 } = this.#options
    const { createSandboxServer } = await import('../../transport/http/create.js')
    const server = await createSandboxServer()
    const url = await server.listen({ port }).catch(async (error: Error) => {
      await server.close()
      throw new UsageError(error.message)
    })
    this.#terminal.stderr.write(`petstore-sandbox: serves on ${url}\n`)
    return { url, apiKey: key, close: () => server.close({ timeoutMs: 1_000 }) }
  }
}

const wantedKey = 'new_world returns a key of a world of your own'

/** The next step after an error, by its code. Default: correct the arguments. */
const nextSteps: Readonly<Partial<Record<string, string>>> = {
  missing_api_key: wantedKey,
  invalid_api_key: wantedKey,
  control_denied: wantedKey,
  invalid_scenario: 'use_scenario without arguments lists the known ones',
  sandbox_capacity: 'reset removes the added records of this world',
}
