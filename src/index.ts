/** A sandbox in any JavaScript runtime. */

export { Problem } from './service/errors.js'
export { StoreError } from './store/store.js'
export { journalSerializer, type SnapshotSerializer } from './testing/journal-serializer.js'
export { createSandbox } from './transport/in-process/create.js'
export type { SandboxOptions } from './transport/in-process/options.js'
export type { InProcessSandbox } from './transport/in-process/sandbox.js'
export type * from './types.js'
export { ScenarioError } from './world/scenario/error.js'
