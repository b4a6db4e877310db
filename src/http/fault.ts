import type { ServerResponse } from 'node:http'

/** Breaks the connection of an answer before anything of it is sent. */
export function resetConnection(res: ServerResponse): void {
  res.req.socket.resetAndDestroy()
}

/**
 * Sends a share of the bytes of a body whose head has promised all of them, and then breaks the
 * connection, together with whatever else waits on it.
 */
export function sendTruncated(res: ServerResponse, bytes: Uint8Array, share: number): void {
  res.flushHeaders()
  res.write(bytes.subarray(0, Math.floor(bytes.length * share)))
  res.req.socket.destroySoon()
}
