import type { AccessSettings } from '../../control/access.js'
import { platform } from '../../engine/platform.js'
import type { DirectoryStoreOptions } from '../../store/directory.js'
import type { RedisStoreOptions } from '../../store/redis.js'
import type { Store } from '../../store/store.js'
import { readScenarioDirectory } from '../../world/scenario/files.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { createInProcessSandbox } from './create.js'
import {
  checkOptions,
  nonEmptyString,
  type SandboxOptions,
  sandboxShape,
  toOptionsSchema,
} from './options.js'
import type { InProcessSandbox } from './sandbox.js'

/** Options of a sandbox in Node.js. */
export interface NodeSandboxOptions extends SandboxOptions {
  /** Directory whose scenario files are available by name, in addition to the built-in ones. */
  readonly scenarioDirectory?: string | undefined
}

/** Schemas of the options. */
export const nodeSandboxShape = {
  ...sandboxShape,
  scenarioDirectory: nonEmptyString,
} satisfies Record<keyof NodeSandboxOptions, unknown>

const optionsSchema = toOptionsSchema(nodeSandboxShape)

/**
 * Creates a sandbox in this process, with the scenario files of a directory.
 *
 * @example
 * const sandbox = await createSandbox({ scenarioDirectory: './scenarios', scenario: 'my-shop' })
 *
 * @throws {ScenarioError} If a file or the scenario is invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function createSandbox(options: NodeSandboxOptions = {}): Promise<InProcessSandbox> {
  checkOptions(optionsSchema, options, 'createSandbox')
  return createNodeSandbox(options)
}

/**
 * Creates a sandbox with the scenario files of a directory. Does not check the options.
 *
 * @param access Default: every key is accepted and controls its world.
 * @throws {ScenarioError} If a file or the scenario is invalid.
 */
export async function createNodeSandbox(
  { scenarioDirectory, ...rest }: NodeSandboxOptions,
  access?: AccessSettings,
): Promise<InProcessSandbox> {
  const library = new ScenarioLibrary()
  if (scenarioDirectory !== undefined) {
    library.replaceAdded(await readScenarioDirectory(scenarioDirectory))
  }
  return createInProcessSandbox(rest, library, access)
}

/**
 * Opens a store in a directory, for `createSandbox({ store })`. One process at a time can use the
 * directory. Needs the package `classic-level`.
 *
 * @throws {StoreError} If the directory cannot be opened.
 */
export async function openDirectoryStore(
  options: Omit<DirectoryStoreOptions, 'now'>,
): Promise<Store> {
  const { createDirectoryStore } = await import('../../store/directory.js')
  return createDirectoryStore({ ...options, now: platform.now })
}

/**
 * Opens a store in Redis, for `createSandbox({ store })`. Several processes can share it. Needs the
 * package `@redis/client`.
 *
 * @throws {StoreError} If the server cannot be reached.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { createRedisStore } = await import('../../store/redis.js')
  return createRedisStore(options)
}
