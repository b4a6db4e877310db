const shownProblems = 20

/** A scenario that cannot be used: says where it was stated, and every reason why not. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'

  /**
   * @param source The file, or what else the scenario was read from.
   * @param problems One sentence each: JSON path, what was found, what was wanted.
   */
  constructor(
    readonly source: string,
    readonly problems: readonly string[],
  ) {
    super(toMessage(source, problems))
  }
}

function toMessage(source: string, problems: readonly string[]): string {
  const [first = 'does not fit', ...others] = problems
  if (others.length === 0) return `${source}: ${first}`
  const shown = problems.slice(0, shownProblems).map((problem) => `\n  ${problem}`)
  const hidden = problems.length - shown.length
  return `${source}: ${problems.length} problems${shown.join('')}${hidden > 0 ? `\n  and ${hidden} more` : ''}`
}
