import { platform } from '../sandbox/platform.js'
import { ScenarioLibrary } from '../scenario/library.js'
import { checkOptions } from '../validation/options.js'
import { SliceRunner } from '../validation/slices.js'
import { type SandboxOptions, sandboxShape } from './options.js'
import { createInProcessSandbox } from './prepare.js'
import type { InProcessSandbox } from './sandbox.js'

/**
 * Creates a sandbox in this process.
 *
 * @example
 * const sandbox = await createSandbox({ scenario: 'low-stock' })
 * const server = setupServer(...sandbox.handlers)
 *
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<InProcessSandbox> {
  checkOptions(sandboxShape, options, 'createSandbox')
  return createInProcessSandbox(options, new ScenarioLibrary(new SliceRunner(platform)), platform)
}
