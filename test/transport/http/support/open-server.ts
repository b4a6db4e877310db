import { expect, onTestFinished, vi } from 'vitest'
import type { ListenOptions, SandboxServerOptions } from '../../../../src/server.js'
import { RawClient, type RawResponse } from '../../../support/raw-client.js'
import { openServer as openSandboxServer } from '../../../support/server.js'

export const authorization = 'Authorization: Bearer sbx_enterprise'

/** Starts a server on a free port, with raw clients. They are closed at the end of the test. */
export async function openServer(
  options: SandboxServerOptions = {},
  listenOptions: ListenOptions = {},
) {
  const clients: RawClient[] = []
  const { server, url, port } = await openSandboxServer(options, listenOptions)
  onTestFinished(() => {
    for (const client of clients) client.abort()
  })
  const connect = (localAddress?: string) => {
    const client = new RawClient(port, localAddress)
    clients.push(client)
    return client
  }
  const { world } = server.sandbox
  const snapshot = () => ({ pets: world.db.pets.list(), messages: world.db.messages.list() })
  const before = snapshot()
  return {
    server,
    url,
    port,
    connect,
    world,
    /** Sends a request on a new connection. */
    send: (request: string | Uint8Array, method?: string) =>
      connect().send(request).response(method),
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, init),
    /** Returns the value of a metric without labels, such as `worlds`. */
    async readMetric(name: string): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(new RegExp(`^petstore_sandbox_${name} (\\d+)$`, 'm').exec(text)?.[1])
    },
    /** Asserts that the server still responds and that the world is unchanged. */
    async expectUnharmed() {
      const response = await connect()
        .send(`GET /v1/inventory HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`)
        .response()
      expect(response.status).toBe(200)
      expect(JSON.parse(response.text)).toHaveLength(before.pets.length)
      expect(snapshot()).toEqual(before)
    },
  }
}

/**
 * Asserts that a response has an Error body without a stack trace.
 *
 * @param message Default: any.
 */
export function expectProblem(
  response: RawResponse,
  status: number,
  code: string,
  message: string = expect.any(String),
): void {
  expect(JSON.parse(response.text)).toEqual({ code, message, status })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.text).not.toMatch(/\bat .*\.(js|ts):\d+/)
}

/** Replaces the log of reported errors with a mock function. */
export function watchErrors() {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  return log
}

/** Formats a request with a request line, header lines and a body. */
export function toRequest(line: string, headers: readonly string[] = [], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`]
  return [`${line} HTTP/1.1`, 'Host: localhost', ...headers, ...length, '', body].join('\r\n')
}
