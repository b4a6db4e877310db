import { isSendable } from '../service/validation/options.js'
import { publicUrlSchema, toRoot } from '../transport/http/hosts.js'
import { UsageError } from '../verify/usage-error.js'
import { integerSchema, option, readSchema, secretSchema } from './options.js'

/** Schema of an API key, which messages do not contain. */
export const apiKeySchema = secretSchema('an API key: printable ASCII without spaces', isSendable)

/**
 * Creates the option of an API key of a deployment.
 *
 * @param variable The environment variable that also sets it.
 */
export function keyOption(flags: string, description: string, variable: string) {
  return option(flags, description, apiKeySchema).fromVariables(variable)
}

const keyVariable = 'PETSTORE_API_KEY'

/** The options of the commands that send requests to a deployment. */
export const sendingOptions = {
  key: keyOption('--key <key>', 'API key.', keyVariable),
  timeoutSeconds: option(
    '--timeout <seconds>',
    'Timeout of a request with its response.',
    integerSchema(1, 3_600),
    '30',
  ),
  maxWaitSeconds: option(
    '--max-wait <seconds>',
    'The longest time that it waits for the limit of the key, in total.',
    integerSchema(0, 86_400),
    '300',
  ),
}

/** @throws {UsageError} If there is no key. */
export function requireKey(key: string | undefined): string {
  if (key !== undefined) return key
  throw new UsageError(`set the API key with --key or ${keyVariable}`)
}

/** Returns the schema of a base URL. Removes slashes at its end. */
export function baseUrlSchema(example = 'http://127.0.0.1:4010/v1') {
  const wanted = `an http or https URL without a query, user name or password, such as "${example}"`
  return readSchema(wanted, (text) =>
    publicUrlSchema.safeParse(text).success ? toRoot(text) : undefined,
  )
}
