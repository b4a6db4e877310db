import type { Place, SentRequest } from '../../support/transport.js'
import type { SendStep } from './cases.js'
import { expand, shorten } from './shorten.js'

type Urls = Place['urls']

/** The base addresses by their name in golden files. */
function toBases(urls: Urls): Readonly<Record<string, string>> {
  const toControl = (url: string) => url.replace(/\/v1$/, '/sandbox')
  return {
    ...urls,
    control: toControl(urls.api),
    'staging-control': toControl(urls.staging),
  }
}

/** Returns a request as a step, independent of where the sandbox is. */
export function toSendStep({ method, url, headers, body }: SentRequest, urls: Urls): SendStep {
  const bases = Object.entries(toBases(urls))
  const [name = '', base = ''] =
    bases.find(([, at]) => url.startsWith(at) && /^([/?#]|$)/.test(url.slice(at.length))) ?? []
  if (name === '') throw new Error(`${url} is at no address of the sandbox`)
  const { origin, host } = new URL(base)
  const lines = headers.map(([field, value]) => {
    const placed = value.replaceAll(origin, '{origin}').replaceAll(host, '{host}')
    return `${field}: ${placed}`
  })
  return {
    send: `${method} {${name}}${url.slice(base.length)}`,
    ...(lines.length > 0 ? { headers: lines } : {}),
    ...(body ? toBodyFields(body) : {}),
  }
}

/** Returns the request of a step to a sandbox at the given addresses. */
export function toSentRequest(step: SendStep, urls: Urls): SentRequest {
  const [, method = '', name = '', path = ''] = /^(\S+) \{([\w-]+)\}(.*)$/.exec(step.send) ?? []
  const base = toBases(urls)[name]
  if (base === undefined) throw new Error(`expected "METHOD {address}/path", found ${step.send}`)
  const { origin, host } = new URL(base)
  const headers = (step.headers ?? []).map((line): readonly [string, string] => {
    const colon = line.indexOf(': ')
    const value = line.slice(colon + 2)
    return [line.slice(0, colon), value.replace('{origin}', origin).replace('{host}', host)]
  })
  return { method, url: `${base}${path}`, headers, body: toBytes(step) }
}

function toBodyFields(body: Uint8Array<ArrayBuffer>): Partial<SendStep> {
  const text = decode(body)
  if (text === undefined) return { base64: Buffer.from(body).toString('base64') }
  const json = parseExactly(text)
  return json === undefined || isDeep(json) ? { text: shorten(text) } : { json: shorten(json) }
}

/** Whether each level on a line of its own would fill pages. */
function isDeep(json: unknown, levels = 20): boolean {
  if (typeof json !== 'object' || json === null) return false
  return levels === 0 || Object.values(json).some((value) => isDeep(value, levels - 1))
}

function toBytes({ json, text, base64 }: SendStep): SentRequest['body'] {
  if (json !== undefined) return new TextEncoder().encode(JSON.stringify(expand(json)))
  if (text !== undefined) return new TextEncoder().encode(String(expand(text)))
  return base64 === undefined ? undefined : new Uint8Array(Buffer.from(base64, 'base64'))
}

/** Decodes UTF-8; undefined for other bytes. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Parses JSON; undefined unless `JSON.stringify` writes it in the same way. */
export function parseExactly(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return JSON.stringify(json) === text ? json : undefined
  } catch {
    return undefined
  }
}
