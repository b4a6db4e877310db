import type { CheckRequest, CheckUrls } from './check.js'

/** A key that no service has. Its purpose is visible in the logs of the service. */
export const unknownKey = 'petstore-sandbox-verify-no-such-key'

/** The Authorization header of each credential; undefined for none. */
export const authorizations = {
  own: (key: string) => `Bearer ${key}`,
  unknown: () => `Bearer ${unknownKey}`,
  'without-scheme': (key: string) => key,
  'other-scheme': (key: string) => `Basic ${key}`,
  missing: () => undefined,
} as const

/**
 * Returns a curl command that repeats a request. It contains a shell variable instead of the key.
 *
 * @param variable Name of the variable, such as `KEY`.
 */
export function toCurl(request: CheckRequest, urls: CheckUrls, variable: string): string {
  const { address = 'api', method = 'GET', path, headers = {}, body } = request
  const { credential = 'own' } = request
  const authorization = authorizations[credential](`$${variable}`)
  const parts = ['curl --include']
  if (method !== 'GET') parts.push(`--request ${method}`)
  // Double quotes: the shell replaces the variable.
  if (authorization !== undefined) parts.push(`--header "Authorization: ${authorization}"`)
  for (const [name, value] of Object.entries(headers)) {
    parts.push(`--header ${quote(`${name}: ${value}`)}`)
  }
  if (body !== undefined) parts.push(`--data ${quote(body)}`)
  return [...parts, quote(`${urls[address]}${path}`)].join(' ')
}

/** Quotes a string for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
