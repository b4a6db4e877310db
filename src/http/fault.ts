import type { ServerResponse } from 'node:http'

/** Breaks the connection of an answer before anything of it is sent. */
export function resetConnection(res: ServerResponse): void {
  res.req.socket.resetAndDestroy()
}

/**
 * Sends the first bytes of a body and then closes the connection, although the headers announce more.
 */
export function sendTruncated(res: ServerResponse, bytes: Uint8Array): void {
  res.flushHeaders()
  res.write(bytes)
  res.req.socket.destroySoon()
}
