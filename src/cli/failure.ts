import { CommanderError } from 'commander'
import { ScenarioError } from '../scenario/error.js'
import { CliError } from './cli-error.js'

/** One line for each place where a scenario does not fit: `file: path must be …, found …`. */
export function toProblemLines(error: unknown): readonly string[] {
  if (!(error instanceof ScenarioError)) throw error
  return error.problems.map((problem) => `${error.source}: ${problem}`)
}

/**
 * Several problem lines as the one line that a failing command prints.
 *
 * @throws {CliError} When there is any.
 */
export function refuseProblems(lines: readonly string[] = []): void {
  const [first, ...others] = lines
  if (first === undefined) return
  const rest = others.length === 0 ? '' : `; and ${others.length} more`
  throw new CliError(`${first}${rest}; petstore-sandbox check FILE shows all that does not fit`)
}

/** The line for a failure that the user can mend; undefined for a defect. */
export function toFailureLine(error: unknown): string | undefined {
  if (error instanceof CliError) return error.message
  if (error instanceof ScenarioError) return toProblemLines(error).join('; ')
  if (error instanceof CommanderError) return toSentence(error)
  return undefined
}

/** `error: unknown option '--prot'\n(Did you mean --port?)` without the word and in one line. */
function toSentence({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '')
}
