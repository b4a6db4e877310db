import type { JournalEntry } from '../../world/journal/journal.js'
import { createPaint, type Paint, type Terminal, toPlainLine, toStatusStyle } from '../terminal.js'
import type { ServeOptions } from './options.js'
import { type StartUp, toStartUpText } from './start-up.js'

/** The output of `serve` while it runs. */
export interface ServeLog {
  /** The server has started to listen. */
  started(startUp: StartUp): void
  /** A request was processed. */
  request(entry: JournalEntry): void
  /** An event of the sandbox, as one line. */
  notice(line: string): void
  /** A failure after which the sandbox continues unchanged, as one line. */
  error(line: string): void
}

/**
 * Creates the log of a style. `silent` omits the requests only.
 *
 * @param now Returns the real time in milliseconds since the epoch.
 */
export function createLog(
  style: ServeOptions['log'],
  terminal: Terminal,
  now: () => number,
): ServeLog {
  const log = style === 'json' ? createJsonLog(terminal, now) : createPrettyLog(terminal, now)
  return style === 'silent' ? { ...log, request: () => {} } : log
}

/** Creates a log with one JSON object per line. */
function createJsonLog({ stdout }: Terminal, now: () => number): ServeLog {
  const write = (event: string, fields: object) => {
    const time = new Date(now()).toISOString()
    stdout.write(`${JSON.stringify({ time, event, ...fields })}\n`)
  }
  return {
    started: (startUp) => write('started', startUp),
    request: (entry) =>
      write('request', {
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
    notice: (line) => write('notice', { line }),
    error: (line) => write('error', { line }),
  }
}

/** Creates a log with human-readable lines. */
function createPrettyLog({ stdout, stderr, env }: Terminal, now: () => number): ServeLog {
  const paint = createPaint(stdout, env)
  const paintError = createPaint(stderr, env)
  const time = () => new Date(now()).toTimeString().slice(0, 8)
  return {
    started: (startUp) => stdout.write(toStartUpText(startUp, paint)),
    request: (entry) => stdout.write(`${paint('dim', time())}  ${toRequestLine(entry, paint)}\n`),
    notice: (line) => stdout.write(`${paint('dim', time())}  ${toPlainLine(line)}\n`),
    error: (line) => stderr.write(`${time()}  ${paintError('red', toPlainLine(line))}\n`),
  }
}

function toRequestLine(entry: JournalEntry, paint: Paint): string {
  const { status, operation, method, path, address, durationMs, apiKey } = entry
  const where = address === 'api' ? '' : ` (${address})`
  const reason = toReason(entry)
  const parts = [
    paint(toStatusStyle(status), status === 0 ? '---' : String(status)),
    (operation ?? 'no operation').padEnd(15),
    `${toPlainLine(`${method} ${path}`)}${where}`,
    paint('dim', `${durationMs.toFixed(1)} ms`),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
  ]
  return [...parts, ...(reason ? [toPlainLine(reason)] : [])].join('  ')
}

/** Returns why a request was rejected: the last line of its explanation, without the status. */
function toReason({ status, explanation }: JournalEntry): string | undefined {
  if (status >= 100 && status < 400) return undefined
  return explanation.at(-1)?.replace(/^rejected with \d+ /, '')
}
