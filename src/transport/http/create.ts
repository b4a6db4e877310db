import type { RequestHandler } from 'msw'
import * as z from 'zod/mini'
import { defaultHttpLimits, type HttpLimitOptions } from '../../service/bounds.js'
import { checkOptions, toInteger } from '../../service/validation/options.js'
import { createNodeSandbox, type NodeSandboxOptions, nodeSandboxShape } from '../in-process/node.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { type AccessOptions, createAccess } from './access.js'
import { allowedHostsSchema, type HostOptions, publicUrlSchema } from './hosts.js'
import { toMaxMemory } from './memory.js'
import { SandboxServer } from './server.js'

/** Options of a sandbox server: an existing sandbox, or the options of a new one. */
export interface SandboxServerOptions extends NodeSandboxOptions, HostOptions {
  /** Existing sandbox to serve. The other options for a new sandbox are then ignored. */
  readonly sandbox?: InProcessSandbox | undefined
  /** Who may create keys and control worlds. Not allowed with an existing sandbox. */
  readonly access?: AccessOptions | undefined
  /** msw request handlers. They receive each request first and take precedence. */
  readonly handlers?: readonly RequestHandler[] | undefined
  /** Limits that protect the server. They are not limits of the service. */
  readonly limits?: HttpLimitOptions | undefined
}

const limitNames = Object.keys(defaultHttpLimits)

const shape = {
  ...nodeSandboxShape,
  sandbox: () => z.custom(isSandbox, 'a sandbox that createSandbox returned'),
  // createAccess validates the values, which must not appear in messages.
  access: () =>
    z.partial(
      z.strictObject({ keySecrets: z.unknown(), keyIssuing: z.unknown(), control: z.unknown() }),
    ),
  handlers: () =>
    z.array(z.custom(isHandler, 'an msw request handler'), 'an array of msw request handlers'),
  limits: () =>
    z.partial(
      z.strictObject({
        ...Object.fromEntries(limitNames.map((name) => [name, toInteger(1)])),
        trustedProxies: toInteger(0, 100),
      }),
    ),
  allowedHosts: allowedHostsSchema,
  publicUrl: publicUrlSchema,
} satisfies Record<keyof SandboxServerOptions, unknown>

/**
 * Creates a sandbox HTTP server: `{base_url}` at `/v1`, `{staging_base_url}` at `/staging/v1`,
 * `{quickstart_base_url}` at `/quickstart`, the control API at `/sandbox`, and the console at `/`.
 *
 * @example
 * const server = await createSandboxServer({ scenario: 'low-stock' })
 * const url = await server.listen({ port: 0 })
 * await fetch(`${url}/v1/inventory`, { headers: { Authorization: 'Bearer sbx_free' } })
 * await server.close()
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function createSandboxServer(
  options: SandboxServerOptions = {},
): Promise<SandboxServer> {
  checkOptions(shape, options, 'createSandboxServer')
  const { sandbox, access, handlers = [], limits = {}, allowedHosts, publicUrl, ...rest } = options
  if (sandbox && access) {
    throw new TypeError(
      'createSandboxServer takes access only for a new sandbox, found sandbox too',
    )
  }
  const maxMemory = toMaxMemory(options.maxMemory)
  const create = () => createNodeSandbox({ ...rest, maxMemory }, access && createAccess(access))
  return new SandboxServer({
    sandbox: sandbox ?? (await create()),
    handlers,
    limits,
    hosts: { allowedHosts, publicUrl },
  })
}

/** Duck-typed, because the sandbox may come from another copy of this package. */
function isSandbox(value: unknown): boolean {
  return isObject(value) && Array.isArray(Reflect.get(value, 'handlers')) && 'core' in value
}

/** Duck-typed, because the handler may come from another copy of msw. */
function isHandler(value: unknown): boolean {
  return isObject(value) && typeof Reflect.get(value, 'run') === 'function'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
