import { toPlainLine } from '../service/validation/message.js'

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

/** Exit code if a deployment does not respond, or the command cannot use its responses. */
const incompleteCode = 2

/** The command cannot complete, because of a deployment, its limit or a file. */
export class Incomplete extends UsageError {
  constructor(message: string) {
    super(toPlainLine(message), incompleteCode)
  }
}
