import type { ServerResponse } from 'node:http'
import type { EventSource } from '../control/control-operation.js'

/** Bytes that wait for a reader who does not keep up; past it the connection is cut. */
const waitingLimit = 1_048_576

/** Sends text as it happens, until the client leaves. The head of the answer is written already. */
export function sendStream(res: ServerResponse, source: EventSource): void {
  res.flushHeaders()
  const stop = source((text) => {
    if (res.writableEnded || res.destroyed) return
    res.write(text)
    if (res.writableLength > waitingLimit) res.destroy()
  })
  res.once('close', stop)
}
