/** A failure that the user can mend: one line that says what was found, and the next step. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
