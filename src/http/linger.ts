import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Sends the last answer of a connection while its request is still arriving. To close at once
 * would cut off a client that is still sending before it reads the answer, so what it sends is
 * dropped for a moment first.
 */
export function sendUnread(res: ServerResponse, body: string | undefined, lingerMs: number): void {
  const { req } = res
  if (body === undefined) res.flushHeaders()
  else res.write(body)
  const end = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(end, lingerMs)
  res.once('close', () => clearTimeout(timer))
  req
    .on('error', () => {})
    .once('end', end)
    .resume()
}

/** Sends the last bytes of a connection and cuts it when the client has had time to read them. */
export function endSocket(socket: Socket, bytes: string, lingerMs: number): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.on('error', () => socket.destroy()).once('end', () => socket.destroy())
  socket.end(bytes)
  socket.resume()
}
