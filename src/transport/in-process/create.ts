import type { AccessSettings } from '../../control/access.js'
import { type Platform, platform as realPlatform } from '../../engine/platform.js'
import type { SandboxSettings } from '../../engine/settings.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { readBaseUrls } from './base-urls.js'
import { createInterception } from './handlers.js'
import { loadHttpHandler } from './msw.js'
import { checkOptions, type SandboxOptions, sandboxShape, toOptionsSchema } from './options.js'
import { createCore } from './prepare.js'
import { InProcessSandbox } from './sandbox.js'

const optionsSchema = toOptionsSchema(sandboxShape)

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
  checkOptions(optionsSchema, options, 'createSandbox')
  return createInProcessSandbox(
    options,
    new ScenarioLibrary(realPlatform.yieldToEventLoop),
    realPlatform,
  )
}

/**
 * Creates a sandbox with a scenario library and a platform.
 *
 * @param access Default: every key is accepted and controls its world.
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If a base URL is invalid, two are equal, or `now` returns no time.
 */
export async function createInProcessSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  platform: Platform,
  access?: AccessSettings,
): Promise<InProcessSandbox> {
  const bases = readBaseUrls(options)
  const StoredWorlds = await loadStoredWorlds(options.store)
  const core = await createCore(options, library, platform, { access, StoredWorlds })
  return new InProcessSandbox(core, createInterception(core, bases, await loadHttpHandler()))
}

/**
 * Loads the class of the worlds in a store if there is a store. petstore-sandbox/browser contains the
 * class and must not reach this import: a bundler would put the class into a file of its own.
 */
export async function loadStoredWorlds(
  store: SandboxSettings['store'],
): Promise<SandboxSettings['StoredWorlds']> {
  return store && (await import('../../engine/persistence/stored-worlds.js')).StoredWorlds
}
