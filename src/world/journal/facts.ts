import type { AddressId, Environment } from '../../contract/addresses.js'
import type { MemoryAccount } from '../../memory/account.js'

/** Properties of a request, as bits of {@link FactFields.flags}. */
export const factFlags = {
  /** The request was charged, or rejected because a window was exhausted or the key was banned. */
  metered: 1,
  /** A fault closed the connection before or within the response. */
  lost: 2,
  /** A preference or a fault has determined the status. */
  simulated: 4,
  /** The request had a body of a type that the operation accepts. */
  jsonType: 8,
  /** The request had a body of another type, or of none, at an operation that takes a body. */
  otherType: 16,
  /** The path names a pet that exists, and whose id a JavaScript number cannot represent. */
  longId: 32,
  /** The path names no pet, but the id that results from reading a longer one as a number. */
  roundedId: 64,
  /** The operation is deprecated. */
  deprecated: 128,
  /** The sunset of the operation had passed. */
  afterSunset: 256,
  idempotencyKey: 512,
  /** The request has changed the data. */
  changed: 1_024,
  /** The client had received the response to an identical request that failed. */
  repeated: 2_048,
} as const

/** What is known of a request in addition to its journal entry. As JSON can represent it. */
export interface FactFields {
  /** Account of the key: a plan, or a key that the scenario lists. Null without a valid key. */
  readonly account: string | null
  /** Time at which its processing began, on the clock of the world, in milliseconds. */
  readonly arrivedAtMs: number
  /** Time that the client waited for the response, in milliseconds, including simulated delays. */
  readonly waitedMs: number
  /** Hash of method, path, query, preferences and body: an integer below 2^48. */
  readonly fingerprint: number
  /** The rate limit that the response stated. */
  readonly limit: number
  readonly remaining: number
  /** Null for a response without `Retry-After`. */
  readonly retryAfterSeconds: number | null
  /** Number of changes to the data of the world before the response, modulo 2^16. */
  readonly revision: number
  /** Sum of `factFlags`. */
  readonly flags: number
}

/** The fields of a fact in the order of their names, without the names. */
export type EncodedFact = readonly [
  account: string | null,
  arrivedAtMs: number,
  waitedMs: number,
  fingerprint: number,
  limit: number,
  remaining: number,
  retryAfterSeconds: number | null,
  revision: number,
  flags: number,
]

/** Shortens a fact for a store. */
export function encodeFact(fields: FactFields): EncodedFact {
  const { account, arrivedAtMs, waitedMs, fingerprint, limit, remaining } = fields
  const { retryAfterSeconds, revision, flags } = fields
  return [
    ...([account, arrivedAtMs, waitedMs, fingerprint, limit, remaining] as const),
    ...([retryAfterSeconds, revision, flags] as const),
  ]
}

export function decodeFact(encoded: EncodedFact): FactFields {
  const [account, arrivedAtMs, waitedMs, fingerprint, limit, remaining] = encoded
  const [, , , , , , retryAfterSeconds, revision, flags] = encoded
  return {
    ...{ account, arrivedAtMs, waitedMs, fingerprint, limit, remaining },
    ...{ retryAfterSeconds, revision, flags },
  }
}

/** The fields of journal entries that many requests have in common. */
interface SharedFields {
  /** Masked. */
  readonly apiKey: string | undefined
  readonly environment: Environment
  readonly address: AddressId | undefined
  readonly operation: string | undefined
  readonly method: string
  readonly status: number
  readonly aborted: boolean
  readonly code: string | undefined
  readonly isUserHandled: boolean
}

/** The fields of a journal entry that a fact needs. */
interface EntryFields extends SharedFields {
  readonly id: number
  readonly atMs: number
}

/** What many requests have in common, which is stored once. */
export interface FactShape extends SharedFields {
  readonly account: string | null
  readonly limit: number
  readonly flags: number
}

/** One request as a report assesses it. Times are milliseconds since the epoch, of the world. */
export class RequestFact {
  constructor(
    /** The shared fields. */
    readonly shape: FactShape,
    /** Id of the journal entry. */
    readonly id: number,
    readonly arrivedAtMs: number,
    /** Time of the response. */
    readonly atMs: number,
    readonly waitedMs: number,
    readonly fingerprint: number,
    readonly remaining: number,
    readonly retryAfterSeconds: number | undefined,
    readonly revision: number,
  ) {}

  get operation(): string | undefined {
    return this.shape.operation
  }

  get method(): string {
    return this.shape.method
  }

  /** 0 if there was no response. */
  get status(): number {
    return this.shape.status
  }

  get code(): string | undefined {
    return this.shape.code
  }

  /** Whether the client disconnected before the response. */
  get isAborted(): boolean {
    return this.shape.aborted
  }

  get limit(): number {
    return this.shape.limit
  }

