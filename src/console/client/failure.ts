import { readMessage } from './read-message.js'

/** Why the control API did not do what was asked, in words for the reader of the page. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'

  /** @param kind No answer at all, a key that is none, or a request that does not fit. */
  constructor(
    readonly kind: 'unreachable' | 'refused' | 'rejected',
    message: string,
  ) {
    super(message)
  }
}

/** What went wrong as a failure that the page can show. */
export function toFailure(error: unknown): ControlFailure {
  if (error instanceof ControlFailure) return error
  if (error instanceof TypeError) {
    return new ControlFailure('unreachable', 'the sandbox does not answer')
  }
  return new ControlFailure('rejected', error instanceof Error ? error.message : String(error))
}

/** The failure that an answer other than a success tells of. */
export function readFailure(status: number, text: string): ControlFailure {
  const kind = status === 401 ? 'refused' : 'rejected'
  return new ControlFailure(kind, readMessage(text) ?? `the sandbox answers ${status}`)
}
