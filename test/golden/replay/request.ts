import type { Place, SentRequest } from '../../support/transport.js'
import type { SendStep } from './cases.js'
import { expand } from './expand.js'

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
