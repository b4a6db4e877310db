import type { MemoryAccount } from '../memory-account.js'
import type { EntryFields, FactFields, SharedFields } from './fact-fields.js'

/** What many requests have in common, which is stored once. */
export interface FactShape extends SharedFields {
  readonly account: string | null
  readonly limit: number
  readonly flags: number
}

/** The requests of a log, as JSON can represent them. */
export interface FactRows {
  readonly shapes: readonly FactShape[]
  /** The rows in base64. */
  readonly rows: string
}

/** The facts of a world, as JSON can represent them. */
export interface FactState extends FactRows {
  /** Id of the last request. */
  readonly upTo: number
  readonly received: readonly (readonly [account: string, count: number])[]
}

/** Number of requests that are retained at least, if there is memory for them. */
export const retainedFacts = 100_000
/** Length of a row in bytes. */
export const factBytes = 36
/** Offset of each field of a row in bytes. */
export const factOffsets = {
  atMs: 0,
  id: 8,
  durationMs: 12,
  fingerprint: 16,
  fingerprintHigh: 20,
  shape: 22,
  retryAfterSeconds: 24,
  remaining: 28,
  /** Hundredths of a second. */
  waited: 32,
  revision: 34,
} as const
/** An absent number of 32 bits, and the largest one. */
export const noNumber = 0xffffffff
/** Number of rows in the first chunk, and in the largest ones. */
const firstRows = 4
const maximumRows = 1_024
/** Memory of a chunk without its rows, and of a shape, in bytes (measured). */
const chunkBytes = 250
const shapeBytes = 250
/** Number of shapes up to which one is found by comparison, because an index uses more memory. */
const comparedShapes = 8
/** Number of shapes beyond which new ones are reduced, and beyond which requests are omitted. */
const detailedShapes = 1_000
const maximumShapes = 4_000
/** Share of the memory of a world that its facts may use. */
const factShare = 1 / 4

/** Successive rows. */
export interface FactChunk {
  readonly view: DataView
  /** Number of rows. */
  readonly count: number
}

interface Chunk extends FactChunk {
  readonly capacity: number
  count: number
}

/**
 * The requests of a world in compact form, for reports: the number of all, and many more than the
 * journal retains in full. The oldest ones are removed first, beyond the capacity or the memory that
 * they may use. Without a request it uses no memory.
 */
export class RequestFacts {
  /** Id of the last request. */
  #upTo = 0
  /** Number of requests of each account; '' for those without a valid key. */
  readonly #received = new Map<string, number>()
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

  /** The rows, oldest first. */
  get chunks(): readonly FactChunk[] {
    return this.#chunks
  }

  /** The shapes that the rows refer to, by their position. */
  get shapes(): readonly FactShape[] {
    return this.#shapes
  }

