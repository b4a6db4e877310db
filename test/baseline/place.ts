import { setImmediate } from 'node:timers/promises'
import type { SandboxOptions } from 'petstore-sandbox'
import type { AccessOptions } from 'petstore-sandbox/server'
import type { CommandRequest } from '../control/commands.js'
import type { Build } from './build.js'
import type { Received, SentRequest } from './exchange.js'
import { sendByHttp, sendText } from './http-client.js'

/** A sandbox of one build. */
export interface Place {
  /** @param signal Aborted while the request is delayed, if its client aborts it. */
  send(request: SentRequest, signal: AbortSignal): Promise<Received>
  /** Sends the text of a request, malformed or not. Undefined in process. */
  sendText?(text: string): Promise<Received>
  readonly sandbox: Awaited<ReturnType<Build['createSandbox']>>
  close(): Promise<void>
}

export type OpenPlace = (
  build: Build,
  options: SandboxOptions,
  access: AccessOptions | undefined,
) => Promise<Place>

/** The addresses by the paths that they have over HTTP. */
export const addressPaths: Readonly<Record<CommandRequest['address'], string>> = {
  api: '/v1',
  staging: '/staging/v1',
  quickstart: '/quickstart',
  control: '/sandbox',
  stagingControl: '/staging/sandbox',
}

/** In this process, with `sandbox.fetch`. */
export const openInProcess: OpenPlace = async ({ createSandbox }, options) => {
  const sandbox = await createSandbox(options)
  return {
    sandbox,
    async send({ method, target, headers, body = null }, signal) {
      try {
        const response = await sandbox.fetch(toUrl(target), { method, headers, body, signal })
        return await receive(response)
      } catch (error) {
        // The journal entry of an aborted request may be written after its rejection.
        if (signal.aborted) await setImmediate()
        return { status: 0, headers: [], body: '', failure: String(error) }
      }
    },
    close: () => sandbox.close(),
  }
}

function toUrl(target: string): string {
  if (target.startsWith('/quickstart')) {
    return `https://quickstart.petstore.example${target.slice('/quickstart'.length)}`
  }
  return target.startsWith('/staging')
    ? `https://staging.api.petstore.example${target.slice('/staging'.length)}`
    : `https://api.petstore.example${target}`
}

async function receive(response: Response): Promise<Received> {
  const { status, headers } = response
  const received = { status, headers: [...headers] }
  const isStream = headers.get('content-type') === 'text/event-stream'
  if (isStream && response.body) {
    return { ...received, body: '', stream: readBody(response).then(({ body }) => body) }
  }
  return { ...received, ...(await readBody(response)) }
}

async function readBody({ body }: Response): Promise<{ body: string; failure?: string }> {
  const chunks: Uint8Array[] = []
  const read = () => Buffer.concat(chunks).toString('latin1')
  try {
    for await (const chunk of body ?? []) chunks.push(chunk)
    return { body: read() }
  } catch (error) {
    return { body: read(), failure: String(error) }
  }
}

/** Over HTTP, on a connection for each request. */
export const openHttp: OpenPlace = async ({ createSandboxServer }, options, access) => {
  const server = await createSandboxServer({ ...options, access })
  const port = Number(new URL(await server.listen({ port: 0 })).port)
  return {
    sandbox: server.sandbox,
    send: (request) => sendByHttp(port, request),
    sendText: (text) => sendText(port, text),
    close: () => server.close(),
  }
}
