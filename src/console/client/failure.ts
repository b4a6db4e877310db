/** Failure of a control request. Its message is shown on the page. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'

  /**
   * @param kind `unreachable`: there was no response. `unauthorized`: the key is invalid. `rejected`:
   * any other error.
   */
  constructor(
    readonly kind: 'unreachable' | 'unauthorized' | 'rejected',
    message: string,
  ) {
    super(message)
  }

  /** Converts an error response. */
  static fromResponse(status: number, body: string): ControlFailure {
    const kind = status === 401 ? 'unauthorized' : 'rejected'
    return new ControlFailure(kind, readMessage(body) ?? `the sandbox responded with ${status}`)
  }
}

/** Converts a thrown value. `fetch` throws a TypeError if there is no response. */
export function toFailure(error: unknown): ControlFailure {
  if (error instanceof ControlFailure) return error
  if (error instanceof TypeError) {
    return new ControlFailure('unreachable', 'the sandbox does not respond')
  }
  return new ControlFailure('rejected', error instanceof Error ? error.message : String(error))
}

/** Returns the message of an Error body (spec §2); undefined for any other string. */
export function readMessage(text: string): string | undefined {
  const body = parse(text)
  if (typeof body !== 'object' || body === null || !('message' in body)) return undefined
  return typeof body.message === 'string' ? body.message : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
