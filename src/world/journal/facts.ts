import { reportedRequests } from '../../service/bounds.js'

/** What is true of a request. An absent field is false. */
export interface FactTraits {
  /** The request was charged, or rejected because a window was exhausted or the key was banned. */
  metered?: true
  /** The client disconnected before the response. */
  aborted?: true
  /** A fault closed the connection before or within the response. */
  lost?: true
  /** A preference or a fault has determined the status. */
  simulated?: true
  /** A handler of the user responded. */
  userHandled?: true
  /** The request had a body of a type that the operation accepts. */
  jsonType?: true
  /** The request had a body of another type, or of none, at an operation that takes a body. */
  otherType?: true
  /** The path names a pet that exists, and whose id a JavaScript number cannot represent. */
  longId?: true
  /** The path names no pet, but the id that results from reading a longer one as a number. */
  roundedId?: true
  /** The operation is deprecated. */
  deprecated?: true
  /** The sunset of the operation had passed. */
  afterSunset?: true
  idempotencyKey?: true
  /** The request has changed the data. */
  changed?: true
}

/** A connection as the facts of its requests show it. */
export interface FactConnection {
  /** Differs from that of every other connection, also of other processes. */
  readonly number: number
  /** Number of the server. Only the orders of one server can be compared. */
  readonly server: number
  /** Place of its end in the order of arrivals and ends. Undefined while it is open. */
  ended?: number
}

/** One request as a report assesses it, as JSON can represent it. Times are those of the world. */
export interface RequestFact {
  /** Id of the journal entry. Ids have the order in which the responses are sent. */
  readonly id: number
  /** Order of the arrival: id of the latest entry whose response had been sent then. */
  readonly afterId: number
  /** The connection. Undefined in process. */
  readonly connection?: FactConnection | undefined
  /** Place in the order of arrivals and ends of connections of its server. Undefined in process. */
  readonly arrival?: number | undefined
  /** Time at which its processing began, in milliseconds since the epoch. */
  readonly arrivedAtMs: number
  /** Time of the response, in milliseconds since the epoch. */
  readonly atMs: number
  /** Time of the response on the clock of the machine, which no test stops or moves. */
  readonly realAtMs: number
  /** Time that the client waited for the response, in milliseconds, including simulated delays. */
  readonly waitedMs: number
  /** Account of the key: a plan, or a key that the scenario lists. Null without a valid key. */
  readonly account: string | null
  /** Masked. */
  readonly apiKey?: string | undefined
  readonly operation?: string | undefined
  readonly method: string
  /**
   * What a client repeats if it sends the request again: method, address, path, query and body. Not
   * the preferences, which are not part of the service. Long parts are shortened, and credentials
   * masked. No response contains it.
   */
  readonly text: string
  /** 0 if there was no response. */
  readonly status: number
  readonly code?: string | undefined
  /** The rate limit that the response stated. */
  readonly limit: number
  readonly remaining: number
  /** Undefined for a response without `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
  /** Number of changes to the data of the world before the response. */
  readonly revision: number
  readonly traits: FactTraits
}

/** The latest items that a world has room for. Drops the oldest beyond its limits. */
export class Ring<Item> {
  /** Estimated size of the items, in bytes. */
  bytes = 0
  #items: Item[] = []
  /** The estimated size of each item, in bytes. */
  #sizes: number[] = []

  /**
   * @param capacity Maximum number of items.
   * @param maximumBytes Maximum size of the items.
   * @param hasRoom Whether the world has room for more bytes.
   * @param onDrop Called with each item that is dropped.
   */
  constructor(
    readonly capacity: number,
    readonly maximumBytes: number,
    readonly hasRoom: (bytes: number) => boolean,
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
   * @param bytes Estimated size of the item.
   */
  add(item: Item, bytes: number): boolean {
    const { capacity, maximumBytes, hasRoom } = this
    while (this.#items.length >= capacity || this.bytes + bytes > maximumBytes || !hasRoom(bytes)) {
      if (this.#items.length === 0) return false
      this.#dropOldest()
    }
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.bytes += bytes
    return true
  }

  #dropOldest(): void {
    const item = this.#items.shift()
    this.bytes -= this.#sizes.shift() ?? 0
    if (item !== undefined) this.onDrop(item)
  }

  /** Removes all items. */
  clear(): void {
    this.#items = []
    this.#sizes = []
    this.bytes = 0
  }
}

/** The facts of a world, as JSON can represent them. */
export interface FactState {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
  readonly latest: readonly RequestFact[]
}

/** The requests of one key. */
export interface KeyFacts {
  /** Number of requests, including those that are no longer retained. */
  readonly received: number
  /** Number of requests to its world without a valid key, which any client may have sent. */
  readonly unattributed: number
  /** The retained requests, in the order of their responses. */
  readonly facts: readonly RequestFact[]
}

/** Size of a fact without its text, in bytes. */
const factBytes = 400

/** The requests of a world for reports: the number of all, and the latest ones. */
export class RequestFacts {
  /** Id of the last request. */
  #upTo = 0
  /** Number of requests of each account; '' for those without a valid key. */
  #received = new Map<string, number>()
  /** The latest request with each text. */
  readonly #byText = new Map<string, RequestFact>()
  readonly ring: Ring<RequestFact>

  /**
   * @param maximumBytes Maximum size of the retained requests.
   * @param hasRoom Whether the world has room for more bytes.
   */
  constructor(maximumBytes: number, hasRoom: (bytes: number) => boolean) {
    this.ring = new Ring(reportedRequests, maximumBytes, hasRoom, (fact) => {
      if (this.#byText.get(fact.text) === fact) this.#byText.delete(fact.text)
    })
  }

  /** Number of requests of all accounts, including those that are no longer retained. */
  get total(): number {
    return [...this.#received.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns the number of requests of an account, including those that are no longer retained. */
  countOf(account: string): number {
    return this.#received.get(account) ?? 0
  }

  /** Returns the retained requests, in the order of their responses. */
  list(): readonly RequestFact[] {
    return this.ring.list()
  }

  /** Returns the requests of an account. */
  read(account: string): KeyFacts {
    const facts = this.list().filter((fact) => fact.account === account)
    return { received: this.countOf(account), unattributed: this.countOf(''), facts }
  }

  /** Adds a request, unless it was added before. Facts with the same text share one string. */
  add(fact: RequestFact): void {
    if (fact.id <= this.#upTo) return
    this.#upTo = fact.id
    const account = fact.account ?? ''
    this.#received.set(account, (this.#received.get(account) ?? 0) + 1)
    const before = this.#byText.get(fact.text)
    const shared = before ? { ...fact, text: before.text } : fact
    const bytes = before ? factBytes : factBytes + fact.text.length
    if (this.ring.add(shared, bytes)) this.#byText.set(shared.text, shared)
  }

  /** Removes all requests. Those up to an id are not added again. */
  clear(upTo: number): void {
    this.#upTo = upTo
    this.#received.clear()
    this.#byText.clear()
    this.ring.clear()
  }

  /**
   * Returns the state, for `restore`. Undefined if there was no request.
   *
   * @param maximum Maximum number of requests; the latest ones are saved.
   */
  save(maximum = reportedRequests): FactState | undefined {
    const received = [...this.#received]
    if (received.length === 0) return undefined
    return { upTo: this.#upTo, received, latest: this.list().slice(-maximum) }
  }

  /** Continues from a saved state. */
  restore({ upTo, received, latest }: FactState): void {
    this.clear(0)
    for (const fact of latest) this.add(fact)
    this.#upTo = upTo
    this.#received = new Map(received)
  }
}
