import type { ServerResponse } from 'node:http'
import type { EventStream } from '../control/operation.js'

/** Bytes that wait for a reader who does not keep up; past it the connection is cut. */
const waitingLimit = 1_048_576

/**
 * Sends events as they happen, until the client leaves. The head of the answer is written already.
 *
 * @param quietMs How long nothing may be sent; then a comment shows that the stream still lives.
 */
export function sendStream(res: ServerResponse, source: EventStream, quietMs: number): void {
  const send = (text: string) => {
    if (res.writableEnded || res.destroyed) return
    res.write(text)
    if (res.writableLength > waitingLimit) res.destroy()
  }
  res.flushHeaders()
  const stop = source(send)
  const beat = setInterval(() => send(':\n\n'), quietMs)
  res.once('close', () => {
    clearInterval(beat)
    stop()
  })
}
