import type { Command } from 'commander'
import type * as z from 'zod/mini'
import { UsageError } from '../service/validation/usage-error.js'
import { describeMismatch, validate } from '../service/validation/validate.js'
import { toCommandLine } from './options.js'

/**
 * Validates the options of a command.
 *
 * @throws {UsageError} If an option is invalid. The message names its flag or environment variable.
 */
export function readOptions<S extends z.ZodMiniType>(command: Command, schema: S): z.output<S> {
  const result = validate(schema, command.opts())
  if (result.ok) return result.value
  const sentences = result.mismatches.map((mismatch) => {
    const { path } = mismatch
    const found = maskCredentials(path, command.opts()[path], mismatch.found)
    return describeMismatch({ ...mismatch, path: toSource(command, path), found })
  })
  throw new UsageError(`${sentences.join('; ')}; see ${toCommandLine(command)} --help`)
}

/** Returns what was found, without the password that a URL may contain. */
function maskCredentials(path: string, value: unknown, found: string): string {
  const isUrl = /url$|redis/i.test(path)
  return isUrl && String(value).includes('@') ? 'one with a user name or a password' : found
}

/** Returns the variable or flag that set the option at a path such as `port` or `scenario[0]`. */
function toSource(command: Command, path: string): string {
  const option = command.options.find(
    (candidate) => candidate.attributeName() === path.replace(/\W.*/, ''),
  )
  const source = option && command.getOptionValueSource(option.attributeName())
  if (source && source !== 'cli' && source !== 'default') return source
  return option?.long ?? path
}
