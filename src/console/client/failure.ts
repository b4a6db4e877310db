/**
 * Why a request of the page failed. `unreachable`: there was no response. `foreign`: the response is
 * not from the sandbox, but for example from a reverse proxy. `unauthorized`: the key is invalid.
 * `denied`: the key or the token does not permit the request. `rejected`: any other error.
 */
type FailureKind = 'unreachable' | 'foreign' | 'unauthorized' | 'denied' | 'rejected'

/** Failure of a control request, or of loading a document. Its message is shown on the page. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'

  /**
   * @param advice What the user can do, in whole sentences; empty if the message says it.
   * @param status Status of the response, if there was one.
   * @param code Code of the Error body, if there was one.
   */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly advice = '',
    readonly status?: number,
    readonly code?: string,
  ) {
    super(message)
  }

  /** Converts a response that is an error, or that does not have the expected content. */
  static fromResponse(status: number, body: string): ControlFailure {
    const code = readField(body, 'code')
    const message = readMessage(body)
    if (code === undefined || message === undefined) {
      const { meaning, advice } = explainForeign(status)
      const text = `${status} is not a response of the sandbox: ${meaning}`
      return new ControlFailure('foreign', text, advice, status)
    }
    return new ControlFailure(toKind(status, code), showShortKeys(message), '', status, code)
  }

  /** Whether the same request can succeed only with another key or token. */
  get needsOtherAccess(): boolean {
    return this.kind === 'unauthorized' || this.kind === 'denied'
  }
}

/**
 * Removes the ellipsis of masked keys that are shown as a whole, such as `sbx_free…`. A longer key
 * is shown with 12 characters.
 */
export function showShortKeys(text: string): string {
  return text.replace(/\b(sbx_[\w+-]{1,7})…/g, '$1')
}

function toKind(status: number, code: string): FailureKind {
  if (status === 401) return 'unauthorized'
  return code === 'control_denied' ? 'denied' : 'rejected'
}

interface Explanation {
  readonly meaning: string
  readonly advice: string
}

const signIn: Explanation = {
  meaning: 'a reverse proxy requires a sign-in, or denies access',
  advice: 'Sign in at the proxy and reload the page.',
}

/** Explanations of responses that a sandbox does not send, by status. */
const foreignResponses: Readonly<Record<number, Explanation>> = {
  401: signIn,
  403: signIn,
  404: {
    meaning: 'no sandbox is served at this address',
    advice:
      'Check that the reverse proxy forwards every path below the address of this page to the sandbox, without the path prefix.',
  },
  407: signIn,
  413: {
    meaning: 'the body is larger than a reverse proxy accepts',
    advice: 'Let the proxy accept bodies of 8 MiB, for example with client_max_body_size in nginx.',
  },
  429: {
    meaning: 'a reverse proxy limits the number of requests',
    advice: 'This is not a limit of the service. Wait, or raise the limit of the proxy.',
  },
  502: {
    meaning: 'the reverse proxy cannot connect to the sandbox',
    advice: 'Check that the sandbox is running, and that the proxy forwards to its port.',
  },
  503: {
    meaning: 'the reverse proxy has no sandbox to which it can forward the request',
    advice: 'Check that the sandbox is running, and that the proxy is not in maintenance.',
  },
  504: {
    meaning: 'the reverse proxy has waited too long for the sandbox',
    advice: 'Check that the sandbox is running, and that the proxy can reach its port.',
  },
}

function explainForeign(status: number): Explanation {
  const known = foreignResponses[status]
  if (known) return known
  if (status < 400) {
    return {
      meaning: 'it does not have the content that a sandbox sends',
      advice:
        'Check that the reverse proxy forwards every path below the address of this page to the sandbox, and does not redirect to a sign-in page.',
    }
  }
  return {
    meaning: 'a server between this page and the sandbox sent it',
    advice: 'Check the log of the reverse proxy.',
  }
}

/** Converts a thrown value. `fetch` throws a TypeError if there is no response. */
export function toFailure(error: unknown): ControlFailure {
  if (error instanceof ControlFailure) return error
  if (error instanceof TypeError) {
    return new ControlFailure(
      'unreachable',
      'the sandbox does not respond',
      'Is it still running? Check the connection, too.',
    )
  }
  return new ControlFailure('rejected', error instanceof Error ? error.message : String(error))
}

/**
 * Reads the JSON body of a response.
 *
 * @throws {ControlFailure} If the connection breaks, or if the body is not JSON.
 */
export async function readJson(response: Response): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw toFailure(error)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw ControlFailure.fromResponse(response.status, text)
  }
}

/** Returns the message of an Error body (spec §2); undefined for any other string. */
export function readMessage(text: string): string | undefined {
  return readField(text, 'message')
}

function readField(text: string, name: 'code' | 'message'): string | undefined {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null) return undefined
  const value: unknown = Reflect.get(body, name)
  return typeof value === 'string' ? value : undefined
}

/** Parses JSON; undefined for any other string. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
