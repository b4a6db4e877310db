import { createHash } from 'node:crypto'
import type { ReceivedResponse } from '../../support/transport.js'
import { maskMachineValues } from '../machine-values.js'
import type { FetchDifference, GoldenBody, GoldenResponse } from './cases.js'
import type { Labels } from './labels.js'
import { decode, parseExactly } from './request.js'
import type { WireResponse } from './wire.js'

/** What a client receives, over either transport, without values of this machine. */
export interface Exchanged {
  /** Missing if there is no response. */
  readonly status?: string
  readonly headers: readonly string[]
  readonly body: GoldenBody
  readonly cutOff?: 'ended' | 'reset'
  /** Why `sandbox.fetch` rejected. */
  readonly error?: string
}

/** Headers of a connection, which only HTTP has. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding'])

const longestBody = 4_096

export function toHttpResponse(received: WireResponse, labels: Labels): Exchanged {
  const { head, body, cutOff } = received
  const [statusLine, ...lines] = head
  return {
    ...(statusLine === undefined ? {} : { status: statusLine.replace(/^HTTP\/1\.1 /, '') }),
    headers: maskLength(lines, body.length).map((line) => mask(line, labels)),
    body: toGoldenBody(body, labels),
    ...(cutOff ? { cutOff } : {}),
  }
}

export function toFetchResponse(received: ReceivedResponse, labels: Labels): Exchanged {
  const { status, statusText, headers, text, isCutOff } = received
  const body = Buffer.from(text)
  const lines = [...headers]
    .filter(([name]) => !connectionHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  return {
    status: `${status} ${statusText}`,
    headers: maskLength(lines, body.length).map((line) => mask(line, labels)),
    body: toGoldenBody(body, labels),
    ...(isCutOff ? { cutOff: 'ended' } : {}),
  }
}

export function toGoldenResponse(found: Exchanged, delays: readonly number[]): GoldenResponse {
  const { status, headers, body, cutOff } = found
  return {
    ...(status === undefined ? {} : { status, headers }),
    ...body,
    ...(cutOff ? { connection: cutOff } : {}),
    ...(delays.length > 0 ? { delays } : {}),
  }
}

/** Returns what `sandbox.fetch` returned otherwise than HTTP; undefined if it is the same. */
export function findDifference(http: Exchanged, fetched: Exchanged): FetchDifference | undefined {
  const expected = toFetchHeaders(http.headers)
  const headers = [
    ...expected.filter((line) => !fetched.headers.includes(line)).map((line) => `-${line}`),
    ...fetched.headers.filter((line) => !expected.includes(line)),
  ]
  const isCutOff = fetched.cutOff !== undefined
  const difference: FetchDifference = {
    ...(fetched.error === undefined ? {} : { error: fetched.error }),
    ...(http.status === fetched.status ? {} : { status: fetched.status ?? 'none' }),
    ...(headers.length > 0 ? { headers } : {}),
    ...compareBodies(http.body, fetched.body),
    ...(isCutOff === (http.cutOff !== undefined) || fetched.error !== undefined
      ? {}
      : { isCutOff }),
  }
  return Object.keys(difference).length > 0 ? difference : undefined
}

function compareBodies(http: GoldenBody, fetched: GoldenBody): FetchDifference {
  if (JSON.stringify(http) === JSON.stringify(fetched)) return {}
  if (http.json === undefined || fetched.json === undefined) return fetched
  return { jsonAt: Object.fromEntries(findDifferentValues(http.json, fetched.json)) }
}

/** Returns the values of `b` that differ from `a`, with their paths. */
function findDifferentValues(a: unknown, b: unknown, path = ''): [string, unknown][] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if (!isObject(a) || !isObject(b)) return [[path, b ?? null]]
  const keys = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...keys].flatMap((key) => findDifferentValues(a[key], b[key], `${path}/${key}`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns header lines as `fetch` would list them, without the headers of the connection. */
function toFetchHeaders(lines: readonly string[]): string[] {
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1)]
  })
  return [...new Headers(pairs)]
    .filter(([name]) => !connectionHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`)
}

function toGoldenBody(bytes: Buffer, labels: Labels): GoldenBody {
  if (bytes.length === 0) return {}
  const decoded = decode(bytes)
  if (decoded === undefined) return { base64: bytes.toString('base64') }
  const text = mask(decoded, labels)
  if (bytes.length > longestBody) {
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { long: { bytes: bytes.length, sha256, start: text.slice(0, 200) } }
  }
  const json = parseExactly(text)
  return json === undefined ? { text } : { json }
}

/** Names a correct length, so that a changed body is a change in one place. */
function maskLength(lines: readonly string[], length: number): string[] {
  return lines.map((line) =>
    line.replace(/^(content-length: )(\d+)$/i, (_, name, digits) =>
      Number(digits) === length ? `${name}<exact>` : line,
    ),
  )
}

function mask(text: string, labels: Labels): string {
  return labels.mask(maskMachineValues(text))
}