  /** Number of requests of all accounts, including those that are no longer retained. */
  get total(): number {
    return [...this.#received.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Returns the number of requests of an account, including those that are no longer retained. */
  countOf(account: string): number {
    return this.#received.get(account) ?? 0
  }

  /** Adds a request, unless it was added before. */
  add(entry: EntryFields, fields: FactFields): void {
    if (entry.id <= this.#upTo) return
    this.#upTo = entry.id
    const account = fields[0] ?? ''
    this.#received.set(account, this.countOf(account) + 1)
    const shape = this.#findShape(entry, fields)
    const chunk = shape === undefined ? undefined : this.#openChunk()
    if (!chunk || shape === undefined) return
    writeRow(chunk.view, chunk.count * factBytes, shape, entry, fields)
    chunk.count += 1
    this.#size += 1
  }

  /** Removes all requests. Those up to an id are not added again. */
  clear(upTo: number): void {
    this.#upTo = upTo
    this.#received.clear()
    this.memory.release('journals', this.#bytes)
    this.#chunks = []
    this.#size = 0
    this.#bytes = 0
    this.#shapes = []
    this.#shapeIds = undefined
    this.#last = undefined
  }

  /**
   * Returns the state, for `restore`. Undefined if there was no request.
   *
   * @param maximum Maximum number of requests; the latest ones are saved.
   */
  save(maximum = Infinity): FactState | undefined {
    const received = [...this.#received]
    if (received.length === 0) return undefined
    const rows = new Uint8Array(this.#size * factBytes)
    let at = 0
    for (const { view, count } of this.#chunks) {
      rows.set(new Uint8Array(view.buffer, 0, count * factBytes), at)
      at += count * factBytes
    }
    const latest = toBase64(rows.subarray(-maximum * factBytes))
    return { upTo: this.#upTo, received, shapes: this.#shapes, rows: latest }
  }

  /** Continues from a saved state. */
  restore({ upTo, received, shapes, rows }: FactState): void {
    this.clear(upTo)
    for (const [account, count] of received) this.#received.set(account, count)
    if (!this.#reserve(shapes.length * shapeBytes)) return
    this.#shapes = shapes.map((shape) => ({ ...shape }))
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
    // Unlike `push`, it allocates no capacity for further chunks, which most worlds do not have.
    this.#chunks = this.#chunks.concat(chunk)
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

  /** Returns the number of a shape, which is added if it is new. */
  #intern(shape: FactShape): number | undefined {
    const found = this.#indexOf(shape)
    if (found !== undefined) return found
    if (this.#shapes.length >= maximumShapes || !this.#reserve(shapeBytes)) return undefined
    this.#shapeIds?.set(toShapeKey(shape), this.#shapes.length)
    if (this.#shapes.length === 0) this.#shapes = [shape]
    else this.#shapes.push(shape)
    return this.#shapes.length - 1
  }

  #indexOf(shape: FactShape): number | undefined {
    const shapes = this.#shapes
    if (shapes.length <= comparedShapes) {
      const at = shapes.findIndex((other) => isSame(other, shape))
      return at < 0 ? undefined : at
    }
    this.#shapeIds ??= new Map(shapes.map((other, id) => [toShapeKey(other), id]))
    return this.#shapeIds.get(toShapeKey(shape))
  }
}

function isSame(shape: FactShape, other: FactShape): boolean {
  const { account, limit, flags } = other
  const isOfAccount = shape.account === account && shape.limit === limit && shape.flags === flags
  return isOfAccount && hasShared(shape, other)
}

function hasShared(shape: SharedFields, entry: SharedFields): boolean {
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

function toUint32(value: number): number {
  return Math.min(Math.max(0, value), noNumber)
}

function writeRow(
  view: DataView,
  at: number,
  shape: number,
  { id, atMs }: EntryFields,
  fields: FactFields,
): void {
  const [, arrivedAtMs, waitedMs, fingerprint, , remaining, retryAfterSeconds, revision] = fields
  view.setFloat64(at, atMs)
  view.setUint32(at + factOffsets.id, id)
  view.setUint32(at + factOffsets.durationMs, toUint32(atMs - arrivedAtMs))
  view.setUint32(at + factOffsets.fingerprint, fingerprint % 2 ** 32)
  view.setUint16(at + factOffsets.fingerprintHigh, Math.floor(fingerprint / 2 ** 32))
  view.setUint16(at + factOffsets.shape, shape)
  view.setUint32(at + factOffsets.retryAfterSeconds, toUint32(retryAfterSeconds ?? noNumber))
  view.setUint32(at + factOffsets.remaining, toUint32(remaining))
  view.setUint16(at + factOffsets.waited, Math.min(Math.round(waitedMs / 10), 0xffff))
  view.setUint16(at + factOffsets.revision, revision)
}

/** The class of Node.js, where there is one. It converts many times as fast as `btoa` and `atob` (measured). */
const { Buffer: NodeBuffer } = globalThis as { readonly Buffer?: BufferConverter }

interface BufferConverter {
  from(bytes: ArrayBufferLike, at: number, length: number): { toString(encoding: 'base64'): string }
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>
}

/** Number of bytes that `btoa` converts at a time: a multiple of 3. */
const base64Slice = 24_576

/** Returns bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  if (NodeBuffer) {
    return NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  }
  let text = ''
  for (let at = 0; at < bytes.length; at += base64Slice) {
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + base64Slice)))
  }
  return text
}

/** Returns the bytes of a string in base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (NodeBuffer) return NodeBuffer.from(text, 'base64')
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}
