import type { JournalEntry } from '../../world/journal/journal.js'
import type { StartUp } from './start-up.js'

/** What `serve` tells while it runs. */
export interface ServeLog {
  /** The sandbox listens. */
  started(startUp: StartUp): void
  /** A call was answered. */
  called(entry: JournalEntry): void
  /** Something happened to the sandbox, in one line. */
  noted(line: string): void
  /** Something does not fit, in one line; the sandbox goes on as it was. */
  failed(line: string): void
}

/** Why a call was refused: the last line of its explanation, without the status. */
export function toReason({ status, explanation }: JournalEntry): string | undefined {
  if (status >= 100 && status < 400) return undefined
  return explanation.at(-1)?.replace(/^refused with \d+ /, '')
}
