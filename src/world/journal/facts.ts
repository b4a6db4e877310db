import type { MemoryAccount } from '../../memory/account.js'
import type { EntryFields, FactFields } from './fact-fields.js'
import { FactLog, type FactRows } from './fact-log.js'

/** The facts of a world, as JSON can represent them. */
export interface FactState extends FactRows {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
}

/** The requests of a world, for reports. Counts them, and retains the latest ones in a log. */
export class RequestFacts {
  readonly log: FactLog
  /** Id of the last request. */
  #upTo = 0
  /** Number of requests of each account; '' for those without a valid key. */
  readonly #received = new Map<string, number>()

  /** @param memory Account of the world. */
  constructor(readonly memory: MemoryAccount) {
    this.log = new FactLog(memory)
  }

  /** Adds a request, unless it was added before. */
  add(entry: EntryFields, fields: FactFields): void {
    if (entry.id <= this.#upTo) return
    this.#upTo = entry.id
    const account = fields[0] ?? ''
    this.#received.set(account, this.countOf(account) + 1)
    this.log.add(entry, fields)
  }

  /** Number of requests of all accounts, including those that are no longer retained. */
  get total(): number {
    return [...this.#received.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns the number of requests of an account, including those that are no longer retained. */
  countOf(account: string): number {
    return this.#received.get(account) ?? 0
  }

  /** Removes all requests. Those up to an id are not added again. */
  clear(upTo: number): void {
    this.log.clear()
    this.#received.clear()
    this.#upTo = upTo
  }

  /**
   * Returns the state, for `restore`. Undefined if there was no request.
   *
   * @param maximum Maximum number of requests.
   */
  save(maximum?: number): FactState | undefined {
    const received = [...this.#received]
    if (received.length === 0) return undefined
    return { upTo: this.#upTo, received, ...this.log.save(maximum) }
  }

  /** Continues from a saved state. */
  restore({ upTo, received, shapes, rows }: FactState): void {
    this.clear(upTo)
    for (const [account, count] of received) this.#received.set(account, count)
    this.log.restore({ shapes, rows })
  }
}
