import { type SinceResult, type Store, StoreError, type Version } from './store.js'
import { escapeId, unescapeId } from './world-id.js'

interface Meta extends Version {
  /** Number of the first retained step. */
  readonly first: number
  /** Number of the last step that the base includes. −1 without a base. */
  readonly base: number
}

/**
 * A store in a web storage. A method has done its work when it returns its promise, so that it
 * can be called while the page is closed. The items of a world:
 *
 * - `<prefix>!meta!<id>`: {@link Meta} as JSON
 * - `<prefix>!<number>!<id>`: step
 * - `<prefix>!base<number>!<id>`: base
 *
 * If the storage is full, it removes the steps that are retained for their journal entries only.
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
    const { lineage, number, first, base } = meta
    const data = this.#get(`base${base}`, id)
    return {
      version: { lineage, number },
      base: data === undefined ? undefined : { number: base, data },
      steps: this.#readSteps(id, first, number),
    }
  }

  async append(id: string, expected: Version, step: string) {
    const { lineage, number } = expected
    const created = number === 0 ? { lineage, number, first: 1, base: -1 } : undefined
    const meta = this.#readMeta(id) ?? created
    const result = this.#compare(id, meta, expected)
    if (!meta || result.type !== 'current') return result
    this.#set(number + 1, id, step)
    // Storing the step may have removed others.
    this.#setMeta(id, { ...(this.#readMeta(id) ?? meta), number: number + 1 })
    return result
  }

  async readSince(id: string, version: Version) {
    return this.#compare(id, this.#readMeta(id), version)
  }

  async compact(id: string, { lineage, number }: Version, data: string, retained: number) {
    const before = this.#readMeta(id)
    if (before?.lineage !== lineage || number > before.number || number < before.base) return
    this.#set(`base${number}`, id, data)
    const meta = this.#readMeta(id)
    if (!meta) return
    const first = Math.max(meta.first, number - retained + 1)
    // Frees the space that the meta data may need.
    this.#removeSteps(id, meta.first, first - 1)
    this.#setMeta(id, { ...meta, first, base: number })
    if (meta.base < number) this.#remove(`base${meta.base}`, id)
  }

  follow() {
    // No other page uses the storage at the same time.
    return () => {}
  }

  async remove(id: string) {
    const meta = this.#readMeta(id)
    if (!meta) return
    this.#removeSteps(id, meta.first, meta.number)
    this.#remove(`base${meta.base}`, id)
    this.#remove('meta', id)
  }

  async list() {
    return this.#listIds()
  }

  async saveSeed(id: string, data: string) {
    this.#set('seed', id, data)
  }

  async loadSeed(id: string) {
    return this.#get('seed', id)
  }

  async check() {}

  async close() {}

  #compare(id: string, meta: Meta | undefined, { lineage, number }: Version): SinceResult {
    if (meta?.lineage !== lineage || number > meta.number) return { type: 'lost' }
    if (number === meta.number) return { type: 'current' }
    const steps = this.#readSteps(id, number + 1, meta.number).filter((step) => step !== undefined)
    const isComplete = steps.length === meta.number - number
    return isComplete ? { type: 'behind', steps } : { type: 'lost' }
  }

  #readSteps(id: string, first: number, last: number): (string | undefined)[] {
    return Array.from({ length: last - first + 1 }, (_, at) => this.#get(first + at, id))
  }

  #removeSteps(id: string, first: number, last: number): void {
    for (let number = first; number <= last; number += 1) this.#remove(number, id)
  }

  /** Removes the steps of all worlds that are retained for their journal entries. */
  #removeRetained(): void {
    for (const id of this.#listIds()) {
      const meta = this.#readMeta(id)
      if (!meta || meta.first > meta.base) continue
      this.#removeSteps(id, meta.first, meta.base)
      this.#setMeta(id, { ...meta, first: meta.base + 1 })
    }
  }

  #listIds(): string[] {
    const start = `${this.location}!meta!`
    const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? '')
    const found = keys.filter((key) => key.startsWith(start))
    return found.map((key) => unescapeId(key.slice(start.length)))
  }

  #readMeta(id: string): Meta | undefined {
    return JSON.parse(this.#get('meta', id) ?? 'null') ?? undefined
  }

  #setMeta(id: string, meta: Meta): void {
    this.#set('meta', id, JSON.stringify(meta))
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
