export type { BrowserSandbox, BrowserSandboxOptions } from './browser/sandbox.js'
export { startSandbox } from './browser/start.js'
export * from './common.js'
