import { Option } from 'commander'
import * as z from 'zod/mini'
import { isSendable } from '../service/validation/secret.js'
import { UsageError } from '../service/validation/usage-error.js'
import { publicUrlSchema, toRoot } from '../transport/http/hosts.js'
import type { Terminal } from './terminal.js'

/** The environment variables with the keys of `--key` and `--staging-key`. */
export const keyVariables = {
  '--key': 'PETSTORE_API_KEY',
  '--staging-key': 'PETSTORE_STAGING_API_KEY',
} as const

/** Creates the options of the commands that send requests to a deployment. */
export function createSendingOptions(): readonly Option[] {
  return [
    new Option('--timeout <seconds>', 'Timeout of a request with its response.').default('30'),
    new Option(
      '--max-wait <seconds>',
      'The longest time that it waits for the limit of the key, in total.',
    ).default('300'),
  ]
}

/** Returns the schemas of {@link createSendingOptions}. */
export function sendingShape() {
  return { timeout: secondsSchema(1, 3_600), maxWait: secondsSchema(0, 86_400) }
}

/** Returns the schema of a base URL. Removes slashes at its end. */
export function baseUrlSchema(example = 'http://127.0.0.1:4010/v1') {
  const error = `an http or https URL without a query, user name or password, such as "${example}"`
  return z.pipe(
    z
      .string()
      .check(z.refine((text) => publicUrlSchema.safeParse(text).success, { error, abort: true })),
    z.transform(toRoot),
  )
}

function secondsSchema(minimum: number, maximum: number) {
  const error = `whole seconds from ${minimum} to ${maximum}`
  return z
    .pipe(z.string().check(z.regex(/^\d{1,5}$/, { error, abort: true })), z.transform(Number))
    .check(z.refine((seconds) => seconds >= minimum && seconds <= maximum, { error }))
}

/**
 * Returns the key of an option, or of its environment variable; undefined if both are missing or
 * empty.
 *
 * @throws {UsageError} If the key cannot be sent. The message does not contain it.
 */
export function readKey(
  value: string | undefined,
  env: Terminal['env'],
  flag: keyof typeof keyVariables = '--key',
): string | undefined {
  const key = value || env[keyVariables[flag]] || undefined
  if (key === undefined || isSendable(key)) return key
  throw new UsageError(`${flag} must be an API key: printable ASCII without spaces`)
}

/** Like {@link readKey}, but for a key that is required. */
export function requireKey(value: string | undefined, env: Terminal['env']): string {
  const key = readKey(value, env)
  if (key !== undefined) return key
  throw new UsageError(`set the API key with --key or ${keyVariables['--key']}`)
}
