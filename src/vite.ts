export { type PetstoreSandboxOptions, petstoreSandbox } from './transport/http/vite.js'
