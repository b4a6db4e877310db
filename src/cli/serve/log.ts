import { inspect } from 'node:util'
import type { Client } from '../../engine/client.js'
import type { KeyHolder } from '../../engine/keys.js'
import type { PlanId } from '../../service/plans.js'
import { toPlainLine } from '../../service/validation/message.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import { createPaint, type Paint, type Terminal, toStatusStyle } from '../terminal.js'
import { BoundedOutput } from './bounded-output.js'
import type { ServeOptions } from './options.js'
import { type StartUp, toStartUpText } from './start-up.js'

/** The output of `serve` while it runs. */
export interface ServeLog {
  /** The server has started to listen. */
  started(startUp: StartUp): void
  /** A request was processed. The sender is logged if there is one. */
  request(entry: RecordedEntry, sender?: Sender): void
  /**
   * An event of the sandbox, as one line.
   *
   * @param event Name of the event in the JSON log. Default: `notice`.
   */
  notice(line: string, event?: 'notice' | 'closing' | 'closed' | 'storeRecovered'): void
  /**
   * A failure after which the sandbox continues unchanged, as one line.
   *
   * @param event Name of the event in the JSON log. Default: `error`.
   */
  error(line: string, event?: 'error' | 'warning' | 'storeFailed'): void
  /** A bug in the sandbox or in a module of the user, with its stack. */
  bug(error: unknown): void
}

/** Who sent a request. */
interface Sender {
  /** IP address, or the /64 network of an IPv6 address. */
  readonly client: string | undefined
  /** Undefined for a request without a valid key, like the label. */
  readonly plan: PlanId | undefined
  /** Label of the world. Empty if the key has none. */
  readonly label: string | undefined
}

/** Returns the sender of a request, if the options say that it is logged. */
export function toSender(
  { logClients, keySecrets }: ServeOptions,
  holder: KeyHolder | undefined,
  client: Client | undefined,
): Sender | undefined {
  if (!logClients) return undefined
  const label = holder?.world.name.label
  return {
    client: client?.address,
    plan: holder?.plan,
    label: keySecrets === undefined && label ? shortenLabel(label) : label,
  }
}

/** Without a key secret, plan, scenario and label together are the whole key. */
function shortenLabel(label: string): string {
  return `${label.slice(0, Math.min(8, label.length / 2))}…`
}

/**
 * Creates the log of a style. `silent` omits the requests only. If nobody reads the output, lines
 * are dropped, and their number is logged later.
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

function describeDropped(count: number): string {
  return `${count} lines dropped because nobody read the output`
}

/** Creates a log with one JSON object per line. */
function createJsonLog({ stdout }: Terminal, now: () => number): ServeLog {
  const toLine = (event: string, fields: object) => {
    const time = new Date(now()).toISOString()
    return `${JSON.stringify({ time, event, ...fields })}\n`
  }
  const output = new BoundedOutput(stdout, (dropped) =>
    toLine('notice', { line: describeDropped(dropped) }),
  )
  const write = (event: string, fields: object) => output.write(toLine(event, fields))
  return {
    started: (startUp) => write('started', startUp),
    request: (entry, sender) => write('request', { ...toRequestFields(entry), ...sender }),
    notice: (line, event = 'notice') => write(event, { line }),
    error: (line, event = 'error') => write(event, { line }),
    bug: (error) => write('error', { line: toErrorLine(error), stack: inspect(error) }),
  }
}

/** Returns the logged fields of a request. They contain no query, header or body. */
function toRequestFields(entry: RecordedEntry): object {
  return {
    operation: entry.operation,
    method: entry.method,
    path: entry.path,
    environment: entry.environment,
    address: entry.address,
    status: entry.status,
    durationMs: entry.durationMs,
    apiKey: entry.apiKey,
    requestId: entry.requestId,
    code: entry.code,
    reason: toReason(entry),
  }
}

/** Creates a log with human-readable lines. */
function createPrettyLog({ stdout, stderr, env }: Terminal, now: () => number): ServeLog {
  const paint = createPaint(stdout, env)
  const paintError = createPaint(stderr, env)
  const time = () => new Date(now()).toTimeString().slice(0, 8)
  const toNotice = (line: string) => `${paint('dim', time())}  ${toPlainLine(line)}\n`
  const toError = (line: string) => `${time()}  ${paintError('red', toPlainLine(line))}\n`
  const output = new BoundedOutput(stdout, (dropped) => toNotice(describeDropped(dropped)))
  const errors = new BoundedOutput(stderr, (dropped) => toError(describeDropped(dropped)))
  return {
    started: (startUp) => output.write(toStartUpText(startUp, paint)),
    request: (...request) =>
      output.write(`${paint('dim', time())}  ${toRequestLine(paint, ...request)}\n`),
    notice: (line) => output.write(toNotice(line)),
    error: (line) => errors.write(toError(line)),
    bug: (error) => errors.write(`${toError(toErrorLine(error))}${toStackText(error)}`),
  }
}

function toErrorLine(error: unknown): string {
  return `petstore-sandbox: error: ${error instanceof Error ? error.message : String(error)}`
}

/** Returns an error with its stack and its cause, indented. */
function toStackText(error: unknown): string {
  const lines = inspect(error).split('\n')
  return lines.map((line) => `  ${toPlainLine(line)}\n`).join('')
}

function toRequestLine(paint: Paint, entry: RecordedEntry, sender?: Sender): string {
  const { status, operation, method, path, address = 'api', durationMs, apiKey, requestId } = entry
  const where = address === 'api' ? '' : ` (${address})`
  const reason = toReason(entry)
  const missing = entry.isUserHandled ? 'user handler' : 'no operation'
  const parts = [
    paint(toStatusStyle(status), status === 0 ? '---' : String(status)),
    (operation ?? missing).padEnd(15),
    `${toPlainLine(`${method} ${path}`)}${where}`,
    paint('dim', `${durationMs.toFixed(1)} ms`),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
    paint('dim', requestId),
    ...(sender ? [sender.client, sender.plan, sender.label].filter(Boolean) : []),
  ]
  return [...parts, ...(reason ? [toPlainLine(reason)] : [])].join('  ')
}

/**
 * Returns why a request was rejected, or that a user handler responded: the last line of the
 * explanation, without the status.
 */
function toReason({ status, explanation, isUserHandled }: RecordedEntry): string | undefined {
  if (status >= 100 && status < 400 && !isUserHandled) return undefined
  // The end of a message states what was found, which is private data of the client.
  return explanation
    .at(-1)
    ?.replace(/^rejected with \d+ /, '')
    .replace(/, found .*$/s, '')
}
