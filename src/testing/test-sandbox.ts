import type { World } from '../control/world.js'
import { serviceRouter, splitTarget } from '../engine/route.js'
import type { AddressId } from '../service/addresses.js'
import type { PlanId } from '../service/plans.js'
import type { BaseUrl } from '../transport/in-process/base-urls.js'
import { InProcessSandbox } from '../transport/in-process/sandbox.js'
import type { Account } from '../world/quota/account.js'

/**
 * A sandbox with the key of a test: the fixture `sandbox` of each test runner. `world` is the production
 * world of the key. If several tests share a sandbox, `use`, `reset`, `subscribe` and `onChange` apply
 * to the worlds of the key only.
 */
export class TestSandbox extends InProcessSandbox {
  /** Value of `{base_url}`, without a trailing slash. */
  readonly baseUrl: string
  /** Value of `{staging_base_url}`. */
  readonly stagingBaseUrl: string
  /** Value of `{quickstart_base_url}`. */
  readonly quickstartBaseUrl: string

  /** @internal */
  constructor(
    sandbox: InProcessSandbox,
    /** API key of this test. */
    readonly apiKey: string,
    /** Plan of the key. */
    readonly plan: PlanId,
  ) {
    super(sandbox.core, sandbox.bases, sandbox.handlers)
    this.baseUrl = toAbsoluteUrl(this.bases.api)
    this.stagingBaseUrl = toAbsoluteUrl(this.bases.staging)
    this.quickstartBaseUrl = toAbsoluteUrl(this.bases.quickstart)
  }

  /** Staging world of the key. Created on first use. */
  get stagingWorld(): World {
    return this.core.worlds.initial('staging')
  }

  /** Headers that a client of this test must send: `{ Authorization: 'Bearer …' }`. */
  get headers(): { readonly Authorization: string } {
    return { Authorization: `Bearer ${this.apiKey}` }
  }

  /** Account of the key in the production world: both windows and the ban. */
  get account(): Account {
    return this.world.quota.account(this.plan)
  }

  /** Returns a key of another plan for the same worlds. It has its own quota and the same data. */
  apiKeyFor(plan: PlanId): string {
    return `sbx_${plan}`
  }

  /**
   * Sends a request to the sandbox without a network or interception. A path such as `/inventory` is
   * resolved below the base URL, and `/messages` below the quickstart base URL. The key of this test is
   * sent unless there is an `Authorization` header.
   *
   * Rejects with a `TypeError` if a fault closes the connection, and with the reason of the signal if
   * it is aborted.
   */
  override readonly fetch = async (
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> => {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request = new Request(isPath ? this.#resolve(input, init?.method) : input, init)
    if (!request.headers.has('Authorization')) {
      request.headers.set('Authorization', this.headers.Authorization)
    }
    return this.send(request)
  }

  /** Returns the URL of a path below the production address that has it. Default: `{base_url}`. */
  #resolve(target: string, method = 'GET'): string {
    const { path } = splitTarget(target)
    const has = (address: AddressId) => {
      const { endpoint, allow } = serviceRouter.route(address, method, path)
      return endpoint !== undefined || allow.length > 0
    }
    return `${!has('api') && has('quickstart') ? this.quickstartBaseUrl : this.baseUrl}${target}`
  }
}

/** Returns the URL of an address. An address on any origin gets the origin of the test page. */
function toAbsoluteUrl({ origin, text, prefix }: BaseUrl): string {
  if (origin !== undefined) return text
  return `${globalThis.location?.origin ?? 'http://localhost'}${prefix}`
}

/**
 * Options of the sandboxes that the fixtures create, unless a test sets them: the journal retains all
 * requests of a test for the matchers.
 */
export const sandboxDefaults = {
  journalCapacity: 10_000,
  /** A journal may use a quarter of it: 3 KB for each entry. */
  maxWorldMemory: 128 * 1_048_576,
} as const
