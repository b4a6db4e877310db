/** A sandbox in Node.js: scenario files and stores in addition. Its `createSandbox` takes the place of the other. */
export * from './index.js'
export type { DirectoryStoreOptions } from './store/directory.js'
export type { RedisStoreOptions } from './store/redis.js'
export {
  createSandbox,
  type NodeSandboxOptions,
  openDirectoryStore,
  openRedisStore,
} from './transport/in-process/node.js'
export { readScenarioDirectory, readScenarioFile } from './world/scenario/files.js'
export type { ScenarioFile } from './world/scenario/library.js'
