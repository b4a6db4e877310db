import type { MemoryAccount } from '../../memory/account.js'
import type { EntryFields, FactFields } from './fact-fields.js'
import type { FactLog, FactRows, KeyFacts } from './fact-log.js'

/** The facts of a world, as JSON can represent them. */
export interface FactState extends Partial<FactRows> {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
}

/** The module of the log. */
interface LogModule {
  readonly FactLog: typeof FactLog
}

/** Number of waiting requests with which the log is loaded, and beyond which the oldest are removed. */
const loadedAt = 64
export const maximumWaiting = 1_000
/** Memory of a waiting request, in bytes (measured). */
const waitingBytes = 400

/**
 * The requests of a world, for reports. Counts them, and retains the latest ones in a log, which is
 * loaded when it is needed. Until then, and if it cannot be loaded, few requests wait for it.
 */
export class RequestFacts {
  #log: FactLog | undefined
  #loading: Promise<FactLog> | undefined
  #waiting: (readonly [EntryFields, FactFields])[] = []
  /** Id of the last request. */
  #upTo = 0
  /** Number of requests of each account; '' for those without a valid key. */
  readonly #received = new Map<string, number>()

  /** @param memory Account of the world. */
  constructor(
    readonly memory: MemoryAccount,
    readonly importLog: () => Promise<LogModule> = () => import('./fact-log.js'),
  ) {}

  /** Adds a request, unless it was added before. */
  add(entry: EntryFields, fields: FactFields): void {
    if (entry.id <= this.#upTo) return
    this.#upTo = entry.id
    const account = fields[0] ?? ''
    this.#received.set(account, this.countOf(account) + 1)
    if (this.#log) this.#log.add(entry, fields)
    else this.#wait(entry, fields)
  }

  /** Number of requests of all accounts, including those that are no longer retained. */
  get total(): number {
    return [...this.#received.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns the number of requests of an account, including those that are no longer retained. */
  countOf(account: string): number {
    return this.#received.get(account) ?? 0
  }

  /** Returns the requests of an account, and those of the world without a valid key. */
  async read(account: string): Promise<KeyFacts> {
    const log = await this.load()
    return log.read(account, this.countOf(account) + this.countOf(''))
  }

  /** Loads and opens the log. */
  load(): Promise<FactLog> {
    this.#loading ??= this.importLog().then(
      (module) => this.open(module),
      (error) => {
        this.#loading = undefined
        throw error
      },
    )
    return this.#loading
  }

  /** Returns the log, which then retains the requests that wait for it. */
  open({ FactLog }: LogModule): FactLog {
    if (this.#log) return this.#log
    const log = new FactLog(this.memory)
    const waiting = this.#waiting
    this.#removeWaiting(waiting.length)
    for (const [entry, fields] of waiting) log.add(entry, fields)
    this.#log = log
    return log
  }

  #wait(entry: EntryFields, fields: FactFields): void {
    while (
      this.#waiting.length >= maximumWaiting ||
      !this.memory.tryReserve('journals', waitingBytes)
    ) {
      if (this.#waiting.length === 0) return
      this.#removeWaiting(1)
    }
    // The journal may drop the rest of the entry.
    const { id, atMs, apiKey, environment, address, operation, method } = entry
    const { status, aborted, code, isUserHandled } = entry
    const shared = { apiKey, environment, address, operation, method, status, aborted, code }
    this.#waiting.push([{ id, atMs, isUserHandled, ...shared }, fields])
    // If that fails, the next report tries again.
    if (this.#waiting.length === loadedAt) this.load().catch(() => {})
  }

  #removeWaiting(count: number): void {
    this.#waiting = this.#waiting.slice(count)
    this.memory.release('journals', count * waitingBytes)
  }

  /** Removes all requests. Those up to an id are not added again. */
  clear(upTo: number): void {
    this.#removeWaiting(this.#waiting.length)
    this.#log?.clear()
    this.#received.clear()
    this.#upTo = upTo
  }

  /**
   * Returns the state, for `restore`; the requests only if the log is loaded. Undefined if there
   * was no request.
   *
   * @param maximum Maximum number of requests.
   */
  save(maximum?: number): FactState | undefined {
    const received = [...this.#received]
    if (received.length === 0) return undefined
    return { upTo: this.#upTo, received, ...this.#log?.save(maximum) }
  }

  /** Continues from a saved state; with its requests only if the log is loaded. */
  restore({ upTo, received, shapes, rows }: FactState): void {
    this.clear(upTo)
    for (const [account, count] of received) this.#received.set(account, count)
    if (shapes && rows !== undefined) this.#log?.restore({ shapes, rows })
  }
}
