import { resolve } from 'node:path'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import {
  defaultKeyIssuing,
  isToken,
  keySecretForm,
  splitSecrets,
  tokenForm,
} from '../../transport/http/access.js'
import { allowedHostsSchema, publicUrlSchema } from '../../transport/http/hosts.js'
import { headerNameSchema } from '../../transport/in-process/options.js'
import type { ScenarioLibrary } from '../../world/scenario/library.js'
import { readOptions } from '../read-options.js'
import type { ScenarioLocations } from '../scenario-files.js'
import { createIntegerSchema, keepSchema, limitsShape } from './limits.js'

/** The options of `serve`. The command line and environment variables set them as strings. */
const optionsSchema = z.partial(
  z.strictObject({
    port: createIntegerSchema(0, 65_535),
    host: z.string().check(z.minLength(1, { error: 'a host name or an IP address' })),
    scenario: z.pipe(
      z.string().check(
        z.refine((value) => splitList(value).length > 0, {
          error: 'a scenario name or a .json file',
        }),
      ),
      z.transform(splitList),
    ),
    scenarios: z.string().check(z.minLength(1, { error: 'a directory' })),
    watch: z.union([z.literal(true), z.stringbool()], { error: 'true or false' }),
    data: z.string().check(z.minLength(1, { error: 'a directory' })),
    dataSync: z.union([z.literal(true), z.stringbool()], { error: 'true or false' }),
    redis: redisUrlSchema(),
    keep: keepSchema,
    handlers: z.string().check(z.minLength(1, { error: 'an ES module' })),
    allowedHosts: z.pipe(
      z.pipe(
        z.string(),
        z.transform((value) => (value === 'true' ? true : splitList(value))),
      ),
      allowedHostsSchema,
    ),
    publicUrl: publicUrlSchema,
    journalHeader: z.pipe(z.pipe(z.string(), z.transform(splitList)), z.array(headerNameSchema)),
    ...limitsShape,
    keySecret: z.pipe(
      createSecretSchema((value) => splitSecrets(value) !== undefined, keySecretForm),
      z.transform((value) => splitSecrets(value)),
    ),
    keyIssuing: createPermissionSchema('open'),
    control: createPermissionSchema('own'),
    notice: createIntegerSchema(0, 3_600),
    log: z.enum(['pretty', 'json', 'silent']),
    logClients: z.union([z.literal(true), z.stringbool()], { error: 'true or false' }),
  }),
)

type Options = Readonly<z.output<typeof optionsSchema>>

type RequiredName = 'port' | 'host' | 'scenario' | 'watch' | 'keyIssuing' | 'control' | 'log'

/** The valid options of `serve`. */
export type ServeOptions = Options & {
  readonly [Name in RequiredName]: NonNullable<Options[Name]>
}

/** @throws {UsageError} If an option is invalid. */
export function readServeOptions(command: Command): ServeOptions {
  const given = readOptions(command, optionsSchema)
  const { scenario = ['default'], watch = false, keySecret } = given
  const { keyIssuing = defaultKeyIssuing(keySecret) } = given
  return { ...given, scenario, watch, keyIssuing } as ServeOptions // the command has defaults for the others
}

/** Creates the schema of the URL of a Redis server. It may contain a password. */
function redisUrlSchema() {
  return createSecretSchema(
    (value) => /^rediss?:/.test(value) && URL.canParse(value),
    'a URL such as redis://127.0.0.1:6379',
  )
}

/** Creates the schema of an option that is one of two words, or a token. */
function createPermissionSchema(word: 'open' | 'own') {
  return createSecretSchema(
    (value) => value === word || value === 'off' || isToken(value),
    `${word}, off or ${tokenForm}`,
  )
}

/** Creates the schema of a string that may be secret, and must not appear in messages. */
function createSecretSchema(isValid: (value: string) => boolean, error: string) {
  return z.string().check(
    z.superRefine((value, context) => {
      const input = value === '' ? '' : '…'
      if (!isValid(value)) context.addIssue({ code: 'custom', message: error, input })
    }),
  )
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

/** Returns the locations of the scenario files that the options name. */
export function toLocations({ scenario, scenarios }: ServeOptions): ScenarioLocations {
  return { directory: scenarios, files: scenario.filter(isPath) }
}

/** Returns the names of the initial scenarios. A path is replaced by the name in its file. */
export function toInitialNames(
  { scenario }: ServeOptions,
  library: ScenarioLibrary,
): readonly string[] {
  const names = new Map<string, string>()
  for (const name of library.names()) {
    const file = library.fileOf(name)
    if (file !== undefined) names.set(resolve(file), name)
  }
  return scenario.map((value) => (isPath(value) ? (names.get(resolve(value)) ?? value) : value))
}

function isPath(value: string): boolean {
  return /\.json$|[\\/]/.test(value)
}
