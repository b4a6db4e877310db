import { JsonText } from '../../service/json-text.js'

/** Maximum number of records in a segment. */
const segmentSize = 64

/** Size from which a list is sent in parts, in bytes. Copying a shorter one takes less time. */
const longListBytes = 16_384

/** Size of an id in a list, in bytes. */
const idBytes = 24

/** Serializes the record with an id. */
type ToJson = (id: string) => string

/** The list of the records of a scenario. Serialized once for all of its worlds; never changes. */
export class SharedList {
  /** Ids in the order of the list, in segments. */
  readonly segments: readonly (readonly string[])[]
  readonly body: JsonText
  /** The end of each segment in the bytes of the body. */
  readonly #ends: readonly number[]
  /** The segment of each id. Created when a world changes its list. */
  #positions: ReadonlyMap<string, number> | undefined

  constructor(ids: Iterable<string>, toJson: ToJson) {
    const all = [...ids]
    const segments: string[][] = []
    while (segments.length * segmentSize < all.length) {
      const start = segments.length * segmentSize
      segments.push(all.slice(start, start + segmentSize))
    }
    const texts = segments.map((segment) => serialize(segment, toJson))
    let end = 0
    this.#ends = texts.map((text) => {
      end += new JsonText(text).byteLength
      return end
    })
    this.segments = segments
    this.body = new JsonText(`[${texts.join('').slice(1)}]`)
  }

  /** Returns the segment of an id. */
  find(id: string): number | undefined {
    this.#positions ??= new Map(
      this.segments.flatMap((ids, at) => ids.map((known) => [known, at] as const)),
    )
    return this.#positions.get(id)
  }

  /** Returns a range of segments, after a `[` at the beginning of the list and a comma elsewhere. */
  slice(first: number, end: number): JsonText {
    const start = this.#ends[first - 1] ?? 0
    return JsonText.ofBytes(this.body.bytes.subarray(start, this.#ends[end - 1]))
  }
}

/** A segment that differs from the shared list. */
interface Segment {
  readonly ids: readonly string[]
  /** The records, each after a comma. Undefined until the changed list is read. */
  json: JsonText | undefined
}

/**
 * The list of the records of a world. Shares the segments that did not change with the list of the
 * scenario. A changed segment is serialized when the list is read.
 */
export class RecordList {
  /** The segments that are not shared: changed ones, and those of records that were appended. */
  readonly #segments = new Map<number, Segment>()
  /** The segments of appended records; undefined for a removed record of the shared list. */
  readonly #positions = new Map<string, number | undefined>()
  /** Number of segments, including the shared ones. */
  #count: number
  /** Number of appended records. */
  #appended = 0
  #body: JsonText | undefined
  #segmentBytes = 0
  #bodyBytes = 0

  constructor(readonly shared: SharedList) {
    this.#count = shared.segments.length
  }

  /** Estimated size of what is not shared, in bytes. */
  get bytes(): number {
    return this.#segmentBytes + this.#bodyBytes + this.#positions.size * idBytes
  }

  /** Whether removals have left so many small segments that the list must be created again. */
  get isSparse(): boolean {
    const appended = this.#count - this.shared.segments.length
    return appended > 16 + (2 * this.#appended) / segmentSize
  }

  /** Marks a record as changed, and appends it if it is new. */
  put(id: string): void {
    const at = this.#find(id)
    if (at === undefined) this.#append(id)
    else this.#change(at, this.#idsOf(at))
  }

  /** Removes a record. Does nothing if the list does not have it. */
  remove(id: string): void {
    const at = this.#find(id)
    if (at === undefined) return
    const ids = this.#idsOf(at).filter((other) => other !== id)
    this.#change(at, ids)
    if (at >= this.shared.segments.length) this.#appended -= 1
    if (this.shared.find(id) === undefined) this.#positions.delete(id)
    else this.#positions.set(id, undefined)
  }

  /** Returns the list as JSON. */
  toBody(toJson: ToJson): JsonText {
    if (this.#body) return this.#body
    for (const segment of this.#segments.values()) {
      if (segment.json) continue
      segment.json = new JsonText(serialize(segment.ids, toJson))
      this.#segmentBytes += 2 * segment.json.byteLength
    }
    const body = JsonText.join(this.#toParts())
    const isLong = body.byteLength >= longListBytes
    this.#body = isLong ? body : new JsonText(body.text, body.byteLength)
    this.#bodyBytes = (isLong ? 1 : 2) * body.byteLength
    return this.#body
  }

  #find(id: string): number | undefined {
    return this.#positions.has(id) ? this.#positions.get(id) : this.shared.find(id)
  }

  #idsOf(at: number): readonly string[] {
    return this.#segments.get(at)?.ids ?? this.shared.segments[at] ?? []
  }

  #append(id: string): void {
    const isFull = this.#idsOf(this.#count - 1).length >= segmentSize
    if (isFull || this.#count === this.shared.segments.length) this.#count += 1
    const at = this.#count - 1
    this.#change(at, [...this.#idsOf(at), id])
    this.#appended += 1
    this.#positions.set(id, at)
  }

  #change(at: number, ids: readonly string[]): void {
    this.#body = undefined
    this.#bodyBytes = 0
    const replaced = this.#segments.get(at)
    if (replaced) this.#segmentBytes -= sizeOf(replaced)
    const segment = { ids, json: undefined }
    this.#segmentBytes += sizeOf(segment)
    this.#segments.set(at, segment)
  }

  #toParts(): JsonText[] {
    const parts: JsonText[] = []
    for (let at = 0; at < this.#count; at++) {
      const own = this.#segments.get(at)
      if (own?.json && own.ids.length > 0) parts.push(own.json)
      if (own) continue
      const first = at
      while (at + 1 < this.shared.segments.length && !this.#segments.has(at + 1)) at += 1
      parts.push(this.shared.slice(first, at + 1))
    }
    const [first] = parts
    // The first part begins with the comma of its first record, or with the `[` of the shared list.
    if (first) parts.splice(0, 1, new JsonText('['), JsonText.ofBytes(first.bytes.subarray(1)))
    else parts.push(new JsonText('['))
    return [...parts, new JsonText(']')]
  }
}

/** Returns the records of a segment, each after a comma. */
function serialize(ids: readonly string[], toJson: ToJson): string {
  let text = ''
  for (const id of ids) text += `,${toJson(id)}`
  return text
}

function sizeOf({ ids, json }: Segment): number {
  return ids.length * idBytes + 2 * (json?.byteLength ?? 0)
}
