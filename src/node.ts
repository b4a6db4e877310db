import { platform } from './sandbox/platform.js'
import { ScenarioLibrary } from './scenario/library.js'
import {
  createInProcessSandbox,
  type InProcessSandbox,
  type SandboxOptions,
} from './in-process/sandbox.js'
import { readScenarioDirectory, readScenarioFile } from './scenario/files.js'
import { checkOptions, filledText, sandboxShape } from './in-process/options.js'

/** How a sandbox is made where there are files. */
export interface NodeSandboxOptions extends SandboxOptions {
  /** A directory whose scenario files are known by name, beside the built-in scenarios. */
  readonly scenarioDirectory?: string
}

const shape = {
  ...sandboxShape,
  scenarioDirectory: filledText,
} satisfies Record<keyof NodeSandboxOptions, unknown>

/**
 * Makes a sandbox in this process, with the scenario files of a directory.
 *
 * @example
 * const sandbox = await createSandbox({ scenarioDirectory: './scenarios', scenario: 'my-shop' })
 *
 * @throws {ScenarioError} When a file or the scenario does not fit.
 * @throws {TypeError} When an option is unknown or does not fit.
 */
export async function createSandbox(options: NodeSandboxOptions = {}): Promise<InProcessSandbox> {
  checkOptions(shape, options, 'createSandbox')
  const { scenarioDirectory, ...rest } = options
  const library = new ScenarioLibrary()
  if (scenarioDirectory !== undefined) {
    library.replaceAdded(await readScenarioDirectory(scenarioDirectory))
  }
  return createInProcessSandbox(rest, library, platform)
}

export type { ScenarioFile } from './scenario/entry.js'
export type { ScenarioSource } from './scenario/library.js'
export { ScenarioError } from './scenario/scenario-error.js'
export type { Scenario } from './scenario/schema.js'
export type { InProcessSandbox, SandboxOptions }
export { readScenarioDirectory, readScenarioFile }
