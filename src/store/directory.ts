import { mkdir } from 'node:fs/promises'
import type { ClassicLevel } from 'classic-level'
import { readErrorField } from '../service/validation/message.js'
import { KeyValueStore, type Write } from './key-value.js'
import { checkFormat, format, importPackage, toReason } from './open.js'
import { type Store, StoreError } from './store.js'

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

/**
 * Opens a store in a directory, with the package classic-level. The directory can be used by one
 * process at a time.
 *
 * @throws {StoreError} If the package is missing, another process uses the directory, or the
 * directory contains data of another program or of an incompatible version of this one.
 */
export async function createDirectoryStore(options: DirectoryStoreOptions): Promise<Store> {
  return new DirectoryStore(await openLevel(options.directory), options)
}

/** A step that is removed before it reaches a sorted file needs no compaction. */
const writeBufferBytes = 32 * 1024 * 1024

async function openLevel(directory: string): Promise<ClassicLevel> {
  const load = () => import('classic-level')
  const { ClassicLevel } = await importPackage('directory', 'classic-level', load)
  // LevelDB would create a directory that all users can read. It reports why it cannot be created.
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(() => undefined)
  const level: ClassicLevel = new ClassicLevel(directory, { writeBufferSize: writeBufferBytes })
  try {
    await level.open()
    const found = await level.get('format')
    if (found !== undefined) checkFormat(directory, found)
    else if ((await level.keys({ limit: 1 }).all()).length === 0) await level.put('format', format)
    else throw new StoreError(`${directory} contains the database of another program`)
    return level
  } catch (error) {
    await level.close()
    if (error instanceof StoreError) throw error
    throw new StoreError(`${directory} ${describeOpenError(error)}`)
  }
}

function describeOpenError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const code = readErrorField(cause, 'code')
  if (code === 'LEVEL_LOCKED')
    return 'is used by another process; stop it, or use another directory'
  if (code === 'EEXIST') return 'must be a directory, found a file; use another path'
  const reason = toReason(error)
  // LevelDB always creates its lock file. If the directory is damaged, other files are missing.
  return code === 'LEVEL_CORRUPTION' || /^Corruption|(?<!LOCK): No such file/.test(reason)
    ? `is damaged: ${reason}; restore a backup, or start with another directory`
    : `cannot be opened: ${reason}; use another directory`
}

/** The store in a directory. The writes that arrive while a batch is written are the next batch. */
class DirectoryStore extends KeyValueStore {
  readonly kind = 'directory'
  /** The writes of the next batch. */
  #writes: Write[] = []
  /** Resolves when they are written. */
  #next: Promise<void> | undefined
  /** Resolves when all earlier batches are written. */
  #written: Promise<unknown> = Promise.resolve()
  /** Whether the last batch has failed, so that the file may end in the middle of it. */
  #isBroken = false
  readonly #removal: ReturnType<typeof setInterval> | undefined

  constructor(
    readonly level: ClassicLevel,
    readonly options: DirectoryStoreOptions,
  ) {
    const { directory, keepMs, now } = options
    super(directory, now)
    if (keepMs === undefined) return
    // If the directory cannot be used, the removal an hour later removes the worlds.
    const remove = () =>
      void this.removeWorlds((_, usedAtMs) => usedAtMs < now() - keepMs).catch(() => undefined)
    remove()
    this.#removal = setInterval(remove, 3_600_000).unref()
  }

  /** Synchronous, because passing a read to another thread takes longer than most reads. */
  protected get(key: string): string | undefined {
    try {
      return this.level.getSync(key)
    } catch (error) {
      if (readErrorField(error, 'code') !== 'LEVEL_CORRUPTION') throw error
      return undefined
    }
  }

  protected find(start: string): Promise<readonly string[]> {
    return this.level.keys({ gte: start, lt: `${start}\uffff` }).all()
  }

  protected write(writes: readonly Write[]): Promise<void> {
    this.#writes.push(...writes)
    if (!this.#next) {
      this.#next = this.#written.then(() => this.#writeNext())
      this.#written = this.#next.catch(() => {})
    }
    return this.#next
  }

  async #writeNext(): Promise<void> {
    const writes = this.#writes.splice(0)
    this.#next = undefined
    // LevelDB would append to the incomplete batch, and drop both when it is opened again.
    if (this.#isBroken) {
      await this.level.close()
      await this.level.open()
    }
    // Takes half the time of a batch that is an array.
    const batch = this.level.batch()
    for (const [key, value] of writes) {
      if (value === undefined) batch.del(key)
      else batch.put(key, value)
    }
    this.#isBroken = true
    await batch.write({ sync: this.options.sync ?? false })
    this.#isBroken = false
  }

  async close(): Promise<void> {
    clearInterval(this.#removal)
    await this.#written
    await this.level.close()
  }
}
