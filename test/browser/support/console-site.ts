import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { SandboxServer } from '../../../src/http/server.js'
import { createSandbox, type InProcessSandbox } from '../../../src/index.js'
import type { Site } from './site.js'

/** An HTTP server with the console as it is built for the package. */
export interface ConsoleSite extends Site {
  readonly sandbox: InProcessSandbox
  /** Sends a request from outside the page. */
  call(path: string, apiKey: string, init?: RequestInit): Promise<Response>
  /** Stops the server. */
  stop(): Promise<void>
  /** Restarts the server on the same port with the same worlds. */
  start(): Promise<void>
}

export async function openConsoleSite(): Promise<ConsoleSite> {
  const outDir = await mkdtemp(join(tmpdir(), 'petstore-console-'))
  const configFile = fileURLToPath(new URL('../../../src/console/vite.config.ts', import.meta.url))
  await build({ configFile, logLevel: 'warn', build: { outDir } })

  const sandbox = await createSandbox()
  const serve = () =>
    new SandboxServer({
      sandbox,
      handlers: [],
      limits: {},
      consoleDirectory: pathToFileURL(`${outDir}/`),
    })
  let server = serve()
  const url = await server.listen({ port: 0 })
  const stop = () => server.close()
  return {
    url,
    sandbox,
    call: (path, apiKey, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${apiKey}` },
      }),
    stop,
    async start() {
      server = serve()
      await server.listen({ port: Number(new URL(url).port) })
    },
    async close() {
      await stop()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
