import type { Command } from 'commander'
import type { z } from 'zod'
import { describeMismatch, validate } from '../validation/validate.js'
import { CliError } from './cli-error.js'
import { toCommandLine } from './command-line.js'

/**
 * Checks the options of a command.
 *
 * @throws {CliError} Naming the flag, or the variable of the environment that stated the value.
 */
export function readOptions<S extends z.ZodType>(command: Command, schema: S): z.output<S> {
  const result = validate(schema, command.opts())
  if (result.ok) return result.value
  const sentences = result.mismatches.map((mismatch) =>
    describeMismatch({ ...mismatch, path: toSource(command, mismatch.path) }),
  )
  throw new CliError(`${sentences.join('; ')}; see ${toCommandLine(command)} --help`)
}

/** The variable or the flag that stated the option at the path: `port`, `scenario[0]`. */
function toSource(command: Command, path: string): string {
  const option = command.options.find((one) => one.attributeName() === path.replace(/\W.*/, ''))
  const source = option && command.getOptionValueSource(option.attributeName())
  if (source && source !== 'cli' && source !== 'default') return source
  return option?.long ?? path
}
