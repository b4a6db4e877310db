import type { MemoryAccount } from '../../memory/account.js'
import { type EntryFields, type FactFields, factFlags, type SharedFields } from './fact-fields.js'

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

/** The requests of a log, as JSON can represent them. */
export interface FactRows {
  readonly shapes: readonly FactShape[]
  /** The rows in base64. */
  readonly rows: string
}

/** Number of requests that are retained at least, if there is memory for them. */
export const retainedFacts = 100_000
/** Length of a row in bytes. Its layout is that of `writeRow`. */
export const factBytes = 36
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

  /** Adds a request. */
  add(entry: EntryFields, fields: FactFields): void {
    const shape = this.#findShape(entry, fields)
    const chunk = shape === undefined ? undefined : this.#openChunk()
    if (!chunk || shape === undefined) return
    writeRow(chunk.view, chunk.count * factBytes, shape, entry, fields)
    chunk.count += 1
    this.#size += 1
  }

  /**
   * Returns the requests of an account, and those of the world without a valid key.
   *
   * @param received Their number, including those that are no longer retained.
   */
  read(account: string, received: number): KeyFacts {
    // Later requests are written behind these counts, or into other chunks.
    const parts = this.#chunks.map(({ view, count }) => ({ view, count }))
    const includes = (shape: FactShape) => shape.account === null || shape.account === account
    return { received, ...selectRows(parts, this.#shapes, includes) }
  }

  /** Returns the requests after that with an id, and the shapes that they use. */
  since(after: number): FactRows {
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

  /** Removes all requests. */
  clear(): void {
    this.memory.release('journals', this.#bytes)
    this.#chunks = []
    this.#size = 0
    this.#bytes = 0
    this.#shapes = []
    this.#shapeIds = undefined
    this.#last = undefined
  }

  /**
   * Returns the latest requests, for `restore`.
   *
   * @param maximum Their maximum number.
   */
  save(maximum = Infinity): FactRows {
    const rows = new Uint8Array(this.#size * factBytes)
    let at = 0
    for (const { view, count } of this.#chunks) {
      rows.set(new Uint8Array(view.buffer, 0, count * factBytes), at)
      at += count * factBytes
    }
    return { shapes: this.#shapes, rows: toBase64(rows.subarray(-maximum * factBytes)) }
  }

  /** Continues from saved requests. */
  restore({ shapes, rows }: FactRows): void {
    this.clear()
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
    const [account, , , , limit, , , , flags] = fields
    const last = this.#last
    const isOfAccount = last?.account === account && last.limit === limit && last.flags === flags
    if (isOfAccount && hasShared(last, entry)) return this.#lastId
    const isDetailed = this.#shapes.length < detailedShapes
    const shape: FactShape = {
      account,
      apiKey: isDetailed ? entry.apiKey : undefined,
      environment: entry.environment,
      address: entry.address,
      operation: entry.operation,
      method: isDetailed ? entry.method.slice(0, 16) : '',
      status: entry.status,
      aborted: entry.aborted,
      code: isDetailed ? entry.code?.slice(0, 64) : undefined,
      isUserHandled: entry.isUserHandled,
      ...{ limit, flags },
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

function hasShared(shape: FactShape, entry: EntryFields): boolean {
  return (
    shape.operation === entry.operation &&
    shape.status === entry.status &&
    shape.code === entry.code &&
    shape.apiKey === entry.apiKey &&
    shape.method === entry.method &&
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
  { shapes, rows }: FactRows,
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
  const [, arrivedAtMs, waitedMs, fingerprint, , remaining, retryAfterSeconds, revision] = fields
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
