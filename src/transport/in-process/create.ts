import type { AccessSettings } from '../../control/access.js'
import { platform } from '../../engine/platform.js'
import type { SandboxSettings } from '../../engine/settings.js'
import { ScenarioLibrary } from '../../world/scenario/library.js'
import { readBaseUrls } from './base-urls.js'
import { createHandlers, type HttpHandlerClass } from './handlers.js'
import { checkOptions, type SandboxOptions, sandboxShape, toOptionsSchema } from './options.js'
import { createCore, InProcessSandbox } from './sandbox.js'

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
  return createInProcessSandbox(options, new ScenarioLibrary())
}

/**
 * Creates a sandbox with a scenario library.
 *
 * @param access Default: every key is accepted and controls its world.
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If a base URL is invalid, two are equal, or `now` returns no time.
 */
export async function createInProcessSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  access?: AccessSettings,
): Promise<InProcessSandbox> {
  const bases = readBaseUrls(options)
  const StoredWorlds = await loadStoredWorlds(options.store)
  const core = await createCore(options, library, platform, { access, StoredWorlds })
  const handlers = createHandlers(core, bases, await loadHttpHandler())
  return new InProcessSandbox(core, bases, handlers)
}

/**
 * Loads the class of the worlds in a store if there is a store. petstore-sandbox/browser contains the
 * class and must not reach this import: a bundler would move the class to a separate file.
 */
export async function loadStoredWorlds(
  store: SandboxSettings['store'],
): Promise<SandboxSettings['StoredWorlds']> {
  return store && (await import('../../engine/persistence/stored-worlds.js')).StoredWorlds
}

/**
 * Loads the class `HttpHandler` of msw. In Node.js, `#msw-http` is `msw/core/http`, a third of msw,
 * which msw 3 does not export. Elsewhere, it is `msw-root.ts`.
 */
export async function loadHttpHandler(): Promise<HttpHandlerClass> {
  const loading = import(/* webpackIgnore: true */ /* turbopackIgnore: true */ '#msw-http')
  const { http } = await loading.catch(() => import('./msw-root.js'))
  if (!http) throw new Error('petstore-sandbox requires msw 2.15 or newer, found msw 1')
  // `msw/core/http` exports no classes.
  return http.all('*', () => undefined).constructor as HttpHandlerClass
}
