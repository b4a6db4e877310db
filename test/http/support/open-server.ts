import { expect, onTestFinished, vi } from 'vitest'
import { createSandboxServer, type SandboxServerOptions } from '../../../src/server.js'
import { type RawAnswer, RawClient } from './raw-client.js'

export const authorization = 'Authorization: Bearer sbx_enterprise'

/** Opens a server on a free port that closes with the test. */
export async function openServer(options: SandboxServerOptions = {}) {
  const server = await createSandboxServer(options)
  const url = await server.listen({ port: 0 })
  const port = Number(new URL(url).port)
  const clients: RawClient[] = []
  onTestFinished(async () => {
    for (const client of clients) client.abort()
    await server.close({ timeoutMs: 100 })
  })
  const connect = () => {
    const client = new RawClient(port)
    clients.push(client)
    return client
  }
  const { world } = server.sandbox
  const snapshot = () => ({ pets: world.db.pets(), messages: world.db.messages() })
  const before = snapshot()
  return {
    server,
    url,
    port,
    connect,
    world,
    /** Sends a request on a connection of its own. */
    send: (request: string | Uint8Array, method?: string) => connect().send(request).answer(method),
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    /** Holds that the process serves on and that nothing of the world has changed. */
    async expectUnharmed() {
      const answer = await connect()
        .send(`GET /v1/inventory HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`)
        .answer()
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toHaveLength(before.pets.length)
      expect(snapshot()).toEqual(before)
    },
  }
}

/** Holds that an answer is a refusal in the Error shape. */
export function expectProblem(answer: RawAnswer, status: number, code: string): void {
  const body = JSON.parse(answer.text)
  expect(body).toEqual({ code, message: expect.any(String), status })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.text).not.toMatch(/\bat .*\.(js|ts):\d+/)
}

/** Listens to what would be logged as a defect, and keeps it out of the test's output. */
export function watchDefects() {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return log
}

/** A request as text: a request line, header lines, and a body. */
export function toRequest(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]
  return [`${line} HTTP/1.1`, 'Host: sandbox', ...headers, ...length, '', body].join('\r\n')
}
