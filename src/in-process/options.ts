import { z } from 'zod'
import { toInteger } from '../validation/options.js'
import type { SandboxOptions } from './sandbox.js'

const text = z.string('a string')

/** A function, of which no more can be seen. */
const aFunction = z.custom((value) => typeof value === 'function', 'a function')

/** What each option of a sandbox may be; the library looks at the scenario itself. */
export const sandboxShape = {
  scenario: z.unknown(),
  baseUrl: text,
  stagingBaseUrl: text,
  quickstartBaseUrl: text,
  controlUrl: text,
  stagingControlUrl: text,
  journalCapacity: toInteger(0, 100_000),
  maxWorlds: toInteger(1),
  now: aFunction,
  sleep: aFunction,
} satisfies Record<keyof SandboxOptions, z.ZodType>
