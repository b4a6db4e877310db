/** Failure of a control request. Its message is shown on the page. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'

  /**
   * @param kind `unreachable`: there was no response. `unauthorized`: the key is invalid. `denied`:
   * the key or the token does not permit the request. `rejected`: any other error.
   */
  constructor(
    readonly kind: 'unreachable' | 'unauthorized' | 'denied' | 'rejected',
    message: string,
  ) {
    super(message)
  }

  /** Converts an error response. */
  static fromResponse(status: number, body: string): ControlFailure {
    return new ControlFailure(
      toKind(status, body),
      readMessage(body) ?? `the sandbox responded with ${status}`,
    )
  }

  /** Whether the same request can succeed only with another key or token. */
  get needsOtherAccess(): boolean {
    return this.kind === 'unauthorized' || this.kind === 'denied'
  }
}

function toKind(status: number, body: string): ControlFailure['kind'] {
  if (status === 401) return 'unauthorized'
  return readField(body, 'code') === 'control_denied' ? 'denied' : 'rejected'
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
  return readField(text, 'message')
}

function readField(text: string, name: 'code' | 'message'): string | undefined {
  const body = parse(text)
  if (typeof body !== 'object' || body === null) return undefined
  const value: unknown = Reflect.get(body, name)
  return typeof value === 'string' ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
