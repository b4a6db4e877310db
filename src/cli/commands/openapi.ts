import { Command } from 'commander'
import { toExamples } from '../options.js'
import { type Terminal, writeOutput } from '../terminal.js'

interface OpenApiOptions {
  readonly control?: true
  readonly output?: string
}

/** Defines `openapi`, which prints an OpenAPI document. */
export function defineOpenApi(terminal: Terminal): Command {
  return new Command('openapi')
    .description('Prints the OpenAPI document of the service, as JSON.')
    .option('--control', 'Prints the document of the control API instead.')
    .option('-o, --output <file>', 'Writes to this file instead of stdout.')
    .addHelpText(
      'after',
      toExamples([
        'openapi > openapi.json',
        'openapi --output openapi.json',
        'openapi --control > openapi.sandbox.json',
      ]),
    )
    .action(async ({ control, output }: OpenApiOptions) => {
      const document = control ? await createControlDocument() : await createDocument()
      await writeOutput(`${JSON.stringify(document, null, 2)}\n`, output, terminal)
    })
}

async function createDocument(): Promise<object> {
  const { toOpenApi } = await import('../../openapi/service.js')
  return toOpenApi()
}

async function createControlDocument(): Promise<object> {
  const { toControlOpenApi } = await import('../../openapi/control.js')
  return toControlOpenApi()
}
