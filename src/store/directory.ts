import type { ClassicLevel } from 'classic-level'
import { passTurns } from '../service/timers.js'
import {
  type ExistingMeta,
  LevelWriter,
  type Meta,
  metaRange,
  type Operation,
  openLevel,
  readIntact,
  readMeta,
  readSteps,
  toId,
  toKey,
  toPut,
  toReason,
  toRemovals,
  toStepKey,
} from './level.js'
import {
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from './store.js'

/** Options of a store in a directory. */
export interface DirectoryStoreOptions {
  /** Path of the directory, which is created if it does not exist. */
  readonly directory: string
  /**
   * Removes worlds without an append for this time, when the store is opened and every hour. Default:
   * keeps all worlds.
   */
  readonly keepMs?: number | undefined
  /** Waits until the disk has stored the data, not only the operating system. Default: false. */
  readonly sync?: boolean | undefined
  /** Returns the real time in milliseconds since the epoch. */
  readonly now: () => number
}

/** Number of worlds from which the store forgets what it knows, when it is idle. */
const knownWorlds = 10_000
const hourMs = 3_600_000

/**
 * Opens a store in a directory, with the package classic-level. The directory can be used by one
 * process at a time.
 *
 * @throws {StoreError} If the package is missing, another process uses the directory, or the
 * directory contains data of another program or of an incompatible version of this one.
 */
export async function createDirectoryStore(
  options: DirectoryStoreOptions,
  load?: () => Promise<unknown>,
): Promise<Store> {
  return new DirectoryStore(await openLevel(options.directory, load), options)
}

/** A step and the meta data of its world are written as one batch. */
class DirectoryStore implements Store {
  readonly kind = 'directory'
  readonly location: string
  readonly isExclusive = true
  /** By id, the meta data including the writes in progress. */
  readonly #metas = new Map<string, Meta>()
  readonly #writer: LevelWriter
  /** Number of calls in progress. */
  #calls = 0
  #isClosed = false
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    readonly level: ClassicLevel,
    readonly options: DirectoryStoreOptions,
  ) {
    this.location = options.directory
    this.#writer = new LevelWriter(level, options.sync ?? false, () => this.#metas.clear())
    const { keepMs } = options
    if (keepMs === undefined) return
    // If the store is not available, the next removal removes the worlds.
    const remove = () => void this.#removeUnused(keepMs).catch(() => undefined)
    remove()
    this.#timer = setInterval(remove, hourMs).unref()
  }

  load(id: string): Promise<StoredWorld | undefined> {
    return this.#access(async () => {
      await this.#writer.write()
      const snapshot = this.level.snapshot()
      try {
        const read = (key: string) => readIntact(this.level.get(key, { snapshot }))
        const meta = readMeta(await read(toKey('meta', id)))
        if (!meta) return undefined
        const { lineage, number, first, base } = meta
        const data = await read(toKey('base', id))
        return {
          version: { lineage, number },
          base: data === undefined ? undefined : { number: base, data },
          steps: await readSteps(this.level, id, first, number, { snapshot }),
        }
      } finally {
        await snapshot.close()
      }
    })
  }

  append(id: string, expected: Version, step: string): Promise<SinceResult> {
    return this.#withMeta(id, async (stored) => {
      const { lineage, number } = expected
      const created = number === 0 ? { lineage, number, first: 1, base: -1 } : undefined
      const meta = stored ?? created
      if (meta?.lineage !== lineage || meta.number !== number) {
        return this.#readSince(id, stored, expected)
      }
      const next = { ...meta, number: number + 1, usedAtMs: this.options.now() }
      const key = toStepKey(id, next.number)
      await this.#writer.write(this.#setMeta(id, next), { type: 'put', key, value: step })
      return { type: 'current' }
    })
  }

  readSince(id: string, version: Version): Promise<SinceResult> {
    return this.#withMeta(id, (meta) => this.#readSince(id, meta, version))
  }

  compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    return this.#withMeta(id, async (meta) => {
      const { lineage, number } = version
      if (meta?.lineage !== lineage || number > meta.number || number < meta.base) return
      const first = Math.max(meta.first, number - retained + 1)
      await this.#writer.write(
        this.#setMeta(id, { ...meta, first, base: number }),
        toPut('base', id, data),
        ...toRemovals(id, meta.first, first - 1),
      )
    })
  }

  follow(): () => void {
    // No other process appends to the directory.
    return () => {}
  }

  remove(id: string): Promise<void> {
    return this.#withMeta(id, (meta) => this.#remove(id, meta))
  }

  list(): Promise<string[]> {
    return this.#access(async () => {
      await this.#writer.write()
      const keys = await this.level.keys(metaRange).all()
      return keys.map((key) => toId(key))
    })
  }

  saveSeed(id: string, data: string): Promise<void> {
    return this.#access(() => this.#writer.write(toPut('seed', id, data)))
  }

  loadSeed(id: string): Promise<string | undefined> {
    return this.#access(async () => {
      await this.#writer.write()
      return readIntact(this.level.get(toKey('seed', id)))
    })
  }

  check(): Promise<void> {
    return this.#access(() => this.#writer.write({ type: 'put', key: 'check', value: '' }))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    while (this.#calls > 0) await passTurns(1)
    this.#isClosed = true
    await this.level.close()
  }

  async #readSince(id: string, meta: Meta, version: Version): Promise<SinceResult> {
    const { lineage, number } = version
    if (meta?.lineage !== lineage || number > meta.number) return { type: 'lost' }
    if (number === meta.number) return { type: 'current' }
    await this.#writer.write()
    const steps = await readSteps(this.level, id, number + 1, meta.number)
    const intact = steps.filter((step) => step !== undefined)
    return intact.length < steps.length ? { type: 'lost' } : { type: 'behind', steps: intact }
  }

  async #remove(id: string, meta: Meta): Promise<void> {
    if (!meta) return
    this.#metas.set(id, undefined)
    await this.#writer.write(
      { type: 'del', key: toKey('meta', id) },
      { type: 'del', key: toKey('base', id) },
      ...toRemovals(id, meta.first, meta.number),
    )
  }

  async #removeUnused(keepMs: number): Promise<void> {
    const since = this.options.now() - keepMs
    for await (const [key, text] of this.level.iterator(metaRange)) {
      const id = toId(key)
      if ((readMeta(text)?.usedAtMs ?? since) >= since) continue
      // It may have been used since the iterator was created.
      await this.#withMeta(id, async (meta) => {
        if (meta && meta.usedAtMs < since) await this.#remove(id, meta)
      })
    }
  }

  /** Returns the operation that stores the meta data of a world, which later calls see at once. */
  #setMeta(id: string, meta: ExistingMeta): Operation {
    this.#metas.set(id, meta)
    return toPut('meta', id, JSON.stringify(meta))
  }

  /** Calls a function with the meta data of a world, which the function may replace at once. */
  #withMeta<Result>(id: string, run: (meta: Meta) => Promise<Result>): Promise<Result> {
    return this.#access(async () => {
      while (!this.#metas.has(id)) {
        await this.#writer.write()
        const failures = this.#writer.failures
        const text = await readIntact(this.level.get(toKey('meta', id)))
        const isOutdated = failures !== this.#writer.failures || this.#metas.has(id)
        if (!isOutdated) this.#metas.set(id, readMeta(text))
      }
      return run(this.#metas.get(id))
    })
  }

  /** Accesses the database. */
  async #access<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#calls += 1
    try {
      if (this.#isClosed) throw new StoreError(`${this.location} is closed`)
      return await run()
    } catch (error) {
      if (error instanceof StoreError) throw error
      throw new StoreError(`${this.location} cannot be used: ${toReason(error)}`)
    } finally {
      this.#calls -= 1
      if (this.#calls === 0 && this.#metas.size > knownWorlds) this.#metas.clear()
    }
  }
}
