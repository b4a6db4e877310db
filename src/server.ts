export type { HttpLimitOptions, HttpLimits } from './service/bounds.js'
export type { AccessOptions } from './transport/http/access.js'
export {
  type ConnectHandler,
  createSandboxMiddleware,
  createSandboxServer,
  type MiddlewareLimitOptions,
  type SandboxMiddleware,
  type SandboxMiddlewareOptions,
  type SandboxServerOptions,
} from './transport/http/create.js'
export type { HostOptions } from './transport/http/hosts.js'
export type { CloseOptions, ListenOptions, SandboxServer } from './transport/http/server.js'
export type { NodeSandboxOptions } from './transport/in-process/node.js'
export type { InProcessSandbox } from './transport/in-process/sandbox.js'
export type * from './types.js'
