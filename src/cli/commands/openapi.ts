import * as z from 'zod/mini'
import type { OpenApiDocument } from '../../service/openapi/build.js'
import type { OpenApiOptions } from '../../service/openapi/source.js'
import { publicUrlSchema, toRoot } from '../../transport/http/hosts.js'
import { defineCommand } from '../command.js'
import { flag, option, outputOptions } from '../options.js'
import { toJson } from '../render.js'
import { writeOutput } from '../terminal.js'

const versions = ['3.0', '3.1'] as const

/** Prints an OpenAPI document. */
export const openapi = defineCommand({
  name: 'openapi',
  description: 'Prints the OpenAPI document of the service, as JSON.',
  options: {
    isControl: flag('--control', 'Prints the document of the control API instead.'),
    publicUrl: option(
      '--public-url <url>',
      'Root URL of the sandbox, for the servers.',
      publicUrlSchema,
      'http://127.0.0.1:4010',
    ).fromVariables(),
    version: option('--openapi <version>', 'Version of OpenAPI.', z.enum(versions), '3.1').choices(
      versions,
    ),
    ...outputOptions(),
  },
  examples: [
    'openapi > openapi.json',
    'openapi --openapi 3.0 --output openapi.json',
    'openapi --public-url https://sandbox.example/petstore',
    'openapi --control > openapi.sandbox.json',
  ],
  async run({ isControl, publicUrl, version, ...options }, terminal) {
    const document = await createDocument(isControl, { root: toRoot(publicUrl), openapi: version })
    await writeOutput(toJson(document), options, terminal)
  },
})

async function createDocument(
  isControl: boolean,
  options: OpenApiOptions,
): Promise<OpenApiDocument> {
  if (isControl) return (await import('../../control/document.js')).toControlOpenApi(options)
  return (await import('../../service/openapi/service.js')).toOpenApi(options)
}
