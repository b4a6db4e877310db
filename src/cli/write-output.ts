import { writeFile } from 'node:fs/promises'
import { CliError } from './cli-error.js'
import type { Terminal } from './terminal.js'

/**
 * Writes what a command makes to the file of `--output`, or prints it where there is none.
 *
 * @throws {CliError} When the file cannot be written.
 */
export async function writeOutput(
  text: string,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output === undefined) {
    terminal.stdout.write(text)
    return
  }
  try {
    await writeFile(output, text)
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    throw new CliError(`--output must be a file that can be written, found ${found}`)
  }
  terminal.stderr.write(`wrote ${output}\n`)
}
