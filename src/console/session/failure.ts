import type { ControlFailure } from '../../control/client/client.js'
import { RemoteError } from '../../control/client/error.js'
import { requestIdHeader } from '../../service/headers.js'
import { parseJson } from '../../service/json.js'
import { readErrorField } from '../../service/validation/message.js'

/** A failure as the page shows it. */
export interface Failure {
  readonly message: string
  /** What the user can do, or tell the operator, in whole sentences. */
  readonly advice: string
  readonly code?: string
  /** Without which the same request cannot succeed: another key, or the permission to control the world. */
  readonly needs?: 'key' | 'permission' | undefined
}

/** What a response means that is not from a sandbox, and what the user can do. */
export interface Explanation {
  readonly meaning: string
  readonly advice: string
}

/** Explains a response that is not from a sandbox by its status. */
export type ExplainForeign = (status: number) => Explanation

/** Returns the function that words the failures of control requests. */
export function describeFailure(
  explain: ExplainForeign = explainForeignClass,
): (failure: ControlFailure) => Pick<RemoteError, 'message' | 'advice'> {
  return ({ code, reason = '', response }) => {
    if (!response) {
      return {
        message: 'the sandbox does not respond',
        advice: 'Is it still running? Check the connection, too.',
      }
    }
    if (code === 'foreign_response') return describeForeign(response.status, explain)
    const requestId = response.headers.get(requestIdHeader)
    return {
      message: showShortKeys(reason),
      advice: requestId ? `Request id: ${requestId}.` : '',
    }
  }
}

/** Words a response that is not from a sandbox. */
export function describeForeign(
  status: number,
  explain: ExplainForeign,
): Pick<RemoteError, 'message' | 'advice'> {
  const { meaning, advice } = explain(status)
  const found = status === 0 ? 'a redirect' : status
  return { message: `${found} is not a response of the sandbox: ${meaning}`, advice }
}

/** Returns what failed, and what the user can do. */
export function toSentences({ message, advice }: Pick<Failure, 'message' | 'advice'>): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}. ${advice}`.trim()
}

/** Converts a thrown value. */
export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof RemoteError)) return { message, advice: '' }
  const { code, status, advice } = error
  if (code === 'control_denied') return { message, advice, code, needs: 'permission' }
  const isKeyInvalid = status === 401 && code !== 'foreign_response'
  return { message, advice, code, needs: isKeyInvalid ? 'key' : undefined }
}

/**
 * Removes the ellipsis of masked keys that are shown as a whole, such as `sbx_free…`. A longer key
 * is shown with 12 characters.
 */
export function showShortKeys(text: string): string {
  return text.replace(/\b(sbx_[\w+-]{1,7})…/g, '$1')
}

/** Returns the message of an Error body (spec §2); undefined for any other string. */
export function readMessage(text: string): string | undefined {
  return readErrorField(parseJson(text), 'message')
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
