import { Agent } from 'node:http'
import { onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import type { Report } from '../../src/report/report.js'
import { createHttpClient } from '../support/http-client.js'
import { openServer } from '../support/server.js'

const apiUrl = 'https://api.petstore.example/v1'
const controlUrl = 'https://api.petstore.example/sandbox'
const quickstartUrl = 'https://quickstart.petstore.example'
export const messagesUrl = `${quickstartUrl}/messages`
export const startMs = Date.parse('2026-01-15T09:00:00.000Z')

/** How a client reaches the sandbox. */
export type Way =
  /** `sandbox.fetch`, without a connection. */
  | 'in process'
  /** One connection for all requests. */
  | 'one connection'
  /** A connection for each request, which ends before the next request, as with curl. */
  | 'a connection each'

export interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Sends a request with a path below the base address, or to a URL. Resolves also if it fails. */
export type Send = (target: string, init?: Init) => Promise<unknown>

/** A client of a world whose clock moves only when it waits. */
export interface TestClient {
  readonly sandbox: Awaited<ReturnType<typeof openServer>>['sandbox']
  readonly world: Awaited<ReturnType<TestClient['sandbox']['worldFor']>>
  readonly send: Send
  /** Returns a part of the client, which has a connection of its own over HTTP. */
  worker(): Send
  /** Sends a request after a time in milliseconds. */
  after(ms: number, target: string, init?: Init): Promise<unknown>
  /** Advances the clock. */
  wait(ms: number): void
  report(): Promise<Report>
}

/** Opens a world in a sandbox whose clock moves only when a client or a fault waits. */
export async function openClient(
  scenario = 'default',
  options: SandboxOptions = {},
  way: Way = 'in process',
): Promise<TestClient> {
  let realMs = startMs
  const wait = (ms: number) => {
    realMs += ms
  }
  const time = { now: () => realMs, sleep: async (ms: number) => wait(ms) }
  const { sandbox, url } = await openServer({ ...time, ...options })
  const apiKey = `sbx_free_${scenario}_report`
  const world = await sandbox.worldFor(apiKey)
  const own = { Authorization: `Bearer ${apiKey}` }
  const sendInProcess: Send = (target, init = {}) => {
    const address = target.startsWith('/') ? `${apiUrl}${target}` : target
    const headers = { ...own, ...init.headers }
    return sandbox.fetch(address, { ...init, headers }).catch(() => {})
  }
  const toSend = (agent: Agent | false): Send => {
    const client = createHttpClient(url, { agent })
    return (target, { method = 'GET', headers, body } = {}) => {
      const path = target.startsWith('/')
        ? `/v1${target}`
        : target.replace(quickstartUrl, '/quickstart')
      const parts = { headers: { ...own, ...headers }, ...(body !== undefined && { body }) }
      return client(`${method} ${path}`, parts).catch(() => {})
    }
  }
  const worker = () => {
    if (way === 'in process') return sendInProcess
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return toSend(agent)
  }
  const send = way === 'a connection each' ? toSend(false) : worker()
  return {
    sandbox,
    world,
    send,
    worker,
    after: (ms, target, init) => {
      wait(ms)
      return send(target, init)
    },
    wait,
    report: async () => {
      const response = await sandbox.fetch(`${controlUrl}/report`, { headers: own })
      return (await response.json()) as Report
    },
  }
}
