import { factFlags } from './fact-fields.js'
import {
  type FactChunk,
  type FactRows,
  type FactShape,
  factBytes,
  factOffsets,
  fromBase64,
  noNumber,
  type RequestFacts,
  toBase64,
} from './facts.js'

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

/** Returns the requests of an account, and those of the world without a valid key. */
export function readFacts(facts: RequestFacts, account: string): KeyFacts {
  const { chunks, shapes } = facts
  // Later requests are written behind these counts, or into other chunks.
  const parts = chunks.map(({ view, count }) => ({ view, count }))
  const includes = (shape: FactShape) => shape.account === null || shape.account === account
  const received = facts.countOf(account) + facts.countOf('')
  return { received, ...selectRows(parts, shapes, includes) }
}

/** Returns the requests after that with an id, and the shapes that they use. */
export function takeFacts({ chunks, shapes, size }: RequestFacts, after: number): FactRows {
  const taken = new Map<FactShape, number>()
  const rows = new DataView(new ArrayBuffer(size * factBytes))
  let end = 0
  for (const { view, count } of chunks) {
    for (let at = 0; at < count * factBytes; at += factBytes) {
      const shape = shapes[view.getUint16(at + factOffsets.shape)]
      if (!shape || view.getUint32(at + factOffsets.id) <= after) continue
      const shapeId = taken.get(shape) ?? taken.size
      taken.set(shape, shapeId)
      new Uint8Array(rows.buffer).set(new Uint8Array(view.buffer, at, factBytes), end)
      rows.setUint16(end + factOffsets.shape, shapeId)
      end += factBytes
    }
  }
  return { shapes: [...taken.keys()], rows: toBase64(new Uint8Array(rows.buffer, 0, end)) }
}

/** Returns the requests of the shapes that `includes` accepts. */
function selectRows(
  parts: readonly FactChunk[],
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
      if (!isIncluded[view.getUint16(at + factOffsets.shape)]) continue
      size += 1
      const atMs = view.getFloat64(at + factOffsets.atMs)
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
          const shapeId = view.getUint16(at + factOffsets.shape)
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
  const { buffer, byteOffset, byteLength } = fromBase64(rows)
  const view = new DataView(buffer, byteOffset, byteLength)
  const count = Math.floor(byteLength / factBytes)
  return selectRows([{ view, count }], shapes, ({ account }) => includes(account))
}

function readRow(view: DataView, at: number, shape: FactShape): RequestFact {
  const atMs = view.getFloat64(at + factOffsets.atMs)
  const retryAfter = view.getUint32(at + factOffsets.retryAfterSeconds)
  const fingerprintHigh = view.getUint16(at + factOffsets.fingerprintHigh)
  return new RequestFact(
    shape,
    view.getUint32(at + factOffsets.id),
    atMs - view.getUint32(at + factOffsets.durationMs),
    atMs,
    view.getUint16(at + factOffsets.waited) * 10,
    view.getUint32(at + factOffsets.fingerprint) + fingerprintHigh * 2 ** 32,
    view.getUint32(at + factOffsets.remaining),
    retryAfter === noNumber ? undefined : retryAfter,
    view.getUint16(at + factOffsets.revision),
  )
}
