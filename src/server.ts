import type { RequestHandler } from 'msw'
import { z } from 'zod'
import { createSandbox, type NodeSandboxOptions } from './node.js'
import type { InProcessSandbox } from './in-process/sandbox.js'
import { checkOptions, filledText, sandboxShape, toInteger } from './in-process/options.js'
import { SandboxServer } from './http/server.js'
import { defaultHttpLimits, type HttpLimits } from './http/limits.js'

/** How a sandbox server is made: from a sandbox, or from the options of a new one. */
export interface SandboxServerOptions extends NodeSandboxOptions {
  /** A sandbox that exists already; the options of a new one are not looked at then. */
  readonly sandbox?: InProcessSandbox
  /** Request handlers of msw; they see each request first and win where they answer. */
  readonly handlers?: readonly RequestHandler[]
  /** What the server takes before it protects itself. */
  readonly limits?: Partial<HttpLimits>
}

const limitNames = Object.keys(defaultHttpLimits)

const shape = {
  ...sandboxShape,
  scenarioDirectory: filledText,
  sandbox: z.custom(isSandbox, 'a sandbox that createSandbox made'),
  handlers: z.array(
    z.custom(isHandler, 'an msw request handler'),
    'an array of msw request handlers',
  ),
  limits: z
    .strictObject(Object.fromEntries(limitNames.map((name) => [name, toInteger(1)])))
    .partial(),
} satisfies Record<keyof SandboxServerOptions, unknown>

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
 * @throws {TypeError} When an option is unknown or does not fit.
 */
export async function createSandboxServer(
  options: SandboxServerOptions = {},
): Promise<SandboxServer> {
  checkOptions(shape, options, 'createSandboxServer')
  const { sandbox, handlers = [], limits = {}, ...sandboxOptions } = options
  return new SandboxServer({
    sandbox: sandbox ?? (await createSandbox(sandboxOptions)),
    handlers,
    limits,
    consoleDirectory: new URL('console/', import.meta.url),
  })
}

/** By its shape, because it may come from another copy of this package. */
function isSandbox(value: unknown): boolean {
  return isObject(value) && Array.isArray(Reflect.get(value, 'handlers')) && 'core' in value
}

/** By its shape, because it may come from another copy of msw. */
function isHandler(value: unknown): boolean {
  return isObject(value) && typeof Reflect.get(value, 'run') === 'function'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export type { CloseOptions } from './http/server.js'
export type { HttpLimits } from './http/limits.js'
export type { ListenOptions } from './http/listen.js'
export type { InProcessSandbox, NodeSandboxOptions, SandboxServer }
