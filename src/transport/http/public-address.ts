import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Problem } from '../../service/errors.js'
import { describeValue } from '../../service/validation/validate.js'
import { hostPattern } from './hosts.js'

/** Maximum number of characters in a header that a proxy sends. */
const maximumLength = 256

interface ForwardedHeader {
  readonly title: string
  readonly wanted: string
  readonly pattern: RegExp
}

const prefixPattern = /^\/$|^(?:\/(?!\.{1,2}(?:\/|$))[\w.~%@:+=-]+)+\/?$/

/** The headers in which a reverse proxy sends the address that the client requested. */
const forwardedHeaders = {
  'x-forwarded-proto': {
    title: 'X-Forwarded-Proto',
    wanted: 'http or https',
    pattern: /^https?$/i,
  },
  'x-forwarded-host': {
    title: 'X-Forwarded-Host',
    wanted: 'one host with an optional port',
    pattern: hostPattern,
  },
  'x-forwarded-prefix': {
    title: 'X-Forwarded-Prefix',
    wanted: 'a path that begins with a slash, without "." and ".." segments',
    pattern: prefixPattern,
  },
} as const satisfies Record<string, ForwardedHeader>

type ForwardedName = keyof typeof forwardedHeaders

const forwardedNames = Object.keys(forwardedHeaders) as ForwardedName[] // the keys of a const table

/**
 * The URL at which clients reach the server: that of `publicUrl`, or the one that trusted proxies
 * forward.
 */
export class PublicAddress {
  readonly #fixed: string | undefined
  /** Whether to read the headers of the proxies. */
  readonly isForwarded: boolean

  /** @param trustedProxies Number of proxies whose headers are trusted. */
  constructor(
    publicUrl: string | undefined,
    readonly trustedProxies: number,
  ) {
    this.#fixed = publicUrl === undefined ? undefined : toRoot(publicUrl)
    this.isForwarded = this.#fixed === undefined && trustedProxies > 0
  }

  /** If `isForwarded`, returns the problem of a header that a proxy sent. */
  findProblem({ headers }: IncomingMessage): Problem | undefined {
    for (const name of forwardedNames) {
      const value = this.#read(headers, name)
      const { title, wanted, pattern }: ForwardedHeader = forwardedHeaders[name]
      if (value === '' || (value.length <= maximumLength && pattern.test(value))) continue
      const message = `the ${title} header must be ${wanted}, found ${describeValue(value)}`
      return new Problem('malformed_request', message)
    }
    return undefined
  }

  /** Returns the host that a proxy sent. */
  readHost({ headers }: IncomingMessage): string | undefined {
    return this.#read(headers, 'x-forwarded-host') || undefined
  }

  /**
   * Returns the URL of the sandbox without a trailing slash, such as `https://shop.example/petstore`.
   * Without `publicUrl` and without a header of a trusted proxy, returns the path below which the
   * sandbox is mounted, or undefined if there is none. The headers must be valid.
   */
  find(req: IncomingMessage): string | undefined {
    if (this.#fixed !== undefined) return this.#fixed
    const mountPath = findMountPath(req)
    if (!this.isForwarded) return mountPath || undefined
    const { headers } = req
    const protocol = this.#read(headers, 'x-forwarded-proto').toLowerCase()
    const host = this.#read(headers, 'x-forwarded-host')
    const prefix = this.#read(headers, 'x-forwarded-prefix').replace(/\/$/, '')
    if (protocol === '' && host === '' && prefix === '') return mountPath || undefined
    return `${protocol || 'http'}://${host || (headers.host ?? 'localhost')}${prefix}${mountPath}`
  }

  /** Like `find`, but with the address in the Host header if it is only a path. */
  resolve(req: IncomingMessage): string {
    const { headers, socket } = req
    const found = this.find(req) ?? ''
    if (found !== '' && !found.startsWith('/')) return found
    const protocol = 'encrypted' in socket ? 'https' : 'http'
    return `${protocol}://${headers.host ?? `localhost:${socket.localPort}`}${found}`
  }

  /**
   * Returns the value that the outermost trusted proxy added: proxies append to a list, and a client
   * can only send what precedes it. Empty without the header.
   */
  #read(headers: IncomingHttpHeaders, name: ForwardedName): string {
    const header = headers[name]
    if (header === undefined) return ''
    const values = String(header).split(',')
    return values[Math.max(0, values.length - this.trustedProxies)]?.trim() ?? ''
  }
}

/** Returns a valid public URL in its normal form, without a trailing slash. */
export function toRoot(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/+$/, '')
}

/**
 * Returns the path below which Express or Connect has mounted the sandbox, without a trailing slash:
 * they remove it from the target, and keep the whole target in `originalUrl`.
 */
function findMountPath(req: IncomingMessage): string {
  const { url = '', originalUrl = url } = req as { url?: string; originalUrl?: string } // of Connect
  const [path = ''] = url.split('?', 1)
  const [whole = ''] = originalUrl.split('?', 1)
  const mountPath = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : whole
  return prefixPattern.test(mountPath) ? mountPath.replace(/\/$/, '') : ''
}
