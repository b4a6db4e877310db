import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { InProcessSandbox } from '../../src/index.js'
import { createSandboxServer } from '../../src/server.js'
import { startMs } from '../support/suite.js'
import { type Outcome, run } from './support.js'

/** A sandbox that is served over HTTP, and the commands that are run against it. */
export interface ServedWorld {
  readonly url: string
  readonly sandbox: InProcessSandbox
  readonly close: () => Promise<void>
  /** Runs a command of `world` to its end. */
  world(...args: string[]): Promise<Outcome>
  /** Runs one that has to succeed in silence on stderr, and gives what it prints. */
  print(...args: string[]): Promise<string>
  /** The same with --json, read. */
  json(...args: string[]): Promise<unknown>
  /** Sends a request of the service; gives its status. */
  get(path: string, apiKey?: string): Promise<number>
}

/** Serves a sandbox on a free port until the test is over; its real time stands still. */
export async function serveWorld(): Promise<ServedWorld> {
  const server = await createSandboxServer({ now: () => startMs })
  const url = await server.listen({ port: 0 })
  const close = () => server.close({ timeoutMs: 0 })
  onTestFinished(close)
  const world = (...args: string[]) => run(['world', ...args], { PETSTORE_SANDBOX_URL: url })
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await world(...args)
    if (code !== 0 || stderr !== '') throw new Error(`exit ${code}: ${stderr}`)
    return stdout
  }
  return {
    url,
    sandbox: server.sandbox,
    close,
    world,
    print,
    json: async (...args) => JSON.parse(await print(...args, '--json')),
    get: async (path, apiKey = 'sbx_free') =>
      (await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } })).status,
  }
}

/** Serves something that is no sandbox, until the test is over. Gives its URL. */
export async function serveOther(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return `http://127.0.0.1:${port}`
}
