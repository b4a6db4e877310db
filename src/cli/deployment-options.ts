import { UsageError } from '../verify/usage-error.js'
import { apiKey, baseUrl, integer } from './options.js'

const keyVariable = 'PETSTORE_API_KEY'

/** The options of the commands that send requests to a deployment. */
export const sendingOptions = {
  url: baseUrl('--url <url>', 'The {base_url}, which ends in /v1.', 'http://127.0.0.1:4010/v1'),
  key: apiKey('--key <key>', 'API key.').fromVariables(keyVariable),
  timeoutSeconds: integer(
    '--timeout <seconds>',
    'Timeout of a request with its response.',
    1,
    3_600,
  ).withDefault('30'),
  maxWaitSeconds: integer(
    '--max-wait <seconds>',
    'The longest time that it waits for the limit of the key, in total.',
    0,
    86_400,
  ).withDefault('300'),
}

/** @throws {UsageError} If there is no key. */
export function requireKey(key: string | undefined): string {
  if (key !== undefined) return key
  throw new UsageError(`set the API key with --key or ${keyVariable}`)
}
