import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import type { HttpLimits } from '../../service/bounds.js'

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

/** Whether an IP address is that of the machine itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/**
 * Returns the value of a header that the outermost trusted proxy added: proxies append to a list, and a
 * client can only send what precedes it. Empty without the header.
 */
export function readForwarded(
  { headers }: IncomingMessage,
  name: string,
  { trustedProxies }: HttpLimits,
): string {
  const values = String(headers[name.toLowerCase()] ?? '').split(',')
  return values[Math.max(0, values.length - trustedProxies)]?.trim() ?? ''
}
