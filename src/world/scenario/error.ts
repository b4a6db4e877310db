import { listFirst, maximumMismatches, truncate } from '../../service/validation/message.js'

const maximumShown = 20
/** Maximum length of one problem in a message, in characters. */
const maximumProblem = 1_000

/** Thrown for an invalid scenario: the message names the scenario and every problem. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
  /** One sentence each: JSON path, wanted value, found value. At most 50. */
  readonly problems: readonly string[]

  /**
   * @param source Origin of the scenario as clients may see it: `scenario my-shop`. While a file is
   *   loaded, its path.
   * @param problems One sentence each.
   * @param file Path of the scenario file, for messages on the server.
   */
  constructor(
    readonly source: string,
    problems: readonly string[],
    readonly file?: string | undefined,
  ) {
    const shortened = problems
      .slice(0, maximumMismatches)
      .map((problem) => truncate(problem, maximumProblem))
    super(toMessage(source, shortened))
    this.problems = shortened
  }
}

function toMessage(source: string, problems: readonly string[]): string {
  const [first = 'the scenario is invalid', ...others] = problems
  if (others.length === 0) return `${source}: ${first}`
  const shown = listFirst(problems, maximumShown).map((problem) => `\n  ${problem}`)
  // Validation stops at the maximum.
  const count =
    problems.length < maximumMismatches ? problems.length : `at least ${problems.length}`
  return `${source}: ${count} problems${shown.join('')}`
}
