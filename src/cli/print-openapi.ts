import { toControlOpenApi } from '../openapi/control.js'
import { toOpenApi } from '../openapi/service.js'
import type { Terminal } from './terminal.js'
import { writeOutput } from './write-output.js'

/** Which document, and where to. */
export interface OpenApiChoice {
  /** The document of steering in place of that of the service. */
  readonly control?: boolean
  /** A file; without one, the document is printed. */
  readonly output?: string
}

/**
 * Prints an OpenAPI document, or writes it to a file.
 *
 * @throws {CliError} When the file cannot be written.
 */
export async function printOpenApi(
  { control, output }: OpenApiChoice,
  terminal: Terminal,
): Promise<void> {
  const text = `${JSON.stringify(control ? toControlOpenApi() : toOpenApi(), null, 2)}\n`
  await writeOutput(text, output, terminal)
}
