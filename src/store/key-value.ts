import { parseJson } from '../service/json.js'
import { toReason } from './open.js'
import { type NewStep, type Store, type StoredWorld, StoreError, type Version } from './store.js'

/** Sets the value of a key, or removes the key if it has no value. */
export type Write = readonly [key: string, value?: string | undefined]

/** The data of a world that can be read without its steps. */
interface Meta extends Version {
  /** Number of the first retained step. */
  readonly first: number
  /** Number of the last step that the base includes. 0 without a base. */
  readonly base: number
  /** Time of the last append, in milliseconds since the epoch. */
  readonly usedAtMs: number
}

/**
 * A store in a database of keys and values that one process uses at a time. The keys are `check`,
 * `meta!<id>` ({@link Meta} as JSON), `base!<id>` (`<lineage>!<number>!<data>`), `step!<id>!<number>` and
 * `seed!<id>`.
 */
export abstract class KeyValueStore implements Store {
  abstract readonly kind: string
  /** By id, the meta data that is being written. Undefined for a world that is being removed. */
  readonly #written = new Map<string, Meta | undefined>()

  /** @param now Returns the real time in milliseconds since the epoch. */
  constructor(
    readonly location: string,
    readonly now: () => number,
  ) {}

  /** Returns the value of a key. Undefined if it is missing or damaged. */
  protected abstract get(key: string): string | undefined

  /** Returns the keys that begin with a text. */
  protected abstract find(start: string): Promise<readonly string[]>

  /** Writes all or none. */
  protected abstract write(writes: readonly Write[]): Promise<void>

  /** Reads in one turn of the event loop, so that no write happens in between. */
  load(id: string): Promise<StoredWorld | undefined> {
    return this.#access(async () => {
      const meta = this.#readMeta(id)
      if (!meta) return undefined
      const { lineage, number, first } = meta
      const base = readBase(this.get(`base!${id}`), lineage)
      // If a later base is missing, its removals are missing, too.
      const from = Math.min(first, (base?.number ?? number) + 1)
      const steps = toKeys(id, from, number).map((key) => this.get(key))
      return { version: { lineage, number }, base, steps }
    })
  }

  append(id: string, expected: Version, { step, base, retained = 1 }: NewStep): Promise<boolean> {
    return this.#access(async () => {
      const meta = this.#find(id) ?? { ...expected, number: 0, first: 1, base: 0 }
      if (meta.lineage !== expected.lineage || meta.number !== expected.number) return false
      const number = meta.number + 1
      const next = { ...meta, number, usedAtMs: this.now() }
      const writes: Write[] = [[`step!${id}!${number}`, step]]
      if (base !== undefined) {
        next.base = number
        next.first = Math.max(meta.first, number - retained + 1)
        const text = `${meta.lineage}!${number}!${base}`
        writes.unshift(...toRemovals(id, meta.first, next.first - 1), [`base!${id}`, text])
      }
      await this.#write(id, next, writes)
      return true
    })
  }

  removeOthers(ids: readonly string[]): Promise<void> {
    return this.removeWorlds((id) => !ids.includes(id))
  }

  saveSeed(id: string, read: () => string): Promise<void> {
    return this.#access(async () => {
      if (this.get(`seed!${id}`) === undefined) await this.write([[`seed!${id}`, read()]])
    })
  }

  loadSeed(id: string): Promise<string | undefined> {
    return this.#access(async () => this.get(`seed!${id}`))
  }

  check(): Promise<void> {
    return this.#access(() => this.write([['check', '']]))
  }

  abstract close(): Promise<void>

  /**
   * Removes worlds.
   *
   * @param isRemoved Called with the time of the last append, in milliseconds since the epoch.
   */
  protected removeWorlds(isRemoved: (id: string, usedAtMs: number) => boolean): Promise<void> {
    return this.#forEach(async (id, { first, number, usedAtMs }) => {
      if (!isRemoved(id, usedAtMs)) return
      // A write that failed may have stored the next step.
      const steps = toRemovals(id, first, number + 1)
      await this.#write(id, undefined, [[`base!${id}`], ...steps])
    })
  }

  /** Removes the steps of all worlds that are retained for their journal entries only. */
  protected removeRetained(): Promise<void> {
    return this.#forEach((id, meta) => {
      const first = Math.max(meta.first, meta.base + 1)
      return this.#write(id, { ...meta, first }, toRemovals(id, meta.first, first - 1))
    })
  }

  /** Calls a function with each world. */
  #forEach(run: (id: string, meta: Meta) => Promise<void>): Promise<void> {
    return this.#access(async () => {
      const keys = await this.find('meta!')
      const called = keys.map(async (key) => {
        const id = key.slice('meta!'.length)
        const meta = this.#find(id)
        if (meta) await run(id, meta)
      })
      await Promise.all(called)
    })
  }

  /** Returns the meta data of a world, also if it is still being written. */
  #find(id: string): Meta | undefined {
    return this.#written.has(id) ? this.#written.get(id) : this.#readMeta(id)
  }

  /** Without readable meta data, the world does not exist. */
  #readMeta(id: string): Meta | undefined {
    return parseJson(this.get(`meta!${id}`) ?? '') as Meta | undefined
  }

  /** Writes the meta data of a world after other keys of it. */
  async #write(id: string, meta: Meta | undefined, writes: readonly Write[]): Promise<void> {
    this.#written.set(id, meta)
    try {
      await this.write([...writes, [`meta!${id}`, meta && JSON.stringify(meta)]])
    } finally {
      if (this.#written.get(id) === meta) this.#written.delete(id)
    }
  }

  #access<Result>(run: () => Promise<Result>): Promise<Result> {
    return run().catch((error) => {
      throw new StoreError(`${this.location} cannot be used: ${toReason(error)}`)
    })
  }
}

/** Reads a base, which may be older than the meta data. Undefined if it is of another world. */
function readBase(text = '', lineage: string): StoredWorld['base'] {
  const [, found, number, data = ''] = /^([^!]*)!(\d+)!(.*)$/s.exec(text) ?? []
  return found === lineage ? { number: Number(number), data } : undefined
}

/** Returns the keys of the steps from a number to another one. */
function toKeys(id: string, first: number, last: number): string[] {
  const length = Math.max(0, last - first + 1)
  return Array.from({ length }, (_, at) => `step!${id}!${first + at}`)
}

/** Returns writes that remove the steps from a number to another one. */
function toRemovals(id: string, first: number, last: number): Write[] {
  return toKeys(id, first, last).map((key) => [key])
}
