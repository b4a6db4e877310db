import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import * as z from 'zod/mini'
import { type HttpLimitOptions, HttpLimits, toHttpLimits } from '../../service/bounds.js'
import { createNodeSandbox, type NodeSandboxOptions, nodeSandboxShape } from '../in-process/node.js'
import { checkOptions, hasField, toInteger, toOptionsSchema } from '../in-process/options.js'
import type { InProcessSandbox } from '../in-process/sandbox.js'
import { type AccessOptions, createAccess } from './access.js'
import { allowedHostsSchema, type HostOptions, publicUrlSchema } from './hosts.js'
import { Middleware } from './middleware.js'
import { Metrics } from './respond.js'
import { SandboxServer, toMaxMemory } from './server.js'

/** Options of a sandbox middleware: an existing sandbox, or the options of a new one. */
export interface SandboxMiddlewareOptions extends NodeSandboxOptions, HostOptions {
  /** Existing sandbox to serve. The other options for a new sandbox are then ignored. */
  readonly sandbox?: InProcessSandbox | undefined
  /** Who may create keys and control worlds. Not allowed with an existing sandbox. */
  readonly access?: AccessOptions | undefined
  /**
   * Whether to respond also to requests for the console, the OpenAPI documents, health checks and
   * metrics. Default: false.
   */
  readonly pages?: boolean | undefined
  /** Limits that protect the process. They are not limits of the service. */
  readonly limits?: MiddlewareLimitOptions | undefined
}

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

/** Limits that a middleware applies. Its server limits the connections. */
export type MiddlewareLimitOptions = Omit<
  HttpLimitOptions,
  | 'headerBytes'
  | 'connections'
  | 'clientConnections'
  | 'pipelinedRequests'
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
>

const listenerLimits: readonly Exclude<keyof HttpLimits, keyof MiddlewareLimitOptions>[] = [
  'headerBytes',
  'connections',
  'clientConnections',
  'pipelinedRequests',
  'headersTimeoutMs',
  'requestTimeoutMs',
  'keepAliveTimeoutMs',
]

function toLimitsSchema(omitted: readonly string[] = []): z.ZodMiniType {
  const names = Object.keys(new HttpLimits()).filter((name) => !omitted.includes(name))
  const shape = Object.fromEntries(names.map((name) => [name, toInteger(1)]))
  return toOptionsSchema({ ...shape, trustedProxies: toInteger(0, 100) })
}

const commonShape = {
  ...nodeSandboxShape,
  sandbox: z.custom((value) => hasField(value, 'core'), 'a sandbox that createSandbox returned'),
  // createAccess validates the values, which must not appear in messages.
  access: z.partial(
    z.strictObject({ keySecrets: z.unknown(), keyIssuing: z.unknown(), control: z.unknown() }),
  ),
  allowedHosts: allowedHostsSchema,
  publicUrl: publicUrlSchema,
}

/** Schemas of the options of a middleware, except `pages`. */
export const middlewareShape = {
  ...commonShape,
  limits: toLimitsSchema(listenerLimits),
} satisfies Record<keyof Omit<SandboxMiddlewareOptions, 'pages'>, z.ZodMiniType>

const middlewareSchema = toOptionsSchema({
  ...middlewareShape,
  pages: z.boolean('true or false'),
})

const serverSchema = toOptionsSchema({
  ...commonShape,
  handlers: z.array(
    z.custom((value) => hasField(value, 'run'), 'an msw request handler'),
    'an array of msw request handlers',
  ),
  limits: toLimitsSchema(),
} satisfies Record<keyof SandboxServerOptions, unknown>)

/** Responds to a request, or calls `next` if it is below no address. Without `next`: 404. */
export type ConnectHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** A Connect middleware for Express, Vite, webpack-dev-server and other servers of Node.js. */
export interface SandboxMiddleware extends ConnectHandler {
  /** The sandbox that processes the requests. */
  readonly sandbox: InProcessSandbox
  /**
   * Ends event streams, passes on later requests, and resolves when the requests in progress have
   * their responses. Closes the sandbox, unless it was passed as an option.
   */
  close(): Promise<void>
}

/**
 * Creates a middleware for a server of your own: `{base_url}` at `/v1`, `{staging_base_url}` at
 * `/staging/v1`, `{quickstart_base_url}` at `/quickstart`, and the control API at `/sandbox`, below
 * the path at which the middleware is mounted. Mount it before body parsers: after `express.json()`, it
 * uses the parsed body.
 *
 * @example
 * const petstore = await createSandboxMiddleware({ scenario: 'low-stock' })
 * const app = express()
 * app.use('/petstore', petstore)
 *
 * @throws {ScenarioError} If a scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function createSandboxMiddleware(
  options: SandboxMiddlewareOptions = {},
): Promise<SandboxMiddleware> {
  checkOptions(middlewareSchema, options, 'createSandboxMiddleware')
  const { pages = false, limits = {}, allowedHosts, publicUrl } = options
  const sandbox = await openSandbox(options, 'createSandboxMiddleware')
  const middleware = new Middleware({
    core: sandbox.core,
    limits: toHttpLimits(limits),
    hosts: { allowedHosts, publicUrl },
    metrics: new Metrics(),
    pages,
    handlers: [],
  })
  const close = async () => {
    await middleware.close()
    if (!options.sandbox) await sandbox.close()
  }
  return Object.assign(middleware.handle, { sandbox, close })
}

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
  checkOptions(serverSchema, options, 'createSandboxServer')
  const { handlers = [], limits = {}, allowedHosts, publicUrl } = options
  const sandbox = await openSandbox(options, 'createSandboxServer')
  return new SandboxServer({ sandbox, handlers, limits, hosts: { allowedHosts, publicUrl } })
}

/** Returns the sandbox of the options, or a new one. */
async function openSandbox(
  { sandbox, access, ...rest }: Omit<SandboxServerOptions, 'limits'>,
  owner: string,
): Promise<InProcessSandbox> {
  if (sandbox && access) {
    throw new TypeError(`${owner} takes access only for a new sandbox, found sandbox too`)
  }
  if (sandbox) return sandbox
  const maxMemory = toMaxMemory(rest.maxMemory)
  return createNodeSandbox({ ...rest, maxMemory }, access && createAccess(access))
}
