import { maskApiKey } from '../../service/api-key.js'
import { createMask } from '../../service/mask.js'
import { readErrorField, toPlainLine, truncate } from '../../service/validation/message.js'
import type { ControlFailure, ControlTarget } from './client.js'

type Advices = Readonly<Partial<Record<string, string>>>

/** What differs between the words for programs and those for the command line. */
interface Words {
  /** Root URL of the sandbox. */
  readonly url: string
  /** Name of the option with the URL of the sandbox. */
  readonly option: string
  /** What to do after an error, by its code, in addition to the common advices. */
  readonly advices: Advices
  /** What to do after an error that has no other advice. */
  readonly otherwise: string
  /** Whether the message of an error response begins with its URL and status. */
  readonly namesResponse: boolean
}

/** Returns the function that words failures for programs and for the command line. */
export function createDescription(words: Words): ControlTarget['describe'] {
  const wantedUrl = `${words.option} must be the root of a sandbox such as http://127.0.0.1:4010`
  const advices: Advices = {
    closed: 'connect again',
    timeout: 'check that the sandbox responds',
    unreachable: `start one with petstore-sandbox, or set ${words.option}`,
    redirect: `the key is not sent there; set ${words.option} to the root of the sandbox itself`,
    foreign_response: wantedUrl,
    route_not_found: wantedUrl,
    method_not_allowed: wantedUrl,
    host_not_allowed: 'start the sandbox with --allowed-hosts or --public-url',
    sandbox_unavailable: 'try again when the store of the sandbox can be reached',
    internal_error: 'see the log of the sandbox',
    ...words.advices,
  }
  return (failure, target) => {
    const { code, response } = failure
    const kind = code === 'foreign_response' && response && isRedirect(response) ? 'redirect' : code
    const advice = (Object.hasOwn(advices, kind) && advices[kind]) || words.otherwise
    const message = maskCredentials(toMessage(failure, target, words), target)
    const seconds = Number(response?.headers.get('Retry-After') ?? Number.NaN)
    const retryAfter = Number.isFinite(seconds) && { retryAfterSeconds: seconds }
    return { message: `${message}; ${advice}`, advice, ...retryAfter }
  }
}

function toMessage(
  { code, reason = '', response, error }: ControlFailure,
  target: ControlTarget,
  { url, namesResponse }: Words,
): string {
  const { controlUrl, apiKey, timeoutMs } = target
  // What a server has sent is masked before it is cut, so that no part of a key remains.
  const toPlain = (text: string) => truncate(maskCredentials(toPlainLine(text), target))
  if (code === 'closed') return 'this handle is closed'
  if (code === 'timeout') return `no response from ${url} within ${timeoutMs} ms`
  if (!response) return `no sandbox responds at ${url} (${toPlain(readCause(error))})`
  if (code === 'foreign_response') {
    const found = toPlain(describeForeign(response))
    return `the server at ${url} is not a petstore-sandbox of this version, found ${found}`
  }
  const key = response.status === 401 ? ` for the key ${maskApiKey(apiKey)}` : ''
  const prefix = namesResponse ? `${controlUrl} responded with ${response.status} ` : ''
  return `${prefix}${toPlain(code)}${key}: ${toPlainLine(reason.replaceAll(/\s*\n\s*/g, '; '))}`
}

/** Returns what was found instead of a response of a sandbox. */
function describeForeign(response: Response): string {
  const { status, headers } = response
  return isRedirect(response)
    ? `a redirect to ${headers.get('Location') ?? 'another URL'}`
    : `${status} with ${headers.get('Content-Type') ?? 'no content type'}`
}

function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

/** Returns the system's code for a missing response, such as ECONNREFUSED, or a message. */
function readCause(error: unknown): string {
  // fetch wraps the error of the system.
  const cause: unknown = (error instanceof Error && error.cause) || error
  return readErrorField(cause, 'code') || readErrorField(cause, 'message') || String(error)
}

/** Masks the key and the token in a message. A server or a proxy may repeat them. */
function maskCredentials(text: string, { apiKey, token }: ControlTarget): string {
  const masked = createMask([apiKey])(text)
  return token === undefined ? masked : masked.replaceAll(token, '…')
}
