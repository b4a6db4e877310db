import type { InProcessSandbox } from '../../src/index.js'
import type { SandboxServerOptions } from '../../src/server.js'
import { openServer } from '../support/server.js'
import { startMs } from '../support/suite.js'
import { type Outcome, run } from './support.js'

/** A sandbox over HTTP, and functions that run commands against it. */
export interface ServedWorld {
  readonly url: string
  readonly sandbox: InProcessSandbox
  readonly close: () => Promise<void>
  /** Runs a command of `world` to its end. */
  world(...args: string[]): Promise<Outcome>
  /** Runs a command of `world` and returns its stdout. Throws if it fails or writes to stderr. */
  print(...args: string[]): Promise<string>
  /** Runs a command of `world` with --json and returns the parsed stdout. */
  json(...args: string[]): Promise<unknown>
  /** Sends a GET request to the service and returns the status. */
  get(path: string, apiKey?: string): Promise<number>
}

/** Serves a sandbox on a free port until the test ends. Its real time is constant. */
export async function serveWorld(options: SandboxServerOptions = {}): Promise<ServedWorld> {
  const { server, sandbox, url } = await openServer({ now: () => startMs, ...options })
  const close = () => server.close({ timeoutMs: 0 })
  const world = (...args: string[]) => run(['world', ...args], { PETSTORE_SANDBOX_URL: url })
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await world(...args)
    if (code !== 0 || stderr !== '') throw new Error(`exit ${code}: ${stderr}`)
    return stdout
  }
  return {
    url,
    sandbox,
    close,
    world,
    print,
    json: async (...args) => JSON.parse(await print(...args, '--json')),
    get: async (path, apiKey = 'sbx_free') =>
      (await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } })).status,
  }
}

/** The headers of a control response. */
export const jsonHeaders = { 'Content-Type': 'application/json', 'Sandbox-World-Generation': '1' }

/**
 * A URL at which no server listens. The system gives the port to nobody, unlike the port of a server that
 * was closed.
 */
export const closedUrl = 'http://127.0.0.1:20999'
