import { type SinceResult, type Store, StoreError, type Version } from '../../store/store.js'
import { escapeId, unescapeId } from '../../store/world-id.js'

interface Meta {
  readonly lineage: string
  /** Number of the first retained record. */
  readonly first: number
  /** Number of the last record that the snapshot includes. −1 without a snapshot. */
  readonly base: number
}

/**
 * A store in a web storage. A method has done its work when it returns its promise, so that it
 * can be called while the page is closed. The items of a world:
 *
 * - `<prefix>!meta!<id>`: {@link Meta} as JSON
 * - `<prefix>!<number>!<id>`: record
 * - `<prefix>!base<number>!<id>`: snapshot
 *
 * If the storage is full, it removes the records that are retained for their journal entries only.
 */
export class SessionStore implements Store {
  readonly kind = 'session storage'
  readonly isExclusive = true
  /** About 600,000 characters of the 5 million that browsers grant. */
  readonly maximumFacts = 2_000

  constructor(
    readonly storage: Storage,
    readonly location: string,
  ) {}

  async load(id: string) {
    const meta = this.#readMeta(id)
    if (!meta) return undefined
    const { lineage, first, base } = meta
    const data = this.#get(`base${base}`, id)
    const records = this.#readRecords(id, first)
    return {
      version: { lineage, number: Math.max(base, first - 1 + records.length) },
      base: data === undefined ? undefined : { number: base, data },
      records,
    }
  }

  async append(id: string, expected: Version, record: string) {
    const { lineage, number } = expected
    if (number === 0 && !this.#readMeta(id)) {
      this.#set('meta', id, JSON.stringify({ lineage, first: 1, base: -1 }))
    }
    const result = this.#readSince(id, expected)
    if (result.type === 'current') this.#set(number + 1, id, record)
    return result
  }

  async readSince(id: string, version: Version) {
    return this.#readSince(id, version)
  }

  async compact(id: string, { lineage, number }: Version, data: string, retained: number) {
    if (!this.#hasVersion(id, lineage, number)) return
    this.#set(`base${number}`, id, data)
    const meta = this.#readMeta(id)
    if (!meta) return
    const first = Math.max(meta.first, number - retained + 1)
    // Frees the space that the meta data may need.
    this.#removeRecords(id, meta.first, first - 1)
    this.#setMeta(id, { lineage, first, base: number })
    if (meta.base < number) this.#remove(`base${meta.base}`, id)
  }

  follow() {
    // No other page uses the storage at the same time.
    return () => {}
  }

  async remove(id: string) {
    const meta = this.#readMeta(id)
    if (!meta) return
    this.#removeRecords(id, meta.first)
    this.#remove(`base${meta.base}`, id)
    this.#remove('meta', id)
  }

  async list() {
    return this.#listIds()
  }

  async saveDocument(id: string, data: string) {
    this.#set('document', id, data)
  }

  async loadDocument(id: string) {
    return this.#get('document', id)
  }

  async check() {}

  async close() {}

  #readSince(id: string, version: Version): SinceResult {
    const { lineage, number } = version
    const meta = this.#readMeta(id)
    if (meta?.lineage !== lineage || number < meta.first - 1) return { type: 'lost' }
    const records = this.#readRecords(id, number + 1)
    if (records.length > 0) return { type: 'behind', records }
    return { type: this.#hasVersion(id, lineage, number) ? 'current' : 'lost' }
  }

  /** Returns whether a version is stored and not before the snapshot. */
  #hasVersion(id: string, lineage: string, number: number): boolean {
    const meta = this.#readMeta(id)
    if (meta?.lineage !== lineage || number < meta.base) return false
    return number === Math.max(meta.base, 0) || this.#get(number, id) !== undefined
  }

  #readRecords(id: string, from: number): string[] {
    const records: string[] = []
    for (;;) {
      const record = this.#get(from + records.length, id)
      if (record === undefined) return records
      records.push(record)
    }
  }

  #removeRecords(id: string, first: number, last = Number.POSITIVE_INFINITY): void {
    for (let number = first; number <= last; number++) {
      if (this.#get(number, id) === undefined) return
      this.#remove(number, id)
    }
  }

  /** Removes the records of all worlds that are retained for their journal entries. */
  #removeRetained(): void {
    for (const id of this.#listIds()) {
      const meta = this.#readMeta(id)
      if (!meta || meta.first > meta.base) continue
      this.#removeRecords(id, meta.first, meta.base)
      this.#setMeta(id, { ...meta, first: meta.base + 1 })
    }
  }

  #listIds(): string[] {
    const start = `${this.location}!meta!`
    const ids: string[] = []
    for (let at = 0; at < this.storage.length; at++) {
      const key = this.storage.key(at) ?? ''
      if (key.startsWith(start)) ids.push(unescapeId(key.slice(start.length)))
    }
    return ids
  }

  #readMeta(id: string): Meta | undefined {
    return JSON.parse(this.#get('meta', id) ?? 'null') ?? undefined
  }

  #setMeta(id: string, meta: Meta): void {
    this.storage.setItem(this.#toKey('meta', id), JSON.stringify(meta))
  }

  #toKey(kind: string | number, id: string): string {
    return `${this.location}!${kind}!${escapeId(id)}`
  }

  #get(kind: string | number, id: string): string | undefined {
    return this.storage.getItem(this.#toKey(kind, id)) ?? undefined
  }

  #remove(kind: string | number, id: string): void {
    this.storage.removeItem(this.#toKey(kind, id))
  }

  #set(kind: string | number, id: string, data: string): void {
    const key = this.#toKey(kind, id)
    try {
      this.storage.setItem(key, data)
    } catch {
      try {
        this.#removeRetained()
        this.storage.setItem(key, data)
      } catch (error) {
        throw new StoreError(`${key} cannot be stored in session storage: ${error}`)
      }
    }
  }
}
