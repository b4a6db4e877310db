import { addresses, type Environment, environments } from '../../service/addresses.js'
import { maximumDelayMs } from '../../service/timers.js'
import { truncate } from '../../service/validation/message.js'
import { checkFields, checkSecret } from '../../service/validation/options.js'
import { describeValue } from '../../service/validation/validate.js'
import { version } from '../../service/version.js'
import { ControlClient, type RemoteFetch } from '../client/client.js'
import { RemoteError } from '../client/error.js'
import type { ControlResult } from '../operations.js'
import { createDescription } from './describe.js'
import { RemoteWorld } from './world.js'

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
  readonly signal?: AbortSignal | undefined
  /** Sends the requests, for example `sandbox.fetch`. Default: the global `fetch`. */
  readonly fetch?: RemoteFetch | undefined
}

const optionNames = Object.keys({
  url: true,
  apiKey: true,
  token: true,
  environment: true,
  timeoutMs: true,
  signal: true,
  fetch: true,
} satisfies Record<keyof ConnectOptions, true>)

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
 * @throws {RemoteError} If the URL cannot be reached, is not that of a sandbox with the same major
 * version, or the sandbox rejects the key.
 * @throws {TypeError} If an option is unknown or invalid.
 */
export async function connect(options: ConnectOptions): Promise<RemoteWorld> {
  const { url, apiKey, token, environment, timeoutMs, signal } = readOptions(options)
  const { staging, stagingControl, api, control } = addresses
  const [service, own] = environment === 'staging' ? [staging, stagingControl] : [api, control]
  const closing = new AbortController()
  const client = new ControlClient({
    controlUrl: `${url}${own.httpPath}`,
    apiKey,
    token,
    timeoutMs,
    fetch: readFetch(options.fetch),
    signal: signal ? AbortSignal.any([closing.signal, signal]) : closing.signal,
    describe: createDescription(url),
  })
  const overview = await client.send('getOverview')
  checkVersion(url, overview)
  return new RemoteWorld(client, {
    name: overview.world,
    baseUrl: `${url}${service.httpPath}`,
    quickstartBaseUrl: `${url}${addresses.quickstart.httpPath}`,
    close: (reason) => closing.abort(reason),
  })
}

/** @throws {TypeError} If an option is unknown or invalid. The message contains no key or token. */
function readOptions(options: ConnectOptions) {
  checkFields(options, optionNames, 'the argument of connect')
  const { apiKey, token, environment = 'production', timeoutMs = 30_000, signal } = options
  const url = readUrl(options.url)
  checkSecret('apiKey', apiKey)
  if (token !== undefined) checkSecret('token', token)
  if (!environments.includes(environment)) {
    const found = describeValue(environment)
    throw new TypeError(`environment must be ${environments.join(' or ')}, found ${found}`)
  }
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= maximumDelayMs)) {
    const wanted = `a number above 0 and at most ${maximumDelayMs}`
    throw new TypeError(`timeoutMs must be ${wanted}, found ${describeValue(timeoutMs)}`)
  }
  return { url, apiKey, token, environment, timeoutMs, signal }
}

/** Returns a function that calls `fetch` without a receiver, which browsers reject. */
function readFetch(found: RemoteFetch | undefined): RemoteFetch {
  const send: unknown = found ?? globalThis.fetch
  if (typeof send === 'function') return (url, init) => send(url, init)
  const hint = 'in jsdom, use jest-fixed-jsdom or pass the fetch of Node.js'
  throw new TypeError(`fetch must be a function, found ${describeValue(send)}; ${hint}`)
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
  const wanted = 'the http or https URL of a sandbox, such as http://127.0.0.1:4010'
  throw new TypeError(`url must be ${wanted}, found ${describeValue(found)}`)
}

/** @throws {RemoteError} If the sandbox has another major version. */
function checkVersion(url: string, overview: Partial<ControlResult<'getOverview'>>): void {
  const found = overview.version ?? 'none'
  const [major] = version.split('.')
  if (found.split('.')[0] === major) return
  const advice = 'install the same version of petstore-sandbox for both'
  throw new RemoteError(
    'version_mismatch',
    `the sandbox at ${url} must have version ${major}, like this petstore-sandbox/connect, found ${truncate(found)}; ${advice}`,
    { advice },
  )
}
