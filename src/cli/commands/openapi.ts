import { Command } from 'commander'
import * as z from 'zod/mini'
import type { OpenApiDocument, OpenApiOptions } from '../../service/openapi/document.js'
import { publicUrlSchema, toRoot } from '../../transport/http/hosts.js'
import {
  addOptions,
  envOption,
  flagSchema,
  option,
  outputOption,
  readOptions,
  toExamples,
} from '../options.js'
import { toJson } from '../render.js'
import { type Terminal, writeOutput } from '../terminal.js'

const versions = ['3.0', '3.1'] as const

const options = {
  control: option('--control', 'Prints the document of the control API instead.', flagSchema),
  publicUrl: envOption(
    '--public-url <url>',
    'Root URL of the sandbox, for the servers.',
    publicUrlSchema,
  ).default('http://127.0.0.1:4010'),
  openapi: option('--openapi <version>', 'Version of OpenAPI.', z.enum(versions))
    .choices(versions)
    .default('3.1'),
  output: outputOption(),
}

/** Defines `openapi`, which prints an OpenAPI document. */
export function defineOpenApi(terminal: Terminal): Command {
  const command = new Command('openapi')
    .description('Prints the OpenAPI document of the service, as JSON.')
    .addHelpText(
      'after',
      toExamples([
        'openapi > openapi.json',
        'openapi --openapi 3.0 --output openapi.json',
        'openapi --public-url https://sandbox.example/petstore',
        'openapi --control > openapi.sandbox.json',
      ]),
    )
  return addOptions(command, options).action(async () => {
    const { control, publicUrl, openapi, output } = readOptions(command, options)
    const document = await createDocument(control, { root: toRoot(publicUrl), openapi })
    await writeOutput(toJson(document), output, terminal)
  })
}

async function createDocument(
  isControl: boolean,
  options: OpenApiOptions,
): Promise<OpenApiDocument> {
  if (isControl) return (await import('../../control/document.js')).toControlOpenApi(options)
  return (await import('../../service/openapi/service.js')).toOpenApi(options)
}
