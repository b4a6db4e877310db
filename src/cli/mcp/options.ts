import {
  apiKey,
  baseUrl,
  integer,
  type OptionValues,
  withVariables,
  worldOptions,
} from '../options.js'

const { token, environment } = worldOptions

export const mcpOptions = {
  ...withVariables({
    url: baseUrl(
      '--url <url>',
      'Root URL of a running sandbox. Default: the command starts one.',
      'http://127.0.0.1:4010',
    ),
    key: apiKey(
      '--key <key>',
      'API key of the world that tools use without a key. Default: a new key of the sandbox.',
    ),
  }),
  token,
  environment,
  port: integer(
    '--port <port>',
    'Port of the sandbox that the command starts. Default: a free port.',
    0,
    65_535,
  ),
  verifyUrl: baseUrl(
    '--verify-url <url>',
    'The {base_url} of a deployment, for the tool verify. Default: there is no such tool.',
    'https://api.shop.example/v1',
  ),
  verifyKey: apiKey('--verify-key <key>', 'API key of that deployment.').fromVariables(
    'PETSTORE_API_KEY',
  ),
}

/** The values of the options of `mcp`. */
export type McpOptions = OptionValues<typeof mcpOptions>
