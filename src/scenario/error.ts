const maximumShown = 20

/** Thrown for an invalid scenario: the message names the file and every problem. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'

  /**
   * @param source The file or other origin of the scenario.
   * @param problems One sentence each: JSON path, wanted value, found value.
   */
  constructor(
    readonly source: string,
    readonly problems: readonly string[],
  ) {
    super(toMessage(source, problems))
  }
}

function toMessage(source: string, problems: readonly string[]): string {
  const [first = 'the scenario is invalid', ...others] = problems
  if (others.length === 0) return `${source}: ${first}`
  const shown = problems.slice(0, maximumShown).map((problem) => `\n  ${problem}`)
  const hidden = problems.length - shown.length
  return `${source}: ${problems.length} problems${shown.join('')}${hidden > 0 ? `\n  and ${hidden} more` : ''}`
}
