import type { RealRequest } from './real-request.js'

/** The request as a line for a POSIX shell. */
export function toCurl({ method, url, headers, body }: RealRequest): string {
  const parts = ['curl', '-i']
  if (method !== 'GET') parts.push('-X', method)
  parts.push(quote(url))
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`))
  if (body !== undefined) parts.push('-d', quote(body))
  return parts.join(' ')
}

/** A text that a shell takes as one word, whatever it holds. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
