import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { resetConnection } from './fault.js'

/** What belongs to one connection and never to the next. */
const connectionHeaders: readonly string[] = ['connection', 'keep-alive', 'transfer-encoding']

/**
 * Sends a Fetch response. A network error breaks the connection before anything is sent, a body
 * that fails breaks it in the middle; neither ends the process. A response that says nothing of
 * other origins may be read by any page, as the answers of the sandbox may.
 *
 * @throws What the body failed with; the connection is broken then.
 */
export async function sendResponse(res: ServerResponse, response: Response): Promise<void> {
  if (res.destroyed) {
    await response.body?.cancel()
    return
  }
  if (response.type === 'error') return resetConnection(res)
  res.writeHead(response.status, response.statusText, toFlatHeaders(response.headers))
  if (res.req.method === 'HEAD' || !response.body) {
    res.end()
    await response.body?.cancel()
    return
  }
  res.flushHeaders()
  try {
    await pipeline(toReadable(response.body), res)
  } catch (error) {
    if (!isLeft(error)) throw error
  }
}

/** The stream of a Response is Node's own; only the types of Node and of the browser differ. */
function toReadable(body: ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(body as unknown as NodeStream<Uint8Array>)
}

function toFlatHeaders(headers: Headers): string[] {
  const flat: string[] = []
  for (const [name, value] of headers) {
    if (!connectionHeaders.includes(name)) flat.push(name, value)
  }
  const saysOrigin = flat.some((text) => text.startsWith('access-control-'))
  return saysOrigin ? flat : [...flat, 'Access-Control-Allow-Origin', '*']
}

/** Whether the client left before the end. */
function isLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
