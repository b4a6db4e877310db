import { maskApiKey } from './api-key.js'
import { parseJson } from './json.js'
import { decodePercent } from './percent.js'

/** Replaces a masked value. */
const mask = '…'

/** A mask: of a whole value, of a field of JSON, a form or a cookie, of a bearer token, or of a key. */
export const anyMask = /^…$|"…"|=…|^bearer \S*…$|sbx(?:_|%5f)\S*…/i

/** The name of a header, a query parameter or a field whose value is a credential. */
const secretName =
  /^(?!idempotency[-_]?key$).*(?:authorization|cookie|token|key|secret|signature|password|session)/is

/** A key, also with percent-encoded characters, or a masked key. Matches in linear time. */
const anyKey = /(sbx(?:_|%5[Ff])(?:[\w+-]|\.(?=\d)|%[\da-fA-F]{0,2})+)…?/g

/** Masks every key in a string. Does not change masked keys. */
export function maskKeys(text: string): string {
  // Most strings contain no key, and this comparison is much faster than the expression (measured).
  return text.includes('sbx')
    ? text.replace(anyKey, (_, apiKey: string) => maskApiKey(apiKey))
    : text
}

/** Minimum length of a masked key. Shorter strings occur in bodies by chance. */
const minimumLength = 8

/** Returns a function that masks API keys in text from a server, which may repeat the keys. */
export function createMask(keys: readonly string[]): (text: string) => string {
  const replacements = keys.flatMap((key) => {
    const masked = maskApiKey(key)
    // The shared keys of a sandbox are not secret.
    if (masked.startsWith(key) || key.length < minimumLength) return []
    const forms = new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
    return [...forms].map((form) => [form, masked] as const)
  })
  return (text) =>
    replacements.reduce((before, [form, masked]) => before.replaceAll(form, () => masked), text)
}

const bearer = /^(bearer) ([\x21-\x7e]+)$/i

/**
 * Masks the value of a header if it is a credential, and every key in it.
 *
 * @param name In lower case.
 * @param maskedKey The masked key of the request; undefined if it has no valid key.
 */
export function maskHeader(name: string, value: string, maskedKey?: string): string {
  if (!secretName.test(name)) return maskKeys(value)
  if (name === 'cookie') return value.split(';').map(maskCookie).join('; ')
  if (name !== 'authorization') return mask
  if (maskedKey !== undefined) return `Bearer ${maskedKey}`
  const [, scheme, apiKey] = bearer.exec(value) ?? []
  return apiKey === undefined ? mask : `${scheme} ${maskApiKey(apiKey)}`
}

function maskCookie(pair: string): string {
  const end = pair.indexOf('=')
  return end < 0 ? mask : `${maskKeys(pair.slice(0, end).trim())}=${mask}`
}

/**
 * Masks the credentials and the keys in a query or in a form.
 *
 * @param masksAll Whether to mask all other values, too.
 */
export function maskQuery(query: string, masksAll = false): string {
  const parameters = query.split('&').map((parameter) => {
    const nameEnd = parameter.indexOf('=')
    if (nameEnd < 0) return maskKeys(parameter)
    const name = parameter.slice(0, nameEnd)
    const isSecret = masksAll || secretName.test(decodePercent(name))
    return `${maskKeys(name)}=${isSecret ? mask : maskKeys(parameter.slice(nameEnd + 1))}`
  })
  return parameters.join('&')
}

/** A text that may contain a secret name; `\u` may begin an escaped character of a name. */
const suspect = /authorization|cookie|token|key|secret|signature|password|session|sbx|\\u/i

/**
 * Masks the values of credentials and the keys in JSON. Leaves the rest unchanged, and therefore
 * accepts invalid and truncated JSON.
 */
export function maskJson(text: string): string {
  return suspect.test(text) ? maskKeys(maskFields(text)) : text
}

/** A string (its end may be missing), a colon with the space after it, another mark, or other text. */
const token = /"(?:[^"\\]|\\[\s\S]?)*"?|:\s*|[{}[\],]|[^"{}[\],:]+/g

function maskFields(text: string): string {
  let masked = ''
  /** The latest string, which is a name if a colon follows. */
  let name = ''
  /** Levels of nesting in the value of a credential; undefined outside of one. */
  let depth: number | undefined
  for (const [part] of text.matchAll(token)) {
    const character = part.charAt(0)
    if (depth === 0 && ',}]'.includes(character)) depth = undefined
    if (depth === undefined) {
      masked += part
      if (character === ':' && secretName.test(readString(name))) {
        masked += `"${mask}"`
        depth = 0
      }
      if (character === '"') name = part
      else if (part.trim() !== '') name = ''
    } else {
      if ('{['.includes(character)) depth += 1
      if ('}]'.includes(character)) depth -= 1
      if (depth === 0 && '"}]'.includes(character)) depth = undefined
    }
  }
  return masked
}

/** Decodes a JSON string. Returns any other text unchanged. */
function readString(text: string): string {
  return text.includes('\\') ? String(parseJson(text) ?? text) : text.slice(1, -1)
}
