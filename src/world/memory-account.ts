import { Problem } from '../service/errors.js'

/** What the memory is used for, in the order of the log. */
export const memoryUses = [
  'worlds',
  'scenarios',
  'data',
  'messages',
  'journals',
  'cached responses',
  'request headers',
  'request bodies',
  'delayed requests',
  'unsent responses',
  'event streams',
] as const
export type MemoryUse = (typeof memoryUses)[number]

/** Number of bytes of each use. */
export type MemoryUsage = Readonly<Partial<Record<MemoryUse, number>>>

export interface MemoryAccountOptions {
  /** The owner, for messages: `this world`. */
  readonly owner: string
  /** Maximum number of bytes. */
  readonly limit: number
  /** The account that contains this one: a world belongs to a client, a client to the sandbox. */
  readonly parent?: MemoryAccount | undefined
  /**
   * Number of bytes of the parent that this account leaves to others, once it uses an eighth as
   * many itself. A few large clients therefore leave room for many small ones.
   */
  readonly leaves?: number | undefined
  /**
   * Called if the limit would be exceeded. Releases bytes, at least `missing` if possible.
   *
   * @param requester The account that needs the bytes: this one, or one inside it.
   */
  readonly makeRoom?: (missing: number, requester: MemoryAccount) => void
  /** Called each time a reservation is rejected because this account is full. */
  readonly onFull?: (account: MemoryAccount) => void
}

/**
 * Accounts for the bytes that requests make the process retain. The numbers are estimates, which
 * are reserved before the memory is allocated. Each byte also counts towards the parent account.
 */
export class MemoryAccount {
  // An object, which uses a quarter of the memory of a Map: each world has an account.
  readonly #usage: Partial<Record<MemoryUse, number>> = {}
  #used = 0
  #isClosed = false

  constructor(readonly options: MemoryAccountOptions) {}

  /** Number of reserved bytes. */
  get used(): number {
    return this.#used
  }

  /** Reserved bytes by use. */
  get usage(): MemoryUsage {
    return { ...this.#usage }
  }

  /**
   * Reserves bytes.
   *
   * @throws {Problem} sandbox_capacity, if this account or one that contains it is full.
   */
  reserve(use: MemoryUse, bytes: number): void {
    this.check(bytes)
    this.#add(use, bytes)
  }

  /** Reserves bytes. Returns false if this account or one that contains it is full. */
  tryReserve(use: MemoryUse, bytes: number): boolean {
    if (this.#findFull(bytes)) return false
    this.#add(use, bytes)
    return true
  }

  /**
   * Checks whether there is room for more bytes.
   *
   * @throws {Problem} sandbox_capacity, if this account or one that contains it is full.
   */
  check(bytes: number): void {
    const full = this.#findFull(bytes)
    if (!full) return
    full.options.onFull?.(full)
    throw createMemoryProblem(full)
  }

  /** Sets the bytes of a use, also if the account is then full. */
  resize(use: MemoryUse, bytes: number): void {
    const change = bytes - (this.#usage[use] ?? 0)
    if (change !== 0) this.#add(use, change)
  }

  /**
   * Changes the bytes of a use. Returns false and changes nothing if it needs more bytes and this
   * account or one that contains it is full.
   */
  tryChange(use: MemoryUse, bytes: number): boolean {
    if (bytes > 0) return this.tryReserve(use, bytes)
    if (bytes < 0) this.#add(use, bytes)
    return true
  }

  /** Releases bytes that were reserved for the same use. */
  release(use: MemoryUse, bytes: number): void {
    this.#add(use, -bytes)
  }

  /** Releases all bytes. Later reservations have no effect: the owner has been discarded. */
  close(): void {
    for (const use of memoryUses) {
      const bytes = this.#usage[use]
      if (bytes) this.#add(use, -bytes)
    }
    this.#isClosed = true
  }

  #findFull(bytes: number): MemoryAccount | undefined {
    if (bytes <= 0 || this.#isClosed) return undefined
    let left = 0
    for (let account: MemoryAccount | undefined = this; account; account = account.options.parent) {
      const { makeRoom, leaves = 0 } = account.options
      const limit = account.options.limit - left
      left = account.#used > leaves / 8 ? leaves : 0
      if (account.#used + bytes > limit) makeRoom?.(account.#used + bytes - limit, this)
      if (account.#used + bytes > limit) return account
    }
    return undefined
  }

  #add(use: MemoryUse, bytes: number): void {
    if (this.#isClosed) return
    for (let account: MemoryAccount | undefined = this; account; account = account.options.parent) {
      account.#used += bytes
      account.#usage[use] = (account.#usage[use] ?? 0) + bytes
    }
  }
}

/** Time after which a request that was rejected for lack of memory may succeed, in seconds. */
const retryAfterSeconds = 10

function createMemoryProblem({ options }: MemoryAccount): Problem {
  const message = `the sandbox has no memory left for this request: ${options.owner} may use ${options.limit} bytes; this is not a limit of the service`
  return new Problem('sandbox_capacity', message, retryAfterSeconds)
}

/** Share of the memory of a world that one ring may use. */
const memoryShare = 1 / 4

/** The latest items that a world has memory for. Drops the oldest beyond its capacity and its share. */
export class Ring<Item> {
  #items: Item[] = []
  /** The estimated memory of each item, in bytes. */
  #sizes: number[] = []
  #bytes = 0

  /**
   * @param capacity Maximum number of items.
   * @param memory Account of the world.
   * @param onDrop Called with each item that is dropped.
   */
  constructor(
    readonly capacity: number,
    readonly memory: MemoryAccount,
    readonly onDrop: (item: Item) => void = () => {},
  ) {}

  get size(): number {
    return this.#items.length
  }

  /** Returns a copy of the items, oldest first. */
  list(): readonly Item[] {
    return this.#items.slice()
  }

  /**
   * Adds an item, and drops the oldest ones until it fits. Returns whether there is room for it.
   *
   * @param bytes Estimated memory of the item.
   */
  add(item: Item, bytes: number): boolean {
    const limit = this.memory.options.limit * memoryShare
    const hasRoom = () =>
      this.size < this.capacity &&
      this.#bytes + bytes <= limit &&
      this.memory.tryReserve('journals', bytes)
    while (!hasRoom()) {
      if (this.size === 0) return false
      this.#dropOldest()
    }
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    return true
  }

  #dropOldest(): void {
    const item = this.#items.shift()
    const bytes = this.#sizes.shift() ?? 0
    this.#bytes -= bytes
    this.memory.release('journals', bytes)
    if (item !== undefined) this.onDrop(item)
  }

  /** Removes all items. */
  clear(): void {
    this.memory.release('journals', this.#bytes)
    this.#items = []
    this.#sizes = []
    this.#bytes = 0
  }
}
