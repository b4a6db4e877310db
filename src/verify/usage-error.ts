/** A failure that the user can correct. Its message is one line, with the next step. */
export class UsageError extends Error {
  override readonly name = 'UsageError'

  /** @param exitCode Default: the exit code for other failures of the command. */
  constructor(
    message: string,
    readonly exitCode?: number,
  ) {
    super(message)
  }
}
