import { Command, Option } from 'commander'
import * as z from 'zod/mini'
import type { OpenApiDocument, OpenApiOptions } from '../../service/openapi/document.js'
import { publicUrlSchema, toRoot } from '../../transport/http/hosts.js'
import { EnvOption, toExamples } from '../options.js'
import { readOptions } from '../read-options.js'
import { type Terminal, writeOutput } from '../terminal.js'

/** Defines `openapi`, which prints an OpenAPI document. */
export function defineOpenApi(terminal: Terminal): Command {
  const versions = new Option('--openapi <version>', 'Version of OpenAPI.')
  const command = new Command('openapi')
    .description('Prints the OpenAPI document of the service, as JSON.')
    .option('--control', 'Prints the document of the control API instead.')
    .addOption(
      new EnvOption('--public-url <url>', 'Root URL of the sandbox, for the servers.').default(
        'http://127.0.0.1:4010',
      ),
    )
    .addOption(versions.choices(['3.0', '3.1']).default('3.1'))
    .option('-o, --output <file>', 'Writes to this file instead of stdout.')
    .addHelpText(
      'after',
      toExamples([
        'openapi > openapi.json',
        'openapi --openapi 3.0 --output openapi.json',
        'openapi --public-url https://sandbox.example/petstore',
        'openapi --control > openapi.sandbox.json',
      ]),
    )
  return command.action(async () => {
    const { control, publicUrl, openapi, output } = readOptions(command, optionsSchema)
    const document = await createDocument(control === true, { root: toRoot(publicUrl), openapi })
    await writeOutput(`${JSON.stringify(document, null, 2)}\n`, output, terminal)
  })
}

const optionsSchema = z.strictObject({
  control: z.optional(z.literal(true)),
  publicUrl: publicUrlSchema,
  openapi: z.enum(['3.0', '3.1']),
  output: z.optional(z.string()),
})

async function createDocument(
  isControl: boolean,
  options: OpenApiOptions,
): Promise<OpenApiDocument> {
  if (isControl) return (await import('../../control/document.js')).toControlOpenApi(options)
  return (await import('../../service/openapi/service.js')).toOpenApi(options)
}
