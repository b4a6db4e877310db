import { parseJson } from '../../../service/json.js'

/**
 * Why a request of the page failed. `unreachable`: there was no response. `foreign`: the response is
 * not from the sandbox, but for example from a reverse proxy. `unauthorized`: the key is invalid.
 * `denied`: the key or the token does not permit the request. `rejected`: any other error.
 */
type FailureKind = 'unreachable' | 'foreign' | 'unauthorized' | 'denied' | 'rejected'

/** What a response means that is not from a sandbox, and what the user can do. */
export interface Explanation {
  readonly meaning: string
  readonly advice: string
}

/** Explains a response that is not from a sandbox by its status. */
export type ExplainForeign = (status: number) => Explanation

/** Failure of a control request, or of loading a document. Its message is shown on the page. */
export class ControlFailure extends Error {
  override readonly name = 'ControlFailure'

  /**
   * @param advice What the user can do, or tell the operator, in whole sentences.
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

  /**
   * Converts a response that is an error, or that does not have the expected content.
   *
   * @param explain Explains a response that is not from a sandbox.
   * @param requestId Value of `X-Request-Id`, by which the operator finds the request.
   */
  static fromResponse(
    status: number,
    body: string,
    explain: ExplainForeign = explainForeignClass,
    requestId: string | null = null,
  ): ControlFailure {
    const code = readField(body, 'code')
    const message = readMessage(body)
    if (code === undefined || message === undefined) {
      const { meaning, advice } = explain(status)
      const text = `${status} is not a response of the sandbox: ${meaning}`
      return new ControlFailure('foreign', text, advice, status)
    }
    const advice = requestId === null ? '' : `Request id: ${requestId}.`
    return new ControlFailure(toKind(status, code), showShortKeys(message), advice, status, code)
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

/** Explains a response that is not from a sandbox by whether it is an error. */
export function explainForeignClass(status: number): Explanation {
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
