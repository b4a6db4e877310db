import { inspect } from 'node:util'
import { compact } from 'es-toolkit/array'
import { throttle } from 'es-toolkit/function'
import { pick } from 'es-toolkit/object'
import type { Client } from '../../engine/client.js'
import type { KeyHolder } from '../../engine/keys.js'
import type { Sandbox } from '../../engine/sandbox.js'
import { toCount, toPlainLine } from '../../service/validation/message.js'
import { type Store, StoreError } from '../../store/store.js'
import type { Metrics } from '../../transport/http/respond.js'
import type { RecordedEntry } from '../../world/journal/entry.js'
import { createPaint, type Output, type Paint, type Terminal, toStatusText } from '../terminal.js'
import type { ServeOptions } from './options.js'
import { type StartUp, toStartUpText } from './start-up.js'

/** The output of `serve` while it runs. */
export type ServeLog = ReturnType<typeof createLog>

/**
 * Creates the log of a style: human-readable lines, or with `json` one object per line. `silent` omits
 * the requests only.
 *
 * @param now Returns the real time in milliseconds since the epoch.
 */
export function createLog(
  style: ServeOptions['log'],
  { stdout, stderr, env }: Terminal,
  now: () => number,
) {
  const isJson = style === 'json'
  const paint = createPaint(stdout, env)
  const paintError = createPaint(stderr, env)
  const time = () => new Date(now()).toTimeString().slice(0, 8)
  const toJson = (event: string, fields: object) =>
    `${JSON.stringify({ time: new Date(now()).toISOString(), event, ...fields })}\n`
  const toNotice = (line: string, event = 'notice') =>
    isJson ? toJson(event, { line }) : `${paint('dim', time())}  ${toPlainLine(line)}\n`
  const toError = (line: string, event = 'error') =>
    isJson ? toJson(event, { line }) : `${time()}  ${paintError('red', toPlainLine(line))}\n`
  const write = createWriter(stdout, toNotice)
  const writeError = isJson ? write : createWriter(stderr, toError)
  return {
    /** The server has started to listen. */
    started: (startUp: StartUp) =>
      write(isJson ? toJson('started', startUp) : toStartUpText(startUp, paint)),
    /** A request was processed. The sender is logged if there is one. */
    request(entry: RecordedEntry, sender?: Sender) {
      if (isJson) {
        const fields = { ...pick(entry, requestFields), reason: toReason(entry), ...sender }
        write(toJson('request', fields))
      } else if (style === 'pretty') {
        write(`${paint('dim', time())}  ${toRequestLine(paint, entry, sender)}\n`)
      }
    },
    /** An event of the sandbox, as one line. The JSON log has the name of the event. */
    notice: (line: string, event?: 'closing' | 'closed' | 'storeRecovered') =>
      write(toNotice(line, event)),
    /** A failure after which the sandbox continues unchanged, as one line. */
    error: (line: string, event?: 'warning' | 'storeFailed') => writeError(toError(line, event)),
    /** A bug in the sandbox or in a module of the user, with its stack and its cause. */
    bug(error: unknown) {
      const line = `petstore-sandbox: error: ${error instanceof Error ? error.message : String(error)}`
      const stack = inspect(error)
      const lines = stack.split('\n').map((each) => `  ${toPlainLine(each)}\n`)
      writeError(isJson ? toJson('error', { line, stack }) : toError(line) + lines.join(''))
    },
  }
}

/** Number of characters that may wait for the reader of an output. */
const maximumPending = 1_048_576

/**
 * Returns a function that writes lines. If the reader of the output, such as a full pipe, is too far
 * behind, it drops them until the output has drained: Node.js buffers what it cannot write, without a
 * limit.
 *
 * @param toNote Formats the note about dropped lines, which is written when the output has drained.
 * @param limit Maximum number of pending characters.
 */
export function createWriter(
  output: Output,
  toNote: (line: string) => string,
  limit: number = maximumPending,
): (text: string) => void {
  let dropped = 0
  const reportDropped = () => {
    if (dropped === 0 || output.writableLength) return
    output.write(toNote(`${dropped} lines dropped because nobody read the output`))
    dropped = 0
  }
  return (text) => {
    reportDropped()
    if (dropped > 0 || (output.writableLength ?? 0) > limit) dropped += text.split('\n').length - 1
    else output.write(text, reportDropped)
  }
}

