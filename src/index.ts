export * from './common.js'
export { createSandbox } from './in-process/create.js'
export type { SandboxOptions } from './in-process/options.js'
export type { InProcessSandbox } from './in-process/sandbox.js'