  has(flag: keyof typeof factFlags): boolean {
    return (this.shape.flags & factFlags[flag]) !== 0
  }
}

/** The requests of one key, at the time of `read`. */
export interface KeyFacts {
  /** Number of requests, including those that are no longer retained. */
  readonly received: number
  /** Number of retained requests. */
  readonly size: number
  /** Time of the earliest response, in milliseconds since the epoch. Infinity for none. */
  readonly firstMs: number
  /** Time of the latest response, in milliseconds since the epoch. -Infinity for none. */
  readonly lastMs: number
  /** Iterates over the retained requests in the order of their responses. */
  [Symbol.iterator](): Iterator<RequestFact>
}

/** The facts of a key without requests. */
export const noFacts: KeyFacts = {
  received: 0,
  size: 0,
  firstMs: Infinity,
  lastMs: -Infinity,
  [Symbol.iterator]: () => [].values(),
}

/** The facts of a world, as JSON can represent them. */
export interface FactState {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
  readonly shapes: readonly FactShape[]
  /** The rows in base64. */
  readonly rows: string
}

/** Requests of a world, as JSON can represent them. */
export type SavedFacts = Pick<FactState, 'shapes' | 'rows'>

/** Number of requests that are retained at least, if there is memory for them. */
export const retainedFacts = 100_000
/** Length of a row in bytes. Its layout is that of `writeRow`. */
const factBytes = 36
/** Number of rows in the first chunk, and in the largest ones. */
const firstRows = 8
const maximumRows = 1_024
/** Memory of a chunk without its rows, and of a shape, in bytes (measured). */
const chunkBytes = 250
const shapeBytes = 250
/** Number of shapes beyond which new ones are reduced, and beyond which requests are omitted. */
const detailedShapes = 1_000
const maximumShapes = 4_000
/** Share of the memory of a world that its facts may use. */
const factShare = 1 / 4
const none = 0xffffffff

interface Chunk {
  readonly view: DataView
  readonly capacity: number
  count: number
}

/**
 * The requests of a world in compact form, for reports: many more than the journal retains in full.
 * The oldest ones are removed first, beyond the capacity or the memory that they may use. Without a
 * request it uses no memory.
 */
export class FactLog {
  /** Oldest first. */
  #chunks: Chunk[] = []
  #size = 0
  /** Reserved memory. */
  #bytes = 0
  #shapes: FactShape[] = []
  #shapeIds: Map<string, number> | undefined
  /** The shape of the last request. Successive requests often have the same. */
  #last: FactShape | undefined
  #lastId = 0
  #upTo = 0
  /** Number of requests of each account; '' for those without a valid key. */
  readonly #received = new Map<string, number>()

  /** @param memory Account of the world. */
  constructor(readonly memory: MemoryAccount) {}

  /** Number of retained requests. */
  get size(): number {
    return this.#size
  }

