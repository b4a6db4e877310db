import { readMessage } from './read-message.js'

/** Why the control API did not do what was asked, in words for the reader of the page. */
export class SteeringFailure extends Error {
  override readonly name = 'SteeringFailure'

  /** @param kind No answer at all, a key that is none, or a request that does not fit. */
  constructor(
    readonly kind: 'unreachable' | 'refused' | 'rejected',
    message: string,
  ) {
    super(message)
  }
}

/** What went wrong as a failure that the page can show. */
export function toFailure(error: unknown): SteeringFailure {
  if (error instanceof SteeringFailure) return error
  if (error instanceof TypeError) {
    return new SteeringFailure('unreachable', 'the sandbox does not answer')
  }
  return new SteeringFailure('rejected', error instanceof Error ? error.message : String(error))
}

/** The failure that an answer other than a success tells of. */
export function readFailure(status: number, text: string): SteeringFailure {
  const kind = status === 401 ? 'refused' : 'rejected'
  return new SteeringFailure(kind, readMessage(text) ?? `the sandbox answers ${status}`)
}
