/** A sandbox in Node.js, with scenario files and stores. Overrides `createSandbox` of index.ts. */
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
