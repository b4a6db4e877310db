import type { AccessSettings } from '../../control/access.js'
import { platform } from '../../engine/platform.js'
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
  const library = new ScenarioLibrary(platform.yieldToEventLoop)
  if (scenarioDirectory !== undefined) {
    library.replaceAdded(await readScenarioDirectory(scenarioDirectory))
  }
  return createInProcessSandbox(rest, library, platform, access)
}
