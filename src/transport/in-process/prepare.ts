import type { Platform } from '../../engine/platform.js'
import { Sandbox } from '../../engine/sandbox.js'
import type { SandboxSettings } from '../../engine/settings.js'
import { journalEntries, retainMs, worldBytes, worldsBytes } from '../../service/bounds.js'
import { describeValue } from '../../service/validation/validate.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import type { CoreOptions } from './options.js'

/** Maximum time value of ECMAScript, in milliseconds since the epoch. */
const maximumTimeMs = 8.64e15

/** Settings of a sandbox that are no options. */
type CoreSettings = Pick<SandboxSettings, 'access' | 'storeObserver' | 'StoredWorlds'>

/**
 * Creates the part of a sandbox that all transports share. Does not load msw.
 *
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If `now` returns no time.
 */
export async function createCore(
  options: CoreOptions,
  library: ScenarioLibrary,
  platform: Platform,
  coreSettings: CoreSettings = {},
): Promise<Sandbox> {
  const { scenario = 'default', maxWorlds, journalHeaders = [] } = options
  const { maxMemory = worldsBytes, maxWorldMemory = worldBytes } = options
  const { now = platform.now, sleep = platform.sleep } = options
  checkTime(now())
  const settings = {
    ...coreSettings,
    library,
    platform: { ...platform, now, sleep },
    store: options.store,
    journalHeaders: new Set(journalHeaders.map((name) => name.toLowerCase())),
    journalCapacity: options.journalCapacity ?? journalEntries,
    maxWorlds,
    maxMemory,
    maxWorldMemory,
    retainMs: options.retainMs ?? retainMs,
  }
  return Sandbox.create(settings, scenario)
}

function checkTime(time: unknown): void {
  if (typeof time === 'number' && Math.abs(time) <= maximumTimeMs) return
  const wanted = 'a finite number of milliseconds since 1970'
  throw new TypeError(`now must return ${wanted}, found ${describeValue(time)}`)
}
