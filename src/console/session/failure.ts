import type { ControlFailure } from '../../control/client/client.js'
import { RemoteError } from '../../control/client/error.js'
import { requestIdHeader } from '../../service/headers.js'

/** A failure as the page shows it. */
export interface Failure {
  readonly message: string
  /** What the user can do, or tell the operator, in whole sentences. */
  readonly advice: string
  readonly code?: string
  /** Without which the same request cannot succeed: another key, or the permission to control the world. */
  readonly needs?: 'key' | 'permission' | undefined
}

type Words = Pick<RemoteError, 'message' | 'advice'>

/** Words the failure of a control request. */
export function describeFailure({ code, reason = '', response }: ControlFailure): Words {
  if (!response) {
    const advice = 'Is it still running? Check the connection, too.'
    return { message: 'the sandbox does not respond', advice }
  }
  if (code === 'foreign_response') return describeForeign(response.status)
  const requestId = response.headers.get(requestIdHeader)
  return { message: showShortKeys(reason), advice: requestId ? `Request id: ${requestId}.` : '' }
}

/** Words a response that is not from a sandbox, but for example from a reverse proxy. */
function describeForeign(status: number): Words {
  const [, meaning, advice] =
    foreignResponses.find(([statuses]) => statuses.includes(status)) ??
    (status < 400 ? wrongContent : otherServer)
  const found = status === 0 ? 'a redirect' : status
  return { message: `${found} is not a response of the sandbox: ${meaning}`, advice }
}

/** What a response means that a sandbox does not send, and what the user can do. */
type Explanation = readonly [statuses: readonly number[], meaning: string, advice: string]

const wrongContent: Explanation = [
  [],
  'it does not have the content that a sandbox sends',
  'Check that the reverse proxy forwards every path below the address of this page to the sandbox, and does not redirect to a sign-in page.',
]
const otherServer: Explanation = [
  [],
  'a server between this page and the sandbox sent it',
  'Check the log of the reverse proxy.',
]
const foreignResponses: readonly Explanation[] = [
  [
    [401, 403, 407],
    'a reverse proxy requires a sign-in, or denies access',
    'Sign in at the proxy and reload the page.',
  ],
  [
    [404],
    'no sandbox is served at this address',
    'Check that the reverse proxy forwards every path below the address of this page to the sandbox, without the path prefix.',
  ],
  [
    [413],
    'the body is larger than a reverse proxy accepts',
    'Let the proxy accept bodies of 8 MiB, for example with client_max_body_size in nginx.',
  ],
  [
    [429],
    'a reverse proxy limits the number of requests',
    'This is not a limit of the service. Wait, or raise the limit of the proxy.',
  ],
  [
    [502, 503, 504],
    'the reverse proxy cannot reach the sandbox',
    'Check that the sandbox is running, and that the proxy forwards to its port.',
  ],
]

/** Returns what failed, and what the user can do. */
export function toSentences({ message, advice }: Words): string {
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
