import { onTestFinished } from 'vitest'
import { type ConnectOptions, connect, type RemoteWorld } from '../../../src/connect.js'
import { createSandbox, type SandboxOptions, type World } from '../../../src/index.js'

/** A handle of a world in this process, or of one over HTTP. */
export type AnyWorld = World | RemoteWorld

/** A world that is open for one test, and a client of the service. */
export interface Place {
  readonly world: AnyWorld
  /** Sends a request to the service, below its base URL, with the key of the world. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
}

/** A way to get a handle. */
export interface HandleKind {
  readonly name: string
  open(options?: SandboxOptions): Promise<Place>
}

const apiKey = 'sbx_free_default_suite'
const authorization = { Authorization: `Bearer ${apiKey}` }
const inProcessUrl = 'https://api.petstore.example'

const inProcess: HandleKind = {
  name: 'sandbox.worldFor',
  async open(options) {
    const sandbox = await createSandbox(options)
    return {
      world: await sandbox.worldFor(apiKey),
      send: (path, init) =>
        sandbox.fetch(`${inProcessUrl}/v1${path}`, { headers: authorization, ...init }),
    }
  },
}

const overFetch: HandleKind = {
  name: 'connect with sandbox.fetch',
  async open(options) {
    const { fetch } = await createSandbox(options)
    const world = await connect({ url: inProcessUrl, apiKey, fetch })
    onTestFinished(() => world.close())
    return {
      world,
      send: (path, init) => fetch(`${world.baseUrl}${path}`, { headers: world.headers, ...init }),
    }
  },
}

/** Every way to get a handle. */
export const handleKinds: readonly HandleKind[] = [inProcess, overFetch]

/** Connects to a server. The handle is closed at the end of the test. */
export async function connectTo(
  url: string,
  options: Partial<ConnectOptions> = {},
): Promise<RemoteWorld> {
  const world = await connect({ url, apiKey, ...options })
  onTestFinished(() => world.close())
  return world
}
