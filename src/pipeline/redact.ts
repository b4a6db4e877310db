import { maskApiKey } from '../contract/api-key.js'
import type { ApiRequest } from './message.js'

const keptHeaders = 50
/** Of all headers of a call together, so that no client can fill the memory with them. */
const keptInAll = 4_096
const keptCharacters = 256
const secretName = /authorization|cookie|token|secret|password|api-?key/
const bearer = /^(bearer) ([\x21-\x7e]+)$/i
const anyKey = /sbx_[\w+-]+/g

/** The headers of a call as a journal keeps them: name, value, name, value; bounded, no secret whole. */
export function toRecordedHeaders(call: ApiRequest): string[] {
  const flat: string[] = []
  let left = keptInAll
  call.forEachHeader((name, value) => {
    left -= name.length + Math.min(value.length, keptCharacters)
    if (left < 0 || flat.length === 2 * keptHeaders) return
    flat.push(cut(name), toKeptValue(name, value))
  })
  return flat
}

function toKeptValue(name: string, value: string): string {
  if (secretName.test(name)) return cut(hideSecret(name, value))
  return cut(maskKeys(value))
}

/** A text in which no key stands whole. */
export function maskKeys(text: string): string {
  return text.includes('sbx_') ? text.replace(anyKey, maskApiKey) : text
}

function hideSecret(name: string, value: string): string {
  if (name === 'cookie') return value.split(';').map(hideCookie).join('; ')
  if (name !== 'authorization') return '…'
  const [, scheme, apiKey] = bearer.exec(value) ?? []
  return apiKey === undefined ? '…' : `${scheme} ${maskApiKey(apiKey)}`
}

function hideCookie(pair: string): string {
  const end = pair.indexOf('=')
  return end < 0 ? '…' : `${maskKeys(pair.slice(0, end).trim())}=…`
}

function cut(text: string): string {
  return text.length > keptCharacters ? `${copyText(text.slice(0, keptCharacters - 1))}…` : text
}

/** The same text without the longer one behind it, which a slice would keep in memory. */
export function copyText(text: string): string {
  return Array.from(text).join('')
}
