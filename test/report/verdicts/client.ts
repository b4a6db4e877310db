import { Agent } from 'node:http'
import { onTestFinished } from 'vitest'
import type { FaultInput } from '../../../src/index.js'
import type { Report } from '../../../src/report/report.js'
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
  readonly body?: string
  /** Key in place of that of the client. Empty for none. */
  readonly key?: string
}

/** Sends a request, and resolves also if there was no response. */
export type Send = (target: string, init?: Init) => Promise<unknown>

/** A client of one world. Real time passes only when it waits. */
export interface Client {
  readonly send: Send
  /** Returns a part of the client with a connection of its own, which stays open. */
  worker(): Send
  /** Lets real time pass, and the clock of the world unless it stands still. */
  wait(ms: number): void
  report(): Promise<Report>
}

export interface Setting {
  readonly way?: Way
  readonly scenario?: string | undefined
  /** Whether the clock of the world stands still. */
  readonly frozen?: boolean
  readonly fault?: FaultInput | undefined
}

const hosts: Readonly<Record<string, string>> = {
  v1: 'https://api.petstore.example/v1',
  quickstart: 'https://quickstart.petstore.example',
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
  const wait = (ms: number) => {
    realMs += ms
  }
  const { sandbox, url } = await openServer({ now: () => realMs, sleep: async (ms) => wait(ms) })
  const ownKey = `sbx_free_${scenario}_verdicts`
  const world = await sandbox.worldFor(ownKey)
  if (frozen) world.clock.freeze()
  if (fault) world.faults.add(fault)
  const toSend =
    (agent: Agent | false): Send =>
    (target, { method = 'GET', body, key = ownKey } = {}) => {
      const headers: Record<string, string> = {
        ...(key !== '' && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      }
      const parts = { headers, ...(body !== undefined && { body }) }
      const sent =
        way === 'in process'
          ? sandbox.fetch(toAddress(target), { method, ...parts })
          : createHttpClient(url, { agent })(`${method} ${target}`, parts)
      return sent.catch(() => {})
    }
  const worker = () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return toSend(agent)
  }
  const send = way === 'a connection each' ? toSend(false) : worker()
  return { send, worker, wait, report: () => world.report() }
}
