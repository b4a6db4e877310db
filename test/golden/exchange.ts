import {
  createSandboxServer,
  type SandboxServer,
  type SandboxServerOptions,
} from 'petstore-sandbox/server'
import { onTestFinished } from 'vitest'
import { sendByNodeHttp } from '../support/clients.js'
import { startMs } from '../support/suite.js'
import type { ReceivedResponse } from '../support/transport.js'
import { toReadable } from './readable.js'

/** The parts of a request beyond method and path. */
export interface RequestParts {
  /** Sent as `Authorization: Bearer <key>`. Default: no such header. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, with its `Content-Type`. */
  readonly json?: unknown
  /** Sent unchanged, without a `Content-Type`. */
  readonly body?: string
}

/** A request line without the version, such as `GET /v1/inventory`, and the other parts. */
export type RequestRow = readonly [line: string, parts?: RequestParts]

/** A sandbox over HTTP whose clocks move only when a request moves them. */
export interface GoldenServer extends GoldenClient {
  readonly sandbox: SandboxServer['sandbox']
}

/** Functions that send requests to one root URL. */
export interface GoldenClient {
  readonly url: string
  /** Sends a request. Resolves to undefined if the connection closes without a response. */
  send(...row: RequestRow): Promise<ReceivedResponse | undefined>
  /** Sends a request with JSON, and returns the body of the response as JSON. */
  read(...row: RequestRow): Promise<unknown>
  /** Sends requests one after the other, and returns each with its response. */
  exchange(rows: readonly RequestRow[]): Promise<unknown[]>
}

/** Serves a sandbox until the test ends. No fault delays a response. */
export async function openServer(options: SandboxServerOptions = {}): Promise<GoldenServer> {
  const server = await createSandboxServer({
    now: () => startMs,
    sleep: async () => {},
    ...options,
  })
  onTestFinished(() => server.close({ timeoutMs: 0 }))
  return { sandbox: server.sandbox, ...toClient(await server.listen({ port: 0 })) }
}

/** Returns the functions that send requests to a root URL. */
export function toClient(url: string): GoldenClient {
  const send = async (...row: RequestRow) => sendTo(url, row).catch(() => undefined)
  return {
    url,
    send,
    async read(...row) {
      const response = await sendTo(url, row)
      return JSON.parse(response.text)
    },
    async exchange(rows) {
      const exchanges: unknown[] = []
      for (const row of rows) exchanges.push(toExchange(row, await send(...row)))
      return exchanges
    },
  }
}

/** node:http adds no headers of its own, unlike `fetch`, whose headers depend on Node's version. */
function sendTo(url: string, [line, parts = {}]: RequestRow): Promise<ReceivedResponse> {
  const [method = '', path = ''] = line.split(' ')
  const { key, headers = {}, json, body } = parts
  const text = json === undefined ? body : JSON.stringify(json)
  return sendByNodeHttp({
    method,
    url: `${url}${path}`,
    headers: [
      ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      // By default, node:http sends a body in chunks if the method can have one.
      ...(text === undefined && hasBody.test(method) ? [['Content-Length', '0'] as const] : []),
      ...Object.entries(headers),
    ],
    body: text === undefined ? undefined : new TextEncoder().encode(text),
  })
}

const hasBody = /^(?:POST|PUT|PATCH)$/

/** Headers of the connection, which are Node's. */
const connectionHeaders = ['connection', 'keep-alive']

function toExchange([request, parts]: RequestRow, response: ReceivedResponse | undefined) {
  if (!response) return { request, ...parts, response: 'the connection closed' }
  const { status, isCutOff, text } = response
  // The length of a journal depends on the digits of its durations.
  const omitted = [
    ...connectionHeaders,
    ...(text.includes('"durationMs":') ? ['content-length'] : []),
  ]
  const headers = [...response.headers].filter(([name]) => !omitted.includes(name))
  return {
    request,
    ...parts,
    response: {
      status,
      headers: Object.fromEntries(headers),
      body: toReadable(text),
      isCutOff: isCutOff || undefined,
    },
  }
}