/** Returns who sent a request, if the options say that it is logged. */
export function toSender(
  { logClients, keySecrets }: ServeOptions,
  holder: KeyHolder | undefined,
  client: Client | undefined,
) {
  if (!logClients) return undefined
  const label = holder?.world.name.label
  return {
    /** IP address, or the /64 network of an IPv6 address. */
    client: client?.address,
    /** Undefined for a request without a valid key, like the label. */
    plan: holder?.plan,
    /** Scenario of the world's name, even if the world was restarted from another one. */
    scenario: holder?.world.name.scenario,
    /** Label of the world. Empty if the key has none. */
    label: keySecrets === undefined && label ? shortenLabel(label) : label,
  }
}

type Sender = ReturnType<typeof toSender>

/** Without a key secret, plan, scenario and label together are the whole key. */
function shortenLabel(label: string): string {
  return `${label.slice(0, Math.min(8, label.length / 2))}…`
}

/** The logged fields of a request: no query, header or body. */
const requestFields = [
  'operation',
  'method',
  'path',
  'environment',
  'address',
  'status',
  'durationMs',
  'apiKey',
  'requestId',
  'code',
] as const

function toRequestLine(paint: Paint, entry: RecordedEntry, sender?: Sender): string {
  const { status, operation, method, path, address = 'api', durationMs, apiKey, requestId } = entry
  const where = address === 'api' ? '' : ` (${address})`
  const reason = toReason(entry)
  const missing = entry.isUserHandled ? 'user handler' : 'no operation'
  const parts = [
    toStatusText(status, paint),
    (operation ?? missing).padEnd(15),
    `${toPlainLine(`${method} ${path}`)}${where}`,
    paint('dim', `${durationMs.toFixed(1)} ms`),
    paint('dim', toPlainLine(apiKey ?? 'no key')),
    paint('dim', requestId),
    sender?.client,
    sender?.plan,
    sender?.scenario,
    sender?.label,
    reason && toPlainLine(reason),
  ]
  return compact(parts).join('  ')
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

/**
 * Logs evictions, and why requests are rejected with 503 `sandbox_capacity`. Returns a function that
 * stops it.
 */
export function reportCapacity(core: Sandbox, log: ServeLog): () => void {
  const use = () =>
    `the worlds use ${toMebibytes(core.worlds.bytes)} of ${toMebibytes(core.settings.maxMemory)}`
  const evictions = createCounter((count) => {
    log.notice(`evicted ${toCount(count, 'worlds')}, least recently used first; ${use()}`)
  })
  const rejections = createCounter((count, message) => {
    const requests = toCount(count, 'requests')
    log.error(`rejected ${requests} with 503 sandbox_capacity: ${message}; ${use()}`)
  })
  core.evictions.add(() => evictions.add(''))
  core.rejections.add(({ message }) => rejections.add(message))
  return () => {
    evictions.stop()
    rejections.stop()
  }
}

/** Counts events, and reports them at once and then at most every ten seconds. */
function createCounter(report: (count: number, latest: string) => void) {
  let count = 0
  const reportSoon = throttle((latest: string) => {
    report(count, latest)
    count = 0
  }, 10_000)
  const add = (event: string) => {
    count += 1
    reportSoon(event)
  }
  return { add, stop: reportSoon.cancel }
}

function toMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}

/**
 * Returns a store whose operations are measured, and whose failure and recovery are logged, once each.
 *
 * @param monotonic Returns monotonic milliseconds.
 */
export function observe(
  store: Store,
  metrics: Metrics,
  log: Pick<ServeLog, 'notice' | 'error'>,
  monotonic: () => number,
): Store {
  /** Names of the operations that have failed since the store worked. */
  const failed = new Set<string>()
  const call = async (name: string, run: () => Promise<unknown>) => {
    const startedAt = monotonic()
    try {
      const result = await run()
      // Another replica has changed the world, so that the step is executed again.
      if (name === 'append' && result === false) metrics.storeConflicts += 1
      // A store that cannot be written, for example because the disk is full, can often still be read.
      if (failed.has(name) || (failed.size > 0 && name === 'append')) {
        failed.clear()
        log.notice('the store has recovered', 'storeRecovered')
      }
      return result
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const line = `the store has failed, and requests are rejected with 503: ${error.message}`
      if (failed.size === 0) log.error(line, 'storeFailed')
      failed.add(name)
      throw error
    } finally {
      metrics.observeStore(name, (monotonic() - startedAt) / 1_000)
    }
  }
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const member = store[name]
      if (typeof member !== 'function') return member
      const run = (...args: unknown[]) => Reflect.apply(member, store, args)
      if (name === 'follow' || name === 'close') return run
      return (...args: unknown[]) => call(name, () => run(...args))
    },
  })
}
