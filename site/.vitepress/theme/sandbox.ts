import { createSandbox, type JournalEntry } from 'petstore-sandbox'
import { indentJson } from '../../../src/console/parts/indent-json.js'
import type { ExampleRequest } from '../curl.js'

/** A request and its response, for people to read. */
export interface Exchange {
  readonly request: string
  readonly status: string
  readonly headers: string
  /** Whether the headers are shown at first. */
  readonly include: boolean
  readonly body: string
  /** Why the response was sent. Undefined for a control request, which is in no journal. */
  readonly explanation: readonly string[] | undefined
}

const origin = 'http://127.0.0.1:4010'

/** The sandbox of the page, at the addresses of a server. A reload of the page restarts it. */
const started = createSandbox({
  baseUrl: `${origin}/v1`,
  stagingBaseUrl: `${origin}/staging/v1`,
  quickstartBaseUrl: `${origin}/quickstart`,
  controlUrl: `${origin}/sandbox`,
})

/** Sends the requests of curl commands one after the other, and yields each with its response. */
export async function* sendRequests(requests: readonly ExampleRequest[]): AsyncGenerator<Exchange> {
  for (const { url, method, headers, body = null, include } of requests) {
    yield await send(url, { method, headers: headers.map(([...pair]) => pair), body }, include)
  }
}

/** Runs a script whose `fetch` reaches the sandbox of the page, and yields each request with its response. */
export async function* runScript(script: string): AsyncGenerator<Exchange> {
  const exchanges: Promise<Exchange>[] = []
  const run = new Function('fetch', `return (async () => {${script}})()`)
  await run((url: string, init?: RequestInit) => {
    exchanges.push(send(url.replace('https://api.petstore.example', origin), init))
    return exchanges.at(-1)
  })
  for (const exchange of exchanges) yield await exchange
}

async function send(url: string, init: RequestInit = {}, include = false): Promise<Exchange> {
  const sandbox = await started
  const entries: JournalEntry[] = []
  const unsubscribe = sandbox.subscribe((entry) => entries.push(entry))
  const response = await sandbox.fetch(url, init)
  unsubscribe()
  // Another example may have sent a request at the same time.
  const requestId = response.headers.get('X-Request-Id')
  const entry = entries.find((received) => received.requestId === requestId)
  return {
    request: `${init.method ?? 'GET'} ${url.slice(origin.length)}`,
    status: `${response.status} ${response.statusText}`.trim(),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: indentJson(await response.text()),
    include,
    explanation: entry?.explanation,
  }
}
