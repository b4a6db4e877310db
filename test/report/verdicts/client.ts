import { Agent } from 'node:http'
import { onTestFinished } from 'vitest'
import { createHttpClient } from '../../support/http-client.js'
import { openServer } from '../../support/server.js'

/** How a client reaches the sandbox. */
export type Way =
  /** One connection for all requests. */
  | 'one connection'
  /** A connection for each request, which ends before the next request, as with curl. */
  | 'a connection each'
  /** `sandbox.fetch`, without a connection. */
  | 'in process'

export interface Init {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Key in place of that of the client. Empty for none. */
  readonly key?: string
}

/** Sends a request and resolves with the status; 0 if there was no response. */
export type Send = (target: string, init?: Init) => Promise<number>

/** What a rule found. */
export interface Verdict {
  readonly outcome: 'kept' | 'broken' | 'unseen'
  readonly violations: number
  readonly finding: string
}

/** A client of one world. Real time passes only when it waits. */
export interface Client {
  readonly send: Send
  /** Returns a part of the client with a connection of its own, which stays open. */
  worker(): Send
  /** Lets real time pass, and the clock of the world unless it stands still. */
  wait(ms: number): void
  /** Sends a control request. */
  control(method: string, path: string, body?: unknown): Promise<unknown>
  readReport(): Promise<{
    readonly requests: Readonly<Record<string, unknown>>
    readonly conduct: readonly (Verdict & { readonly id: string })[]
  }>
}

export interface Setting {
  readonly way?: Way
  readonly scenario?: string
  /** Whether the clock of the world stands still. */
  readonly frozen?: boolean
  readonly fault?: unknown
}

const hosts: Readonly<Record<string, string>> = {
  v1: 'https://api.petstore.example/v1',
  quickstart: 'https://quickstart.petstore.example',
  sandbox: 'https://api.petstore.example/sandbox',
}

/** Maps `/v1/inventory` to the address of the service, for requests in process. */
function toAddress(target: string): string {
  const [, first = '', ...rest] = target.split('/')
  return [hosts[first], ...rest].join('/')
}

/** Opens a server with a client that has a world of its own. */
export async function openClient(setting: Setting = {}): Promise<Client> {
  const { way = 'one connection', scenario = 'default', frozen = false, fault } = setting
  let realMs = Date.parse('2026-03-02T08:00:00.000Z')
  const { sandbox, url } = await openServer({
    now: () => realMs,
    sleep: async (ms: number) => {
      realMs += ms
    },
  })
  const ownKey = `sbx_free_${scenario}_verdicts`

  const toHeaders = ({ headers, key = ownKey, body }: Init): Record<string, string> => ({
    ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  })
  const inProcess: Send = async (target, init = {}) => {
    const { method = 'GET', body } = init
    const fields = { method, headers: toHeaders(init), ...(body === undefined ? {} : { body }) }
    return sandbox.fetch(toAddress(target), fields).then(
      ({ status }) => status,
      () => 0,
    )
  }
  /** Sends on the connections of an agent. An incomplete response is none. */
  const connect = (agent: Agent | undefined): Send => {
    const client = createHttpClient(url, agent && { agent })
    return async (target, { method = 'GET', body, ...init } = {}) => {
      const headers = toHeaders({ ...init, ...(body !== undefined && { body }) })
      const parts = { headers, ...(body !== undefined && { body }) }
      const sent = client(`${method} ${target}`, parts)
      return sent.then(({ status, isCutOff }) => (isCutOff ? 0 : status)).catch(() => 0)
    }
  }
  const open = (): Send => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return connect(agent)
  }
  const send =
    way === 'in process' ? inProcess : way === 'one connection' ? open() : connect(undefined)
  const request = createHttpClient(url)
  const control = async (method: string, path: string, body?: unknown) => {
    const sent = await request(`${method} /sandbox${path}`, { key: ownKey, json: body })
    if (sent.status >= 400) throw new Error(`${method} ${path}: ${sent.text}`)
    return sent.json
  }
  if (frozen) await control('PATCH', '/clock', { frozen })
  if (fault) await control('POST', '/faults', fault)
  return {
    send,
    worker: () => (way === 'in process' ? inProcess : open()),
    wait: (ms) => {
      realMs += ms
    },
    control,
    readReport: async () => (await control('GET', '/report')) as never, // as documented
  }
}
