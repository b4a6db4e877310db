import { UsageError } from '../verify/usage-error.js'
import { ScenarioError } from '../world/scenario/error.js'

/** Scenario files are invalid. The message has the first problem and the number of others. */
export class FilesError extends UsageError {
  /** @param lines One for each problem. */
  constructor(readonly lines: readonly string[]) {
    const [first = '', ...others] = lines
    const rest = others.length === 0 ? '' : `; and ${others.length} more`
    super(`${first}${rest}; petstore-sandbox check FILE prints every problem`)
  }
}

/**
 * Returns one line for each problem of scenario files: `file: path must be …, found …`. Throws any other
 * error again.
 */
export function toProblemLines(error: unknown): readonly string[] {
  if (error instanceof FilesError) return error.lines
  if (!(error instanceof ScenarioError)) throw error
  const { source, file = source, problems } = error
  return problems.map((problem) => `${file}: ${problem}`)
}
