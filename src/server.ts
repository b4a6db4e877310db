import type { RequestHandler } from 'msw'
import { createSandbox, type NodeSandboxOptions } from './node.js'
import type { InProcessSandbox } from './transport/in-process.js'
import { SandboxServer } from './transport/sandbox-server.js'
import type { HttpLimits } from './transport/server-limits.js'

/** How a sandbox server is made: from a sandbox, or from the options of a new one. */
export interface SandboxServerOptions extends NodeSandboxOptions {
  /** A sandbox that exists already; the options of a new one are not looked at then. */
  readonly sandbox?: InProcessSandbox
  /** Request handlers of msw; they see each request first and win where they answer. */
  readonly handlers?: readonly RequestHandler[]
  /** What the server takes before it protects itself. */
  readonly limits?: Partial<HttpLimits>
}

/**
 * Makes a sandbox that answers over HTTP: `{base_url}` at `/v1`, `{staging_base_url}` at
 * `/staging/v1`, `{quickstart_base_url}` at `/quickstart`, steering at `/sandbox`, and the console
 * at `/`.
 *
 * @example
 * const server = await createSandboxServer({ scenario: 'low-stock' })
 * const url = await server.listen({ port: 0 })
 * await fetch(`${url}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
 * await server.close()
 *
 * @throws {ScenarioError} When a scenario is unknown or does not fit.
 */
export async function createSandboxServer(
  options: SandboxServerOptions = {},
): Promise<SandboxServer> {
  const { sandbox, handlers = [], limits = {}, ...sandboxOptions } = options
  return new SandboxServer({
    sandbox: sandbox ?? (await createSandbox(sandboxOptions)),
    handlers,
    limits,
    consoleDirectory: new URL('console/', import.meta.url),
  })
}

export type { CloseOptions } from './transport/sandbox-server.js'
export type { HttpLimits } from './transport/server-limits.js'
export type { ListenOptions } from './transport/server-listen.js'
export type { InProcessSandbox, NodeSandboxOptions, SandboxServer }
