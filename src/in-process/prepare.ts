import type { Platform } from '../sandbox/platform.js'
import { Sandbox } from '../sandbox/sandbox.js'
import type { ScenarioLibrary } from '../scenario/library.js'
import { describeValue } from '../validation/validate.js'
import { type BaseUrls, readBaseUrls } from './base-urls.js'
import type { SandboxOptions } from './options.js'
import { InProcessSandbox } from './sandbox.js'

/** Maximum number of records in all worlds: about 250 MB. */
const maxRecords = 500_000

/** Maximum time value of ECMAScript, in milliseconds since the epoch. */
const maximumTimeMs = 8.64e15

/**
 * Creates a sandbox with a scenario library and a platform.
 *
 * @throws {ScenarioError} If the scenario is unknown or invalid.
 * @throws {TypeError} If a base URL is invalid, two are equal, or `now` returns no time.
 */
export async function createInProcessSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  platform: Platform,
): Promise<InProcessSandbox> {
  return new InProcessSandbox(...(await prepareSandbox(options, library, platform)))
}

/**
 * Creates the constructor arguments of an {@link InProcessSandbox}. Throws as
 * {@link createInProcessSandbox} does.
 */
export async function prepareSandbox(
  options: SandboxOptions,
  library: ScenarioLibrary,
  platform: Platform,
): Promise<[core: Sandbox, bases: BaseUrls]> {
  const { scenario = 'default', journalCapacity = 500, maxWorlds = 256 } = options
  const { journalHeaders = [] } = options
  const { now = platform.now, sleep = platform.sleep } = options
  const bases = readBaseUrls(options)
  checkTime(now())
  const settings = {
    library,
    platform: { ...platform, now, sleep },
    recording: {
      hidesSharedWorlds: false,
      journalHeaders: new Set(journalHeaders.map((name) => name.toLowerCase())),
    },
    journalCapacity,
    maxWorlds,
    maxRecords,
  }
  return [await Sandbox.create(settings, scenario), bases]
}

function checkTime(time: unknown): void {
  if (typeof time === 'number' && Math.abs(time) <= maximumTimeMs) return
  const wanted = 'a finite number of milliseconds since 1970'
  throw new TypeError(`now must return ${wanted}, found ${describeValue(time)}`)
}
