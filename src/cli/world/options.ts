import * as z from 'zod/mini'
import { environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/options.js'
import { apiKeySchema, baseUrlSchema } from '../deployment-options.js'
import { flag, option, secretSchema } from '../options.js'

/** The options of every command of `world`. */
export const worldOptions = {
  url: option(
    '--url <url>',
    'Root URL of the sandbox.',
    baseUrlSchema('http://127.0.0.1:4010'),
    'http://127.0.0.1:4010',
  ).fromVariables(),
  key: option(
    '--key <key>',
    'API key, which names the world.',
    apiKeySchema,
    'sbx_free',
  ).fromVariables(),
  token: option(
    '--token <token>',
    'Token that the sandbox requires, sent as Sandbox-Token.',
    secretSchema('printable ASCII characters without spaces', isSendable),
  ).fromVariables(),
  environment: option(
    '--environment <name>',
    'Environment of the world.',
    z.enum(environments),
    'production',
  ).choices(environments),
  json: flag('--json', 'Prints the response of the sandbox as JSON.'),
}
