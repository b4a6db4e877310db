import type { KeySigner } from '../service/api-key.js'
import { Problem } from '../service/errors.js'
import { tokenHeader } from '../service/headers.js'
import { truncate } from '../service/validation/message.js'
import type { ListedKeys } from '../world/world.js'
import type { World } from './world.js'

/** Whether the value of the `Sandbox-Token` header is the wanted token. */
export type TokenCheck = (token: string) => boolean

/** Who may create keys and control worlds. */
export interface AccessSettings {
  /** Signs the keys with a label. Undefined if every key with a label is accepted. */
  readonly signer?: KeySigner | undefined
  /** Who may create keys with `POST /sandbox/keys`: everyone, nobody, or clients with a token. */
  readonly keyIssuing: 'open' | 'off' | TokenCheck
  /** Who may control the world of a key: its clients, nobody, or clients that also have a token. */
  readonly control: 'own' | 'off' | TokenCheck
}

/** The access of a sandbox without further settings: every key is accepted and controls its world. */
export const openAccess: AccessSettings = { keyIssuing: 'open', control: 'own' }

/** How to get an issued key, for messages. */
export function howToGetKey({ keyIssuing }: AccessSettings): string {
  return keyIssuing === 'off'
    ? 'ask the operator of this sandbox for an issued key'
    : 'POST /sandbox/keys issues a key'
}

/**
 * Whether the journal of a world is shown without queries, headers and bodies, and its messages
 * without their text: with a key secret, if everyone can reach the world.
 */
export function hidesDetails({ signer }: AccessSettings, world: World): boolean {
  return signer !== undefined && isShared(world)
}

/** Whether an account may control a world if the world lists these keys. */
export function mayControl(
  { signer }: AccessSettings,
  world: World,
  accountId: string,
  apiKeys: ListedKeys,
): boolean {
  if (!signer || Object.hasOwn(apiKeys, accountId)) return true
  return !isShared(world) && Object.keys(apiKeys).length === 0
}

/** Whether everyone who knows the form of a key reaches the world. */
function isShared({ name }: World): boolean {
  return name.label === ''
}

/** The part of a request that access depends on. */
interface ControlRequestHead {
  readonly method: string
  header(name: string): string | undefined
}

/**
 * Checks whether a control request is permitted.
 *
 * @throws {Problem} control_denied
 */
export function checkControl(
  access: AccessSettings,
  request: ControlRequestHead,
  { permission, method }: { readonly permission?: 'world' | 'keys'; readonly method: string },
  key: { readonly world: World; readonly accountId: string; readonly maskedKey: string },
): void {
  if (permission === 'keys') {
    const off = 'this sandbox does not create keys; ask its operator for one'
    checkPermission(access.keyIssuing, request, off)
    return
  }
  checkPermission(access.control, request, 'this sandbox does not accept control requests')
  const { world, accountId, maskedKey } = key
  if (method === 'GET' || mayControl(access, world, accountId, world.apiKeys)) return
  const reason = isShared(world)
    ? `the world of the shared key ${maskedKey} can be read but not changed; ${howToGetKey(access)} for a world of your own`
    : `the scenario of this world lists API keys, and only they control it; found ${maskedKey}`
  throw new Problem('control_denied', reason)
}

/**
 * Rejects a request that is not permitted. The message does not contain the token.
 *
 * @throws {Problem} control_denied
 */
function checkPermission(
  permitted: 'open' | 'own' | 'off' | TokenCheck,
  request: ControlRequestHead,
  off: string,
): void {
  if (permitted === 'open' || permitted === 'own') return
  if (permitted === 'off') throw new Problem('control_denied', off)
  const token = request.header(tokenHeader.toLowerCase())
  if (token !== undefined && permitted(token)) return
  const found = token === undefined ? 'none' : 'another token'
  const message = `this control request must have the ${tokenHeader} header with the token of this sandbox, found ${found}`
  throw new Problem('control_denied', message)
}

/** Methods that change nothing. */
const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Rejects a state-changing request from a page of another origin, by the rules of Go's
 * CrossOriginProtection. Browsers send `Sec-Fetch-Site` or `Origin`; other clients send neither.
 *
 * @throws {Problem} cross_origin_denied
 */
export function rejectCrossOrigin(request: ControlRequestHead): void {
  if (safeMethods.includes(request.method)) return
  const site = request.header('sec-fetch-site') ?? ''
  const origin = request.header('origin') ?? ''
  if (site === 'same-origin' || site === 'none') return
  if (site === '' && (origin === '' || isHost(origin, request.header('host')))) return
  const from = truncate(origin || site)
  const message = `a page of another origin may not control a world, found a request from ${from}`
  throw new Problem('cross_origin_denied', message)
}

function isHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}
