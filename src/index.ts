import { platform } from './sandbox/platform.js'
import { ScenarioLibrary } from './scenario/library.js'
import {
  createInProcessSandbox,
  type InProcessSandbox,
  type SandboxOptions,
} from './in-process/sandbox.js'
import { checkOptions, sandboxShape } from './in-process/options.js'

/**
 * Makes a sandbox in this process.
 *
 * @example
 * const sandbox = await createSandbox({ scenario: 'low-stock' })
 * const server = setupServer(...sandbox.handlers)
 *
 * @throws {ScenarioError} When the scenario is unknown or does not fit.
 * @throws {TypeError} When an option is unknown or does not fit.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<InProcessSandbox> {
  checkOptions(sandboxShape, options, 'createSandbox')
  return createInProcessSandbox(options, new ScenarioLibrary(), platform)
}

export { Problem } from './contract/errors.js'
export type { ScenarioSource } from './scenario/library.js'
export { ScenarioError } from './scenario/scenario-error.js'
export type { Scenario } from './scenario/schema.js'
export type { JournalEntry } from './world/journal/journal.js'
export type { World } from './world/world.js'
export type { InProcessSandbox, SandboxOptions }
