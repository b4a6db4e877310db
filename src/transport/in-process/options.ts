import * as z from 'zod/mini'
import { headerNameSchema } from '../../service/schemas.js'
import { suggestName } from '../../service/validation/nearest-name.js'
import { describeMismatch, validate } from '../../service/validation/validate.js'
import type { Store } from '../../store/store.js'
import type { AnyScenarioSource, ScenarioSource } from '../../world/scenario/source.js'
import type { BaseUrlOptions } from './base-urls.js'

/** Options of a sandbox. */
export interface SandboxOptions extends BaseUrlOptions {
  /** Name of a scenario, a scenario, or several to merge from left to right. Default: `default`. */
  readonly scenario?: ScenarioSource | undefined
  /** Maximum number of retained journal entries per world. Default: 500. */
  readonly journalCapacity?: number | undefined
  /**
   * Names of additional request headers that the journal of a shared world retains. A shared world is
   * the world of a key without a label. Applies to requests over HTTP. Default: none.
   */
  readonly journalHeaders?: readonly string[] | undefined
  /** Maximum number of worlds. Default: as many as `maxMemory` has room for. */
  readonly maxWorlds?: number | undefined
  /**
   * Maximum estimated size of all worlds, in bytes. Beyond it, the least recently used worlds are
   * evicted. Default: 512 MiB.
   */
  readonly maxMemory?: number | undefined
  /** Maximum estimated size of each world, in bytes. Default: 16 MiB. */
  readonly maxWorldMemory?: number | undefined
  /**
   * Time for which a world that another client of the HTTP server used is never evicted, in
   * milliseconds. Default: 900,000.
   */
  readonly retainMs?: number | undefined
  /** Stores the worlds outside the memory of this process. Default: memory only. */
  readonly store?: Store | undefined
  /** Returns the real time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
  /**
   * Waits for a number of milliseconds, or until the signal is aborted. Used for delays. Default: a
   * timer.
   */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** Options whose scenario may be from outside the program, such as from a URL. */
export type CoreOptions = Omit<SandboxOptions, 'scenario'> & {
  readonly scenario?: AnyScenarioSource | undefined
}

/** Returns a schema for an integer between two inclusive bounds. */
export function toInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER): z.ZodMiniType {
  const upTo = maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`
  const wanted = `an integer from ${minimum}${upTo}`
  return z.int(wanted).check(z.minimum(minimum, wanted), z.maximum(maximum, wanted))
}

/** Schema for a string with at least one character. */
export const nonEmptyString: z.ZodMiniType = z
  .string('a non-empty string')
  .check(z.minLength(1, 'a non-empty string'))

/** Returns the schema of an options object. Every option is optional, and may be undefined. */
export function toOptionsSchema(shape: Readonly<Record<string, z.ZodMiniType>>): z.ZodMiniType {
  return z.partial(z.strictObject(shape))
}

/**
 * Validates an options object.
 *
 * @param owner Name of the function that the options belong to, for the message.
 * @throws {TypeError} If an option is unknown or invalid. The message lists all of them.
 */
export function checkOptions(schema: z.ZodMiniType, options: unknown, owner: string): void {
  const result = validate(schema, options)
  if (result.ok) return
  const sentences = result.mismatches.map((mismatch) => {
    const { path, unknown } = mismatch
    if (!unknown) return describeMismatch(mismatch, `the options of ${owner}`)
    return `${path} is not an option of ${owner}${suggestName(unknown.name, unknown.known)}`
  })
  throw new TypeError(sentences.join('; '))
}

const string = z.string('a string')
const callable = z.custom((value) => typeof value === 'function', 'a function')

/**
 * Whether a value is an object with a field. Values are duck-typed, because they may come from another
 * copy of a package.
 */
export function hasField(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && name in value
}

/** Schemas of the options. The scenario library validates the scenario. */
export const sandboxShape = {
  scenario: z.unknown(),
  baseUrl: string,
  stagingBaseUrl: string,
  quickstartBaseUrl: string,
  controlUrl: string,
  stagingControlUrl: string,
  journalCapacity: toInteger(0, 100_000),
  journalHeaders: z.array(headerNameSchema, 'an array of header names'),
  maxWorlds: toInteger(1),
  maxMemory: toInteger(1_048_576),
  maxWorldMemory: toInteger(65_536),
  retainMs: toInteger(0),
  store: z.custom<Store>((value) => hasField(value, 'append'), 'a store'),
  now: callable,
  sleep: callable,
} satisfies Record<keyof SandboxOptions, z.ZodMiniType>
