import { CommanderError } from 'commander'
import { RemoteError } from '../control/client/error.js'
import { UsageError } from '../verify/usage-error.js'
import { ScenarioError } from '../world/scenario/error.js'

/** Returns one line for each problem of a scenario: `file: path must be …, found …`. */
export function toProblemLines(error: unknown): readonly string[] {
  if (!(error instanceof ScenarioError)) throw error
  const { source, file = source, problems } = error
  return problems.map((problem) => `${file}: ${problem}`)
}

/**
 * Throws if there are problems. The message has the first one and the number of others.
 *
 * @throws {UsageError}
 */
export function rejectProblems(lines: readonly string[] = []): void {
  const [first, ...others] = lines
  if (first === undefined) return
  const rest = others.length === 0 ? '' : `; and ${others.length} more`
  throw new UsageError(`${first}${rest}; petstore-sandbox check FILE prints every problem`)
}

/** Returns the message of a failure that the user can correct; undefined for any other error. */
export function toFailureLine(error: unknown): string | undefined {
  if (error instanceof UsageError || error instanceof RemoteError) return error.message
  if (error instanceof ScenarioError) return toProblemLines(error).join('; ')
  if (error instanceof CommanderError) return toSentence(error)
  return undefined
}

/** Converts `error: unknown option '--prot'\n(Did you mean --port?)` to one line without prefix. */
function toSentence({ message }: CommanderError): string {
  return message
    .replace(/^error: /, '')
    .replaceAll(/\.?\n/g, ' ')
    .replace(/\.$/, '')
}
