import { addresses, type Environment, environments } from '../../service/addresses.js'
import { maximumDelayMs } from '../../service/timers.js'
import { truncate } from '../../service/validation/message.js'
import { checkFields, checkSecret } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { version } from '../../service/version.js'
import type { WorldName } from '../../world/world.js'
import { ControlClient, type RemoteFetch } from '../client/client.js'
import { createDescription } from '../client/describe.js'
import { RemoteError } from '../client/error.js'
import { createMembers } from './members.js'
import { type ForkOptions, hideMembers, type RemoteWorld } from './world.js'

/** Options of {@link connect}. */
export interface ConnectOptions {
  /** Root URL of the sandbox, such as `http://127.0.0.1:4010`, with the path prefix of a proxy. */
  readonly url: string
  /** API key of the world. It is sent to this URL only. */
  readonly apiKey: string
  /** Token that the sandbox requires for control requests. Default: none. */
  readonly token?: string | undefined
  /** Deployment of the world. Default: `production`. */
  readonly environment?: Environment | undefined
  /** Maximum time of a request, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Closes the handle when it is aborted. */
  readonly signal?: AbortSignal | null | undefined
  /** Sends the requests, for example `sandbox.fetch`. Default: the global `fetch`. */
  readonly fetch?: RemoteFetch | undefined
}

const optionNames = ['url', 'apiKey', 'token', 'environment', 'timeoutMs', 'signal', 'fetch']

/**
 * Connects to a world of a sandbox over HTTP. Resolves when the sandbox has accepted the key.
 *
 * @example
 * const world = await connect({ url: 'http://127.0.0.1:4010', apiKey: 'sbx_free_default_ci-7' })
 * await world.use('rate-limited')
 * await world.clock.advance('PT60S')
 * await world.requests.waitFor('listInventory')
 * world.close()
 *
 * @throws {RemoteError} If the URL cannot be reached or is not a sandbox with the same major version,
 * or the sandbox rejects the key.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function connect(options: ConnectOptions): Promise<RemoteWorld> {
  const { url, environment, ...sent } = readOptions(options)
  const { staging, stagingControl, api, control, quickstart } = addresses
  const [service, own] = environment === 'staging' ? [staging, stagingControl] : [api, control]
  const describe = createDescription({ ...words, url })
  const client = new ControlClient({ ...sent, controlUrl: `${url}${own.httpPath}`, describe })
  const overview = await client.send('getOverview')
  checkVersion(url, overview.version)
  const baseUrl = `${url}${service.httpPath}`
  const quickstartBaseUrl = `${url}${quickstart.httpPath}`
  return openWorld(client, overview.world, { baseUrl, quickstartBaseUrl })
}

/** The addresses for the client under test. */
type BaseUrls = Pick<RemoteWorld, 'baseUrl' | 'quickstartBaseUrl'>

/** Opens a handle of the world of a key, which is closed with the signal of the given client. */
function openWorld({ target }: ControlClient, name: WorldName, urls: BaseUrls): RemoteWorld {
  const { apiKey } = target
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(target.signal ? [target.signal] : [])])
  const client = new ControlClient({ ...target, signal })
  const close = () => closing.abort()
  const members = Object.assign(createMembers(client), {
    ...urls,
    apiKey,
    headers: { Authorization: `Bearer ${apiKey}` },
    fork: (options?: ForkOptions) => fork(client, urls, options),
    close,
    [Symbol.asyncDispose]: async () => close(),
  })
  return Object.assign(hideMembers(members), { name: Object.freeze({ ...name }) })
}

/** Opens a handle of a new world of the same sandbox. */
async function fork(
  client: ControlClient,
  urls: BaseUrls,
  options: ForkOptions = {},
): Promise<RemoteWorld> {
  checkFields(options, ['plan', 'scenario'], 'the argument of fork')
  const { plan = 'free', scenario } = options
  // A key that a scenario lists belongs to one world.
  const source = scenario ?? { ...(await client.send('getSnapshot')), apiKeys: undefined }
  // A world whose key names its scenario starts from it again after a restart of the sandbox.
  const named = typeof scenario === 'string' ? scenario : undefined
  const { apiKey } = await client.send('createKey', { body: { plan, scenario: named } })
  const forked = client.withKey(apiKey)
  const { world } = await forked.send('putScenario', { body: source })
  return openWorld(forked, world, urls)
}

const wantedKey =
  'apiKey must be a key of this sandbox, such as sbx_free; petstore-sandbox key prints one'

const words = {
  option: 'url',
  advices: {
    timeout: 'check that the sandbox responds, or set timeoutMs',
    missing_api_key: wantedKey,
    invalid_api_key: wantedKey,
    control_denied:
      'connect with the key of a world of your own, or with the token of the sandbox; fork() creates a world',
    cross_origin_denied:
      'connect from Node.js, such as a task of the test runner, or serve the page and the sandbox at one origin',
    invalid_scenario: 'control.listScenarios() lists the known scenarios',
    pet_not_found: 'db.pets.list() lists the pets',
    resource_not_found: 'db.orders.list() lists the orders',
    resource_conflict: 'use another id',
    sandbox_capacity: 'remove records or close other clients of the sandbox',
  },
  otherwise: 'correct the request',
  namesResponse: true,
}

/** @throws {TypeError} If an option is unknown or invalid. The message contains no key or token. */
function readOptions(options: ConnectOptions) {
  checkFields(options, optionNames, 'the argument of connect')
  const { apiKey, token, signal, fetch = globalThis.fetch } = options
  const { environment = 'production', timeoutMs = 30_000 } = options
  const url = readUrl(options.url)
  checkSecret('apiKey', apiKey)
  if (token !== undefined) checkSecret('token', token)
  if (!environments.includes(environment))
    reject('environment', environments.join(' or '), environment)
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= maximumDelayMs)) {
    reject('timeoutMs', `a number above 0 and at most ${maximumDelayMs}`, timeoutMs)
  }
  if (typeof fetch !== 'function') {
    const hint = 'in jsdom, use jest-fixed-jsdom or pass the fetch of Node.js'
    throw new TypeError(`fetch must be a function, found ${describeValue(fetch)}; ${hint}`)
  }
  return { url, apiKey, token, environment, timeoutMs, signal, fetch }
}

function readUrl(found: unknown): string {
  const parsed = typeof found === 'string' && URL.canParse(found) ? new URL(found) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol)) {
    const { username, password, search, hash, origin, pathname } = parsed
    if (username + password + search + hash === '') return origin + pathname.replace(/\/+$/, '')
    const shown = truncate(`${parsed.host}${pathname}`)
    throw new TypeError(
      `url must have no user, query or fragment, found one of them in the URL of ${shown}`,
    )
  }
  return reject('url', 'the http or https URL of a sandbox, such as http://127.0.0.1:4010', found)
}

function reject(option: string, wanted: string, found: unknown): never {
  throw new TypeError(`${option} must be ${wanted}, found ${describeValue(found)}`)
}

/** @throws {RemoteError} If the sandbox has another major version. */
function checkVersion(url: string, found = 'none'): void {
  const [major] = version.split('.')
  if (found.split('.')[0] === major) return
  const advice = 'install the same version of petstore-sandbox for both'
  throw new RemoteError(
    'version_mismatch',
    `the sandbox at ${url} must have version ${major}, like this petstore-sandbox/connect, found ${truncate(found)}; ${advice}`,
    { advice },
  )
}
