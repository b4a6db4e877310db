import { Command } from 'commander'
import type { Terminal } from '../terminal.js'

const examples = `
Examples:
  petstore-sandbox openapi > openapi.json
  petstore-sandbox openapi --output openapi.json`

/** `openapi`: prints the interface description. */
export function defineOpenApi(terminal: Terminal): Command {
  return new Command('openapi')
    .description('Print the OpenAPI document of the service, as JSON.')
    .option('-o, --output <file>', 'write it to a file instead')
    .addHelpText('after', examples)
    .action(async ({ output }: { output?: string }) => {
      const { printOpenApi } = await import('../print-openapi.js')
      await printOpenApi(output, terminal)
    })
}
