import { environments } from '../../service/addresses.js'
import { isSendable } from '../../service/validation/options.js'
import { apiKey, baseUrl, choice, flag, secret, withVariables } from '../options.js'

const root = 'http://127.0.0.1:4010'

/** The options of every command of `world`. */
export const worldOptions = {
  ...withVariables({
    url: baseUrl('--url <url>', 'Root URL of the sandbox.', root).withDefault(root),
    key: apiKey('--key <key>', 'API key, which names the world.').withDefault('sbx_free'),
    token: secret(
      '--token <token>',
      'Token that the sandbox requires, sent as Sandbox-Token.',
      'printable ASCII characters without spaces',
      isSendable,
    ),
  }),
  environment: choice(
    '--environment <name>',
    'Environment of the world.',
    environments,
  ).withDefault('production'),
  json: flag('--json', 'Prints the response of the sandbox as JSON.'),
}
