import type { Server } from 'node:http'
import { checkOptions, nonEmptyString, toInteger } from '../validation/options.js'

/** Where a server listens. */
export interface ListenOptions {
  /** Default: 4010. 0 takes any that is free. */
  readonly port?: number
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string
}

const shape = {
  port: toInteger(0, 65_535),
  // Of an empty one, Node makes every address that the machine has.
  host: nonEmptyString,
} satisfies Record<keyof ListenOptions, unknown>

/**
 * Listens and gives the server's URL, such as `http://127.0.0.1:4010`.
 *
 * @throws {Error} With one line that says why the server cannot listen there; `cause` has more.
 * @throws {TypeError} When an option is unknown or does not fit.
 */
export async function listen(server: Server, options: ListenOptions = {}): Promise<string> {
  checkOptions(shape, options, 'listen')
  const { port = 4010, host = '127.0.0.1' } = options
  try {
    await startListening(server, port, host)
  } catch (error) {
    throw new Error(`cannot listen on ${host}:${port}: ${toReason(error)}`, { cause: error })
  }
  return toUrl(server, host)
}

function startListening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onListening = () => {
      server.off('error', onError)
      resolve()
    }
    const onError = (error: Error) => {
      server.off('listening', onListening)
      reject(error)
    }
    server.once('error', onError).once('listening', onListening)
    server.listen(port, host)
  })
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; end the program that uses it, or choose another port',
  EACCES: 'no permission for this port; ports below 1024 often need one, choose a higher one',
  EADDRNOTAVAIL: 'this machine does not have the address; 127.0.0.1 and 0.0.0.0 are usual',
  ENOTFOUND: 'no address is known for the host; 127.0.0.1 and 0.0.0.0 are usual',
  EAI_AGAIN: 'no address is known for the host now; 127.0.0.1 and 0.0.0.0 are usual',
}

function toReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** The URL under which this machine reaches the server. */
function toUrl(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
