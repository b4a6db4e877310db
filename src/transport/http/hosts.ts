import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import type { HttpLimits } from '../../service/bounds.js'
import { Problem } from '../../service/errors.js'
import { describeValue } from '../../service/validation/validate.js'

/** Options for the Host headers that a server accepts. */
export interface HostOptions {
  /**
   * Accepted host names, in addition to `localhost`, names below `.localhost`, IP addresses and the
   * host of `publicUrl`. A name with a leading dot also includes all names below it; `true` accepts
   * every name. Other names receive 421 `host_not_allowed`.
   *
   * Default: none if the server listens on a loopback address, which protects it from DNS rebinding;
   * `true` if it listens on another address.
   */
  readonly allowedHosts?: readonly string[] | true | undefined
  /**
   * URL at which clients reach the server, for example through a reverse proxy. The OpenAPI documents
   * and `Link` headers contain it. Default: the URL in the headers `X-Forwarded-Proto`,
   * `X-Forwarded-Host` and `X-Forwarded-Prefix` of the trusted proxies, and without them the host of
   * the request.
   */
  readonly publicUrl?: string | undefined
}

const wantedHost = 'a host name without a port, such as "shop.example" or ".shop.example"'

const hostNameSchema = z.string(wantedHost).check(z.regex(/^\.?[\w~-]+(?:\.[\w~-]+)*$/, wantedHost))

/** Schema of {@link HostOptions.allowedHosts}. */
export const allowedHostsSchema: z.ZodMiniType<string[] | true, string[] | true> = z.union(
  [z.literal(true), z.array(hostNameSchema)],
  { error: 'true or an array of host names' },
)

const wantedUrl = 'an http or https URL without a query, such as "https://sandbox.example/petstore"'

/** Schema of {@link HostOptions.publicUrl}. */
export const publicUrlSchema: z.ZodMiniType<string, string> = z
  .string(wantedUrl)
  .check(z.refine(isPublicUrl, { error: wantedUrl }))

function isPublicUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash, username, password } = new URL(text)
  return `${search}${hash}${username}${password}` === '' && !/[?#]$/.test(text)
}

/** Returns a valid public URL in its normal form, without a trailing slash. */
export function toRoot(publicUrl: string): string {
  return new URL(publicUrl).href.replace(/\/+$/, '')
}

/** Whether an IP address belongs to the machine itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/**
 * Returns the value of a header that the outermost trusted proxy added. Proxies append to a list, so
 * that a client can only send earlier values. Empty without the header.
 */
export function readForwarded(
  { headers }: IncomingMessage,
  name: string,
  { trustedProxies }: HttpLimits,
): string {
  const values = String(headers[name.toLowerCase()] ?? '').split(',')
  return values[Math.max(0, values.length - trustedProxies)]?.trim() ?? ''
}

/** A host name or an IP address, with an optional port. */
export const hostPattern = /^(?:[\w.~-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/

/** Maximum number of characters in a header that a proxy sends. */
const maximumLength = 256

export const prefixPattern = /^\/$|^(?:\/(?!\.{1,2}(?:\/|$))[\w.~%@:+=-]+)+\/?$/

const prefixForm = 'a path that begins with a slash, without "." and ".." segments'

/** The headers in which a reverse proxy sends the address that the client requested, and their forms. */
const forwardedHeaders = [
  ['X-Forwarded-Proto', /^https?$/i, 'http or https'],
  ['X-Forwarded-Host', hostPattern, 'one host with an optional port'],
  ['X-Forwarded-Prefix', prefixPattern, prefixForm],
] as const

/** The URL at which clients reach the server: `publicUrl`, or the URL that proxies forward. */
export class PublicAddress {
  readonly #fixed: string | undefined
  /** Whether to read the headers of the trusted proxies. */
  readonly isForwarded: boolean

  constructor(
    publicUrl: string | undefined,
    readonly limits: HttpLimits,
  ) {
    this.#fixed = publicUrl === undefined ? undefined : toRoot(publicUrl)
    this.isForwarded = publicUrl === undefined && limits.trustedProxies > 0
  }

  /** If `isForwarded`, returns the problem with a header of a proxy. */
  findProblem(req: IncomingMessage): Problem | undefined {
    for (const [name, pattern, wanted] of forwardedHeaders) {
      const value = readForwarded(req, name, this.limits)
      if (value === '' || (value.length <= maximumLength && pattern.test(value))) continue
      const message = `the ${name} header must be ${wanted}, found ${describeValue(value)}`
      return new Problem('malformed_request', message)
    }
    return undefined
  }

  /**
   * Returns the URL of the sandbox without a trailing slash, such as `https://shop.example/petstore`.
   * Without `publicUrl` and without a header of a trusted proxy, returns the path at which the sandbox
   * is mounted; empty for none. The headers must be valid.
   */
  find(req: IncomingMessage): string {
    if (this.#fixed !== undefined) return this.#fixed
    const mountPath = findMountPath(req)
    if (!this.isForwarded) return mountPath
    const [protocol = '', host = '', prefix = ''] = forwardedHeaders.map(([name]) =>
      readForwarded(req, name, this.limits),
    )
    if (protocol === '' && host === '' && prefix === '') return mountPath
    const origin = `${protocol.toLowerCase() || 'http'}://${host || (req.headers.host ?? 'localhost')}`
    return `${origin}${prefix.replace(/\/$/, '')}${mountPath}`
  }

  /** Like `find`, but with the address in the Host header if it is only a path. */
  resolve(req: IncomingMessage): string {
    const { headers, socket } = req
    const found = this.find(req)
    if (found !== '' && !found.startsWith('/')) return found
    const protocol = 'encrypted' in socket ? 'https' : 'http'
    return `${protocol}://${headers.host ?? `localhost:${socket.localPort}`}${found}`
  }
}

/**
 * Returns the path at which Express or Connect has mounted the sandbox, without a trailing slash: they
 * remove this path from the target, and keep the whole target in `originalUrl`.
 */
export function findMountPath(req: IncomingMessage): string {
  const { url = '', originalUrl = url } = req as { url?: string; originalUrl?: string } // of Connect
  const [path = ''] = url.split('?', 1)
  const [whole = ''] = originalUrl.split('?', 1)
  const mountPath = whole.endsWith(path) ? whole.slice(0, whole.length - path.length) : whole
  return prefixPattern.test(mountPath) ? mountPath.replace(/\/$/, '') : ''
}
