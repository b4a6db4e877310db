import * as z from 'zod/mini'
import { JsonText } from '../service/json-text.js'
import { LazyList } from '../service/lazy-list.js'
import { describeMismatch, validate } from '../service/validation/validate.js'

/**
 * Length from which a chunk is complete, in characters. Only a long record makes a chunk much
 * longer.
 */
const chunkLength = 65_536

/**
 * A JSON body in chunks, which are serialized while the client reads them. Its records were
 * captured at the time of the request.
 */
export class JsonChunks {
  #first: string | undefined
  #others: Iterator<string, string> | undefined

  /**
   * @param first The first chunk.
   * @param others Serializes the other chunks.
   * @param estimatedBytes Estimated size of the whole body, in bytes.
   * @param reportError Receives the error if a chunk cannot be serialized: a bug.
   */
  constructor(
    first: string,
    others: Iterator<string, string>,
    readonly estimatedBytes: number,
    readonly reportError: (error: unknown) => void,
  ) {
    this.#first = first
    this.#others = others
  }

  /**
   * Serializes the next chunk. Returns undefined after the last one.
   *
   * @throws {Error} If a record is invalid. The error has been reported.
   */
  next(): string | undefined {
    const first = this.#first
    this.#first = undefined
    if (first !== undefined) return first
    try {
      return this.#others?.next().value
    } catch (error) {
      this.reportError(error)
      throw error
    }
  }

  /** Releases the records. There are no further chunks. */
  close(): void {
    this.#first = undefined
    this.#others = undefined
  }
}

/**
 * Serializes the result of a control operation. If it has lazy lists and is longer than one chunk,
 * serializes only the first chunk.
 *
 * @param schema Schema of the result. The records of a lazy list are validated one by one.
 * @param reportError Receives the error if a later chunk cannot be serialized: a bug.
 * @throws {Error} If the result or the first chunk is invalid: a bug.
 */
export function serialize(
  result: unknown,
  schema: z.ZodMiniType,
  reportError: (error: unknown) => void,
): JsonText | JsonChunks {
  const total = countLazyRecords(result)
  if (total === undefined) return JsonText.of(checked(result, schema))
  const progress = { records: 0 }
  const chunks = toChunks(toPieces(result, schema, progress))
  const { value: first, done } = chunks.next()
  if (done) return new JsonText(first)
  const estimatedBytes = Math.round((first.length * total) / Math.max(1, progress.records))
  return new JsonChunks(first, chunks, estimatedBytes, reportError)
}

/** Joins pieces to chunks. Returns the last chunk, which is never empty. */
function* toChunks(pieces: Iterable<string>): Generator<string, string> {
  let chunk = ''
  for (const piece of pieces) {
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
    chunk += piece
  }
  return chunk
}

interface Progress {
  /** Number of serialized records. */
  records: number
}

function toPieces(result: unknown, schema: z.ZodMiniType, progress: Progress): Generator<string> {
  if (!(result instanceof LazyList)) return toFieldPieces(checked(result, schema), progress)
  if (schema instanceof z.ZodMiniArray)
    return toListPieces(result, progress, schema.def.element as z.ZodMiniType) // all schemas are of zod/mini
  throw new Error('the schema of a list must be an array')
}

/** Yields the JSON of a list, record by record. */
function* toListPieces(
  list: LazyList<unknown>,
  progress: Progress,
  schema: z.ZodMiniType = z.unknown(),
): Generator<string> {
  let separator = '['
  for (const record of list) {
    progress.records += 1
    yield separator + JSON.stringify(checked(record, schema))
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}

/** Yields the JSON of an object, of which at least one field is a lazy list. */
function* toFieldPieces(value: unknown, progress: Progress): Generator<string> {
  let separator = '{'
  for (const [name, field] of Object.entries(value ?? {})) {
    if (field === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    if (field instanceof LazyList) yield* toListPieces(field, progress)
    else yield JSON.stringify(field)
    separator = ','
  }
  yield '}'
}

/** Returns the number of records in the lazy lists of a result; undefined if it has none. */
function countLazyRecords(result: unknown): number | undefined {
  if (result instanceof LazyList) return result.length
  if (typeof result !== 'object' || result === null) return undefined
  const lists = Object.values(result).filter((field) => field instanceof LazyList)
  return lists.length > 0 ? lists.reduce((total, { length }) => total + length, 0) : undefined
}

/** Returns a value that matches its schema. One that does not is a bug. */
function checked(value: unknown, schema: z.ZodMiniType): unknown {
  const result = validate(schema, value)
  if (result.ok) return value
  const reasons = result.mismatches.map((mismatch) => describeMismatch(mismatch, 'the response'))
  throw new Error(`a response is invalid: ${reasons.join('; ')}`)
}