  /** Reserved memory in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a request, unless it was added before. */
  add(entry: EntryFields, fields: FactFields): void {
    if (entry.id <= this.#upTo) return
    this.#upTo = entry.id
    const owner = fields.account ?? ''
    this.#received.set(owner, (this.#received.get(owner) ?? 0) + 1)
    const shape = this.#findShape(entry, fields)
    const chunk = shape === undefined ? undefined : this.#openChunk()
    if (!chunk || shape === undefined) return
    writeRow(chunk.view, chunk.count * factBytes, shape, entry, fields)
    chunk.count += 1
    this.#size += 1
  }

  /** Number of requests of all accounts, including those that are no longer retained. */
  get total(): number {
    let total = 0
    for (const count of this.#received.values()) total += count
    return total
  }

  /** Returns the number of requests of an account, including those that are no longer retained. */
  countOf(account: string): number {
    return this.#received.get(account) ?? 0
  }

  /** Returns the requests of an account, and those of the world without a valid key. */
  read(account: string): KeyFacts {
    const received = this.countOf(account) + this.countOf('')
    // Later requests are written behind these counts, or into other chunks.
    const parts = this.#chunks.map(({ view, count }) => ({ view, count }))
    const includes = (shape: FactShape) => shape.account === null || shape.account === account
    return { received, ...selectRows(parts, this.#shapes, includes) }
  }

  /** Returns the retained requests after that with an id, and the shapes that they use. */
  since(after: number): SavedFacts {
    const shapes = new Map<FactShape, number>()
    const rows = new DataView(new ArrayBuffer(this.#size * factBytes))
    let end = 0
    for (const { view, count } of this.#chunks) {
      for (let at = 0; at < count * factBytes; at += factBytes) {
        const shape = this.#shapes[view.getUint16(at + shapeOffset)]
        if (!shape || view.getUint32(at + idOffset) <= after) continue
        const shapeId = shapes.get(shape) ?? shapes.size
        shapes.set(shape, shapeId)
        new Uint8Array(rows.buffer).set(new Uint8Array(view.buffer, at, factBytes), end)
        rows.setUint16(end + shapeOffset, shapeId)
        end += factBytes
      }
    }
    return { shapes: [...shapes.keys()], rows: toBase64(new Uint8Array(rows.buffer, 0, end)) }
  }

  /** Removes all requests. Those up to an id are not added again. */
  clear(upTo: number): void {
    this.memory.release('journals', this.#bytes)
    this.#chunks = []
    this.#size = 0
    this.#bytes = 0
    this.#shapes = []
    this.#shapeIds = undefined
    this.#last = undefined
    this.#upTo = upTo
    this.#received.clear()
  }

  /** Returns the state, for `restore`. */
  save(): FactState {
    const rows = new Uint8Array(this.#size * factBytes)
    let at = 0
    for (const { view, count } of this.#chunks) {
      rows.set(new Uint8Array(view.buffer, 0, count * factBytes), at)
      at += count * factBytes
    }
    const received = [...this.#received]
    return { upTo: this.#upTo, received, shapes: this.#shapes, rows: toBase64(rows) }
  }

  /** Continues from a saved state. */
  restore({ upTo, received, shapes, rows }: FactState): void {
    this.clear(upTo)
    for (const [account, count] of received) this.#received.set(account, count)
    if (!this.#reserve(shapes.length * shapeBytes)) return
    this.#shapes = shapes.map((shape) => ({ ...shape }))
    this.#shapeIds = new Map(this.#shapes.map((shape, id) => [toShapeKey(shape), id]))
    const bytes = fromBase64(rows)
    for (let at = 0; at + factBytes <= bytes.length; at += factBytes) {
      const chunk = this.#openChunk()
      if (!chunk) return
      const target = new Uint8Array(chunk.view.buffer, chunk.count * factBytes, factBytes)
      target.set(bytes.subarray(at, at + factBytes))
      chunk.count += 1
      this.#size += 1
    }
  }

  /** Returns a chunk with room for a row. Undefined if there is no memory for one. */
  #openChunk(): Chunk | undefined {
    const last = this.#chunks.at(-1)
    if (last && last.count < last.capacity) return last
    this.#removeOldest()
    const limit = this.memory.options.limit * factShare
    // At least eight chunks fit, so that few requests are removed at a time.
    const most = Math.min(maximumRows, Math.floor(limit / 8 / factBytes))
    const capacity = last ? Math.max(firstRows, Math.min(2 * last.capacity, most)) : firstRows
    const bytes = chunkBytes + capacity * factBytes
    while (this.#chunks.length > 0 && this.#bytes + bytes > limit) this.#removeChunk()
    while (!this.#reserve(bytes)) {
      if (this.#chunks.length === 0) return undefined
      this.#removeChunk()
    }
    const chunk = { view: new DataView(new ArrayBuffer(capacity * factBytes)), capacity, count: 0 }
    this.#chunks.push(chunk)
    return chunk
  }

  /** Removes the chunks whose requests are beyond the capacity. */
  #removeOldest(): void {
    for (;;) {
      const [oldest] = this.#chunks
      if (!oldest || this.#size - oldest.count < retainedFacts) return
      this.#removeChunk()
    }
  }

  #removeChunk(): void {
    const removed = this.#chunks.shift()
    if (!removed) return
    const bytes = chunkBytes + removed.capacity * factBytes
    this.memory.release('journals', bytes)
    this.#bytes -= bytes
    this.#size -= removed.count
  }

  #reserve(bytes: number): boolean {
    const isReserved = this.memory.tryReserve('journals', bytes)
    if (isReserved) this.#bytes += bytes
    return isReserved
  }

  /** Returns the number of the shape of a request. Undefined if there is no memory for it. */
  #findShape(entry: EntryFields, fields: FactFields): number | undefined {
    if (this.#last && hasShape(this.#last, entry, fields)) return this.#lastId
    const isDetailed = this.#shapes.length < detailedShapes
    const shape: FactShape = {
      account: fields.account,
      apiKey: isDetailed ? entry.apiKey : undefined,
      environment: entry.environment,
      address: entry.address,
      operation: entry.operation,
      method: isDetailed ? entry.method.slice(0, 16) : '',
      status: entry.status,
      aborted: entry.aborted,
      code: isDetailed ? entry.code?.slice(0, 64) : undefined,
      isUserHandled: entry.isUserHandled,
      limit: fields.limit,
      flags: fields.flags,
    }
    const id = this.#intern(shape)
    if (id === undefined) return undefined
    this.#last = this.#shapes[id]
    this.#lastId = id
    return id
  }

  #intern(shape: FactShape): number | undefined {
    const key = toShapeKey(shape)
    this.#shapeIds ??= new Map()
    const found = this.#shapeIds.get(key)
    if (found !== undefined) return found
    if (this.#shapes.length >= maximumShapes || !this.#reserve(shapeBytes)) return undefined
    this.#shapeIds.set(key, this.#shapes.length)
    this.#shapes.push(shape)
    return this.#shapes.length - 1
  }
}

function hasShape(shape: FactShape, entry: EntryFields, fields: FactFields): boolean {
  return (
    shape.operation === entry.operation &&
    shape.status === entry.status &&
    shape.flags === fields.flags &&
    shape.account === fields.account &&
    shape.code === entry.code &&
    shape.apiKey === entry.apiKey &&
    shape.method === entry.method &&
    shape.limit === fields.limit &&
    shape.address === entry.address &&
    shape.environment === entry.environment &&
    shape.aborted === entry.aborted &&
    shape.isUserHandled === entry.isUserHandled
  )
}

function toShapeKey(shape: FactShape): string {
  const { account, apiKey, environment, address, operation, method } = shape
  const { status, aborted, code, isUserHandled, limit, flags } = shape
  return [
    ...[account, apiKey, environment, address, operation, method],
    ...[status, aborted, code, isUserHandled, limit, flags],
  ].join(' ')
}

interface Rows {
  readonly view: DataView
  /** Number of rows. */
  readonly count: number
}

/** Returns the requests of the shapes that `includes` accepts. */
function selectRows(
  parts: readonly Rows[],
  shapes: readonly FactShape[],
  includes: (shape: FactShape) => boolean,
): Omit<KeyFacts, 'received'> {
  const isIncluded = shapes.map(includes)
  let size = 0
  // The clock of the world can move back.
  let firstMs = Infinity
  let lastMs = -Infinity
  for (const { view, count } of parts) {
    for (let at = 0; at < count * factBytes; at += factBytes) {
      if (!isIncluded[view.getUint16(at + shapeOffset)]) continue
      size += 1
      const atMs = view.getFloat64(at)
      if (atMs < firstMs) firstMs = atMs
      if (atMs > lastMs) lastMs = atMs
    }
  }
  return {
    ...{ size, firstMs, lastMs },
    *[Symbol.iterator]() {
      for (const { view, count } of parts) {
        for (let row = 0; row < count; row += 1) {
          const at = row * factBytes
          const shapeId = view.getUint16(at + shapeOffset)
          const shape = shapes[shapeId]
          if (shape && isIncluded[shapeId]) yield readRow(view, at, shape)
        }
      }
    },
  }
}

/**
 * Returns saved requests.
 *
 * @param includes Whether to return the requests of an account; null for those without a valid key.
 */
export function openFacts(
  { shapes, rows }: SavedFacts,
  includes: (account: string | null) => boolean,
): Omit<KeyFacts, 'received'> {
  const view = new DataView(fromBase64(rows).buffer)
  const count = Math.floor(view.byteLength / factBytes)
  return selectRows([{ view, count }], shapes, ({ account }) => includes(account))
}

const idOffset = 8
const shapeOffset = 22

function writeRow(
  view: DataView,
  at: number,
  shape: number,
  { id, atMs }: EntryFields,
  fields: FactFields,
): void {
  const { arrivedAtMs, fingerprint, retryAfterSeconds, remaining, waitedMs, revision } = fields
  view.setFloat64(at, atMs)
  view.setUint32(at + idOffset, id)
  view.setUint32(at + 12, Math.min(Math.max(0, atMs - arrivedAtMs), none))
  view.setUint32(at + 16, fingerprint % 2 ** 32)
  view.setUint16(at + 20, Math.floor(fingerprint / 2 ** 32))
  view.setUint16(at + shapeOffset, shape)
  view.setUint32(at + 24, Math.min(retryAfterSeconds ?? none, none))
  view.setUint32(at + 28, Math.min(remaining, none))
  // Hundredths of a second.
  view.setUint16(at + 32, Math.min(Math.round(waitedMs / 10), 0xffff))
  view.setUint16(at + 34, revision)
}

function readRow(view: DataView, at: number, shape: FactShape): RequestFact {
  const atMs = view.getFloat64(at)
  const retryAfter = view.getUint32(at + 24)
  return new RequestFact(
    shape,
    view.getUint32(at + idOffset),
    atMs - view.getUint32(at + 12),
    atMs,
    view.getUint16(at + 32) * 10,
    view.getUint32(at + 16) + view.getUint16(at + 20) * 2 ** 32,
    view.getUint32(at + 28),
    retryAfter === none ? undefined : retryAfter,
    view.getUint16(at + 34),
  )
}

/** Number of bytes that are converted at a time: a multiple of 3. */
const base64Slice = 24_576

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += base64Slice) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + base64Slice)))
  }
  return text
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}
