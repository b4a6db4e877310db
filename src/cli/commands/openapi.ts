import { Command } from 'commander'
import type { OpenApiChoice } from '../print-openapi.js'
import type { Terminal } from '../terminal.js'

const examples = `
Examples:
  petstore-sandbox openapi > openapi.json
  petstore-sandbox openapi --output openapi.json
  petstore-sandbox openapi --control > openapi.sandbox.json`

/** `openapi`: prints the interface description. */
export function defineOpenApi(terminal: Terminal): Command {
  return new Command('openapi')
    .description('Print the OpenAPI document of the service, as JSON.')
    .option('--control', 'the document of the control API in its place')
    .option('-o, --output <file>', 'write it to a file instead')
    .addHelpText('after', examples)
    .action(async (choice: OpenApiChoice) => {
      const { printOpenApi } = await import('../print-openapi.js')
      await printOpenApi(choice, terminal)
    })
}
