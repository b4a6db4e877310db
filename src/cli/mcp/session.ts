import * as z from 'zod/mini'
import { ControlClient, type ControlResponse, type SentInput } from '../../control/client/client.js'
import { createDescription } from '../../control/client/describe.js'
import type { ControlOperation } from '../../control/operation.js'
import {
  type ControlBody,
  type ControlOperationId,
  type ControlResult,
  controlOperations,
} from '../../control/operations.js'
import { addresses } from '../../service/addresses.js'
import { parseApiKey } from '../../service/api-key.js'
import { readBounded } from '../../verify/request.js'
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
  /** Creates a key. The session continues with its world. */
  createKey(body: ControlBody<'createKey'>): Promise<string>
}

/** A sandbox that was started. */
interface Started {
  readonly url: string
  close(): Promise<void>
}

/** The sandbox of the command line. Without --url, it is started on the first use. */
export class Session {
  readonly #options: McpOptions
  readonly #terminal: Terminal
  readonly #snapshots = new Map<string, string>()
  readonly #closing = new AbortController()
  #starting: Promise<Started> | undefined
  /** The key of the world that tools use without a key. */
  #key: string | undefined
  #creating: Promise<string> | undefined
  /** What to do without the permission for a world. */
  #wantedKey = 'new_world returns a key of a world of your own'

  constructor(options: McpOptions, terminal: Terminal) {
    this.#options = options
    this.#terminal = terminal
    this.#key = options.key
  }

  /**
   * Returns the world of a key. Default: the world of the session, which is created on the first use.
   *
   * @throws {UsageError} If the sandbox cannot start.
   * @throws {RemoteError} If the sandbox does not create a world.
   */
  async open(key?: string): Promise<ToolWorld> {
    const url = await this.#reach()
    const isStaging = this.#options.environment === 'staging'
    const service = isStaging ? addresses.staging : addresses.api
    return {
      client: this.#createClient(url, key ?? (await this.#openWorld(url)), this.#wantedKey),
      baseUrl: `${url}${service.httpPath}`,
      quickstartUrl: `${url}${addresses.quickstart.httpPath}`,
      openapiUrl: `${url}/openapi.json`,
      snapshots: this.#snapshots,
      createKey: async (body) => {
        this.#key = await this.#createKey(url, body)
        return this.#key
      },
    }
  }

  /** Returns the key for tools that need no world. */
  get publicKey(): string {
    return this.#options.key ?? 'sbx_free'
  }

  /** Aborts the requests in progress, and stops the sandbox that was started. */
  async close(): Promise<void> {
    this.#closing.abort()
    const started = await this.#starting?.catch(() => undefined)
    await started?.close()
  }

  /** Returns the key of the world of the session. */
  async #openWorld(url: string): Promise<string> {
    if (this.#key !== undefined) return this.#key
    this.#creating ??= this.#createKey(url, { plan: 'free' }).catch((error: unknown) => {
      this.#creating = undefined // the next call tries again
      throw error
    })
    const created = await this.#creating
    this.#key ??= created
    return this.#key
  }

  async #createKey(url: string, body: ControlBody<'createKey'>): Promise<string> {
    const client = this.#createClient(url, this.publicKey, startWithKey)
    try {
      const { apiKey } = await client.send('createKey', { body })
      if (parseApiKey(apiKey)) return apiKey
    } catch (error) {
      if (Reflect.get(Object(error), 'advice') === startWithKey) this.#wantedKey = startWithKey
      throw error
    }
    throw new UsageError(
      `the response of ${url} does not come from a petstore-sandbox: it has no key`,
    )
  }

  /** @param wantedKey What to do if the key is rejected. */
  #createClient(url: string, apiKey: string, wantedKey: string): ControlClient {
    const { token, environment } = this.#options
    const address = environment === 'staging' ? addresses.stagingControl : addresses.control
    return new ToolClient({
      controlUrl: `${url}${address.httpPath}`,
      apiKey,
      token,
      fetch: fetchBounded,
      timeoutMs,
      signal: this.#closing.signal,
      describe: createDescription({
        url,
        option: '--url or PETSTORE_SANDBOX_URL',
        advices: {
          missing_api_key: wantedKey,
          invalid_api_key: wantedKey,
          control_denied: wantedKey,
          ...nextSteps,
        },
        otherwise: 'correct the arguments of the tool',
        namesResponse: false,
      }),
    })
  }

  async #reach(): Promise<string> {
    const { url } = this.#options
    if (url !== undefined) return url
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined // the next call tries again
      throw error
    })
    return (await this.#starting).url
  }

  async #start(): Promise<Started> {
    const { port = 0 } = this.#options
    const { createSandboxServer } = await import('../../transport/http/create.js')
    const server = await createSandboxServer()
    const url = await server.listen({ port }).catch(async (error: Error) => {
      await server.close()
      throw new UsageError(error.message)
    })
    this.#terminal.stderr.write(`petstore-sandbox: serves on ${url}\n`)
    return { url, close: () => server.close({ timeoutMs: 1_000 }) }
  }
}

const startWithKey =
  'this sandbox creates no keys for this command: ask the user to start it with --key and an issued key, or with --token'

/** The next step after an error, by its code. Default: correct the arguments. */
const nextSteps: Readonly<Partial<Record<string, string>>> = {
  unreachable:
    'the user must start it, or start this command without --url and PETSTORE_SANDBOX_URL, so that it starts one itself',
  invalid_scenario: 'docs/scenarios.md of the sandbox describes the fields of a scenario',
  sandbox_capacity:
    'remove faults or records if the message is about them, otherwise try again in a second',
}

/** Sends control requests to a server that may not be a sandbox. */
class ToolClient extends ControlClient {
  /** @throws {UsageError} If the response does not have the form that the operation documents. */
  override async request<Id extends ControlOperationId>(
    id: Id,
    input?: SentInput<Id>,
  ): Promise<ControlResponse<ControlResult<Id>>> {
    const response = await super.request(id, input)
    const { body }: ControlOperation['response'] = controlOperations[id].response
    const { error } = z.safeParse(body?.schema ?? z.unknown(), response.body)
    // A later version can have more fields.
    if (!error || error.issues.every(({ code }) => code === 'unrecognized_keys')) return response
    const url = new URL(this.target.controlUrl).origin
    throw new UsageError(
      `the server at ${url} is not a petstore-sandbox of this version: its response to ${id} is another one; --url or PETSTORE_SANDBOX_URL must be the root of a sandbox`,
    )
  }
}

/** Sends a request like `fetch`. Rejects a body that is too large. */
async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  return new Response(response.body && (await readBounded(response.body)), response)
}
