import { toControlOpenApi } from '../../engine/control-document.js'
import { toOpenApi } from '../../service/openapi/service.js'
import { defineCommand } from '../command.js'
import { baseUrl, choice, flag, outputOption } from '../options.js'
import { toJson } from '../render.js'
import { writeOutput } from '../terminal.js'

const root = 'http://127.0.0.1:4010'
const example = 'https://sandbox.example/petstore'

/** Prints an OpenAPI document. */
export const createCommand = defineCommand({
  name: 'openapi',
  description: 'Prints the OpenAPI document of the service, as JSON.',
  options: {
    isControl: flag('--control', 'Prints the document of the control API instead.'),
    publicUrl: baseUrl('--public-url <url>', 'Root URL of the sandbox, for the servers.', example)
      .withDefault(root)
      .fromVariables(),
    version: choice('--openapi <version>', 'Version of OpenAPI.', ['3.0', '3.1']).withDefault(
      '3.1',
    ),
    output: outputOption(),
  },
  examples: [
    'openapi > openapi.json',
    'openapi --openapi 3.0 --output openapi.json',
    `openapi --public-url ${example}`,
    'openapi --control > openapi.sandbox.json',
  ],
  async run({ isControl, publicUrl, version, ...options }, terminal) {
    const settings = { root: publicUrl, openapi: version }
    const document = isControl ? await toControlOpenApi(settings) : toOpenApi(settings)
    await writeOutput(toJson(document), options, terminal)
  },
})
