import type { Terminal } from '../terminal.js'
import { type ServeLog, toReason } from './serve-log.js'

/** Tells everything as one JSON object per line, for programs to read. */
export function createJsonLog({ stdout }: Terminal, now: () => number): ServeLog {
  const write = (event: string, fields: object) => {
    const time = new Date(now()).toISOString()
    stdout.write(`${JSON.stringify({ time, event, ...fields })}\n`)
  }
  return {
    started: (startUp) => write('started', startUp),
    called: (entry) =>
      write('called', {
        operation: entry.operation,
        method: entry.method,
        path: entry.path,
        environment: entry.environment,
        address: entry.address,
        status: entry.status,
        durationMs: Math.round(entry.durationMs * 1000) / 1000,
        apiKey: entry.apiKey,
        code: entry.code,
        reason: toReason(entry),
      }),
    noted: (line) => write('noted', { line }),
    failed: (line) => write('failed', { line }),
  }
}
