import type { AccessSettings } from '../control/access.js'
import type { Store } from '../store/store.js'
import type { ScenarioLibrary } from '../world/scenario/library.js'
import type { StoredWorlds } from './persistence/stored-worlds.js'
import type { Platform } from './platform.js'

export interface SandboxSettings {
  readonly library: ScenarioLibrary
  readonly platform: Platform
  /** Default: worlds are kept in memory only. */
  readonly store?: Store | undefined
  /** The class of the worlds in the store. Required with a store; without one, it is not loaded. */
  readonly StoredWorlds?: typeof StoredWorlds | undefined
  /** Default: every key is accepted and controls its world. */
  readonly access?: AccessSettings | undefined
  /**
   * Names of request headers, in lower case, that the journal of a shared world retains in addition to
   * the content and negotiation headers. Applies to requests over HTTP.
   */
  readonly journalHeaders: ReadonlySet<string>
  /** Maximum number of entries in the journal of each world. */
  readonly journalCapacity: number
  /** Maximum number of worlds; undefined if only the memory limits it. */
  readonly maxWorlds: number | undefined
  /** Maximum estimated size of all worlds, in bytes. */
  readonly maxMemory: number
  /** Maximum estimated size of each world, in bytes. */
  readonly maxWorldMemory: number
  /** Time for which a world is retained for the clients that used it, in milliseconds. */
  readonly retainMs: number
}
