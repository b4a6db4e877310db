import type { SandboxServer, SandboxServerOptions } from 'petstore-sandbox/server'
import { createHttpClient, type RequestRow } from '../support/http-client.js'
import { openServer as openSandboxServer } from '../support/server.js'
import { startMs } from '../support/suite.js'
import type { ReceivedResponse } from '../support/transport.js'
import { toReadable } from './readable.js'

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
  const now = () => startMs
  const { sandbox, url } = await openSandboxServer({ now, sleep: async () => {}, ...options })
  return { sandbox, ...toClient(url) }
}

/** Returns the functions that send requests to a root URL. */
export function toClient(url: string): GoldenClient {
  const sendTo = createHttpClient(url)
  const send = (...row: RequestRow) => sendTo(...row).catch(() => undefined)
  return {
    url,
    send,
    async read(...row) {
      const { json } = await sendTo(...row)
      return json
    },
    async exchange(rows) {
      const exchanges: unknown[] = []
      for (const row of rows) exchanges.push(toExchange(row, await send(...row)))
      return exchanges
    },
  }
}

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
