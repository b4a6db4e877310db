import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { createSandbox, SandboxOptions } from 'petstore-sandbox'
import type { createSandboxServer } from 'petstore-sandbox/server'
import { WireClient } from '../golden/replay/wire.js'
import { createFetchClient } from '../support/fetch-client.js'
import type { SentRequest } from '../support/transport.js'

/** The entry points of a build of the package that a comparison uses. */
export interface Build {
  readonly createSandbox: typeof createSandbox
  readonly createSandboxServer: typeof createSandboxServer
}

/** Loads the build that `petstore-sandbox` resolves to in a folder: of the package or a project. */
export function loadBuild(folder: string): Build {
  // Unlike an import, which Vitest transforms, `require` loads the files as they are.
  const require = createRequire(join(folder, 'package.json'))
  return { ...require('petstore-sandbox'), ...require('petstore-sandbox/server') }
}

/** What a build sent. */
export interface Received {
  /** The status and the headers, in their order; empty without a response. */
  readonly head: readonly string[]
  readonly body: string
  /** Why the response is missing or incomplete. */
  readonly failure?: string
}

/** A sandbox of one build. */
export interface Place {
  readonly sandbox: Awaited<ReturnType<Build['createSandbox']>>
  send(request: SentRequest): Promise<Received>
  close(): Promise<void>
}

export type OpenPlace = (build: Build, options: SandboxOptions) => Promise<Place>

/** The addresses of a sandbox, in process as over HTTP. */
export const urls = {
  api: 'http://localhost/v1',
  staging: 'http://localhost/staging/v1',
  quickstart: 'http://localhost/quickstart',
  control: 'http://localhost/sandbox',
  stagingControl: 'http://localhost/staging/sandbox',
} as const

/** In this process, with `sandbox.fetch`. */
export const openInProcess: OpenPlace = async ({ createSandbox }, options) => {
  const sandbox = await createSandbox({
    ...options,
    baseUrl: urls.api,
    stagingBaseUrl: urls.staging,
    quickstartBaseUrl: urls.quickstart,
    controlUrl: urls.control,
    stagingControlUrl: urls.stagingControl,
  })
  const send = createFetchClient(sandbox.fetch)
  return {
    sandbox,
    async send(request) {
      try {
        const { status, headers, text, isCutOff } = await send(request)
        const head = [String(status), ...[...headers].map((pair) => pair.join(': '))]
        return { head, body: text, ...(isCutOff && { failure: 'cut off' }) }
      } catch (error) {
        return { head: [], body: '', failure: String(error) }
      }
    },
    close: () => sandbox.close(),
  }
}

/** Over HTTP, where the bytes count. */
export const openHttp: OpenPlace = async ({ createSandboxServer }, options) => {
  const server = await createSandboxServer(options)
  const client = new WireClient(Number(new URL(await server.listen({ port: 0 })).port))
  return {
    sandbox: server.sandbox,
    async send(request) {
      const { head, body, cutOff } = await client.send(request)
      const received = { head: head.map(maskRealTime), body: body.toString() }
      return { ...received, ...(cutOff && { failure: cutOff }) }
    },
    async close() {
      client.close()
      await server.close()
    },
  }
}

/** Masks the date of a response to no world, which has the real time. */
function maskRealTime(line: string): string {
  const [, date = ''] = /^Date: (.*)/i.exec(line) ?? []
  return Math.abs(Date.parse(date) - Date.now()) < 60_000 ? 'Date: (real time)' : line
}
