import { createSandbox, type SandboxOptions } from '../../src/index.js'
import type { Report } from '../../src/report/report.js'

const apiUrl = 'https://api.petstore.example/v1'
export const messagesUrl = 'https://quickstart.petstore.example/messages'
export const startMs = Date.parse('2026-01-15T09:00:00.000Z')

/** A client of a world whose clock moves only when it waits. */
export interface TestClient {
  readonly sandbox: Awaited<ReturnType<typeof createSandbox>>
  readonly world: Awaited<ReturnType<TestClient['sandbox']['worldFor']>>
  /** Sends a request with a path below the base address, or to a URL. Undefined if it failed. */
  send(target: string, init?: RequestInit): Promise<Response | undefined>
  /** Sends a request after a time in milliseconds. */
  after(ms: number, target: string, init?: RequestInit): Promise<Response | undefined>
  /** Advances the clock. */
  wait(ms: number): void
  report(): Promise<Report>
}

/** Opens a world in a sandbox whose clock moves only when a client or a fault waits. */
export async function openClient(
  scenario = 'default',
  options: SandboxOptions = {},
  plan = 'free',
): Promise<TestClient> {
  let realMs = startMs
  const sandbox = await createSandbox({
    now: () => realMs,
    sleep: async (ms) => {
      realMs += ms
    },
    ...options,
  })
  const apiKey = `sbx_${plan}_${scenario}_report`
  const world = await sandbox.worldFor(apiKey)
  const headers = { Authorization: `Bearer ${apiKey}` }
  const send = async (target: string, init: RequestInit = {}) => {
    const url = target.startsWith('/') ? `${apiUrl}${target}` : target
    try {
      return await sandbox.fetch(url, { ...init, headers: { ...headers, ...init.headers } })
    } catch {
      return undefined
    }
  }
  const wait = (ms: number) => {
    realMs += ms
  }
  return {
    sandbox,
    world,
    send,
    after: (ms, target, init) => {
      wait(ms)
      return send(target, init)
    },
    wait,
    report: async () => {
      const url = 'https://api.petstore.example/sandbox/report'
      const response = await sandbox.fetch(url, { headers })
      return (await response.json()) as Report
    },
  }
}
