import type { ClassicLevel } from 'classic-level'
import { readErrorField } from '../service/validation/message.js'
import { importPackage } from './import-package.js'
import {
  findFormatProblem,
  type Keys,
  type Operation,
  readIds,
  readRecords,
  readUnusedIds,
  readVersion,
  readWorld,
  toDocumentKey,
  toKeys,
  writeMeta,
} from './level.js'
import { createPrivateDirectory } from './log-files.js'
import type { DirectoryStoreOptions } from './options.js'
import {
  type SinceResult,
  type Store,
  type StoredWorld,
  StoreError,
  type Version,
} from './store.js'
import { WriteAheadLog } from './write-ahead-log.js'
import { toReason, WriteQueue } from './write-queue.js'

type Package = Pick<typeof import('classic-level'), 'ClassicLevel'>

/** What the store knows about a world without a read. */
interface KnownWorld {
  readonly keys: Keys
  /** Undefined if the world does not exist. */
  lineage: string | undefined
  /** Number of the last record. */
  number: number
  first: number
  base: number
  usedHour: number
}

/** A change that waits until its world is known. */
interface Waiting {
  run(world: KnownWorld): void
  reject(error: StoreError): void
}

/** Reduces the CPU per append: the database sorts and writes its data in parts of this size. */
const writeBufferBytes = 4 * 1024 * 1024
const maximumKnownWorlds = 1000
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
  load: () => Promise<Package> = () => import('classic-level'),
): Promise<Store> {
  const { directory, sync = false } = options
  const { ClassicLevel } = await importPackage('directory', 'classic-level', load)
  await createPrivateDirectory(directory)
  const level: ClassicLevel = new ClassicLevel(directory, { writeBufferSize: writeBufferBytes })
  try {
    await level.open()
    const problem = await findFormatProblem(level)
    if (problem !== undefined) throw new StoreError(`${directory} ${problem}`)
    const log = await WriteAheadLog.open(level, sync)
    return new DirectoryStore(level, log, options)
  } catch (error) {
    await level.close()
    throw toOpenError(error, directory)
  }
}

function toOpenError(error: unknown, directory: string): StoreError {
  if (error instanceof StoreError) return error
  const { cause } = error instanceof Error ? error : {}
  if (readErrorField(cause, 'code') === 'LEVEL_LOCKED') {
    return new StoreError(`${directory} is used by another process`)
  }
  return new StoreError(`${directory} cannot be opened: ${toReason(error)}`)
}

class DirectoryStore implements Store {
  readonly kind = 'directory'
  readonly location: string
  readonly isExclusive = true
  readonly #level: ClassicLevel
  readonly #queue: WriteQueue
  readonly #now: () => number
  /** At most {@link maximumKnownWorlds}; at this number, least recently used first. */
  readonly #known = new Map<string, KnownWorld>()
  /** Changes of the worlds that are being read, in order. */
  readonly #reading = new Map<string, Waiting[]>()
  /** Number of failed writes. */
  #failures = 0
  #removal: Promise<void> = Promise.resolve()
  #timer: ReturnType<typeof setInterval> | undefined
  #isClosed = false

  constructor(
    level: ClassicLevel,
    log: WriteAheadLog,
    { directory, keepMs, now }: DirectoryStoreOptions,
  ) {
    this.location = directory
    this.#level = level
    this.#now = now
    this.#queue = new WriteQueue(level, log, () => {
      this.#failures += 1
      this.#known.clear()
    })
    if (keepMs === undefined) return
    const remove = () => {
      this.#removal = this.#removeUnused(keepMs)
    }
    remove()
    this.#timer = setInterval(remove, hourMs)
    this.#timer.unref()
  }

  load(id: string): Promise<StoredWorld | undefined> {
    return this.#withWorld(id, async ({ lineage }) => {
      if (lineage === undefined) return undefined
      const world = await this.#read(() => readWorld(this.#level, id))
      // The known version may be the one of a removed record.
      if (world?.isTruncated) this.#known.delete(id)
      return world
    })
  }

  append(id: string, expected: Version, record: string): Promise<SinceResult> {
    return this.#withWorld(id, (world) => {
      if (world.lineage === undefined && expected.number === 0) {
        Object.assign(world, {
          lineage: expected.lineage,
          number: 0,
          first: 1,
          base: -1,
          usedHour: -1,
        })
      }
      return expected.lineage === world.lineage && expected.number === world.number
        ? this.#append(world, record)
        : this.#readSince(world, expected)
    })
  }

  readSince(id: string, version: Version): Promise<SinceResult> {
    return this.#withWorld(id, (world) => this.#readSince(world, version))
  }

  compact(id: string, version: Version, data: string, retained: number): Promise<void> {
    return this.#withWorld(id, async (world) => {
      const { keys, lineage, number, base, first } = world
      const isCurrent = version.lineage === lineage && version.number <= number
      if (!isCurrent || version.number < base) return
      world.base = version.number
      world.first = Math.max(first, version.number - retained + 1)
      const operations = toRemovals(keys, first, world.first - 1)
      operations.push({ type: 'put', key: keys.base, value: data })
      await this.#queue.write([toMetaWrite(world), ...operations])
    })
  }

  follow(): () => void {
    // No other process appends to the directory.
    return () => {}
  }

  remove(id: string): Promise<void> {
    return this.#withWorld(id, (world) => this.#remove(world))
  }

  list(): Promise<string[]> {
    return this.#read(() => readIds(this.#level))
  }

  async saveDocument(id: string, data: string): Promise<void> {
    await this.#queue.write([{ type: 'put', key: toDocumentKey(id), value: data }])
  }

  loadDocument(id: string): Promise<string | undefined> {
    return this.#read(() => this.#level.get(toDocumentKey(id)))
  }

  async check(): Promise<void> {
    await this.#queue.flush()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#removal
    // Worlds that are being read have changes that wait.
    for (const id of [...this.#reading.keys()]) {
      await this.#withWorld(id, async () => {}).catch(() => undefined)
    }
    await this.#queue.close()
  }

  #append(world: KnownWorld, record: string): Promise<SinceResult> {
    world.number += 1
    const usedHour = Math.floor(this.#now() / hourMs)
    const isMetaStored = usedHour === world.usedHour
    world.usedHour = usedHour
    const write: Operation = { type: 'put', key: world.keys.record(world.number), value: record }
    const written = isMetaStored
      ? this.#queue.write([write])
      : this.#queue.write([toMetaWrite(world), write])
    return written.then(toCurrent)
  }

  async #readSince(world: KnownWorld, version: Version): Promise<SinceResult> {
    const { keys, lineage, number, first } = world
    const isLost = version.lineage !== lineage || version.number > number
    if (isLost || version.number + 1 < first) return { type: 'lost' }
    if (version.number === number) return { type: 'current' }
    const records = await this.#read(() =>
      readRecords(this.#level, keys, version.number + 1, number),
    )
    return records ? { type: 'behind', records } : { type: 'lost' }
  }

  async #remove(world: KnownWorld): Promise<void> {
    if (world.lineage === undefined) return
    const { keys, first, number } = world
    world.lineage = undefined
    await this.#queue.write([
      { type: 'del', key: keys.meta },
      { type: 'del', key: keys.base },
      ...toRemovals(keys, first, number),
    ])
  }

  /** Removes the worlds that were not used for a time. */
  async #removeUnused(keepMs: number): Promise<void> {
    const usedHour = Math.floor((this.#now() - keepMs) / hourMs) - 1
    try {
      for await (const id of readUnusedIds(this.#level, usedHour)) {
        if (this.#isClosed) return
        await this.#withWorld(id, async (world) => {
          if (world.usedHour <= usedHour) await this.#remove(world)
        })
      }
    } catch {
      // The store is not available. The next removal removes the others.
    }
  }

  /** Runs a change of a world: at once if the world is known, and in the order of the calls. */
  #withWorld<T>(id: string, run: (world: KnownWorld) => Promise<T>): Promise<T> {
    const world = this.#known.get(id)
    if (world) {
      // Otherwise, the order does not matter yet.
      if (this.#known.size === maximumKnownWorlds) this.#remember(id, world)
      return run(world)
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { run: (known) => resolve(run(known)), reject }
      const others = this.#reading.get(id)
      if (others) {
        others.push(waiting)
        return
      }
      this.#reading.set(id, [waiting])
      void this.#readKnown(id)
    })
  }

  async #readKnown(id: string): Promise<void> {
    const failures = this.#failures
    const keys = toKeys(id)
    try {
      const stored = await this.#read(() => readVersion(this.#level, keys))
      // A change that was queued before the read may be lost.
      if (failures !== this.#failures) throw new StoreError(`${this.location} could not be written`)
      const absent = { lineage: undefined, first: 1, base: -1, usedHour: -1 }
      const world = { keys, number: stored?.number ?? 0, ...(stored?.meta ?? absent) }
      this.#remember(id, world)
      for (const { run } of this.#takeWaiting(id)) run(world)
    } catch (error) {
      for (const { reject } of this.#takeWaiting(id)) reject(this.#queue.toError(error))
    }
  }

  #takeWaiting(id: string): Waiting[] {
    const waiting = this.#reading.get(id) ?? []
    this.#reading.delete(id)
    return waiting
  }

  #remember(id: string, world: KnownWorld): void {
    this.#known.delete(id)
    this.#known.set(id, world)
    if (this.#known.size <= maximumKnownWorlds) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      return
    }
  }

  /** Reads after the earlier writes. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    try {
      await this.#queue.flush()
      return await read()
    } catch (error) {
      throw this.#queue.toError(error)
    }
  }
}

function toCurrent(): SinceResult {
  return { type: 'current' }
}

function toMetaWrite({ keys, lineage = '', first, base, usedHour }: KnownWorld): Operation {
  return { type: 'put', key: keys.meta, value: writeMeta({ lineage, first, base, usedHour }) }
}

function toRemovals(keys: Keys, first: number, last: number): Operation[] {
  const removals: Operation[] = []
  for (let number = first; number <= last; number++) {
    removals.push({ type: 'del', key: keys.record(number) })
  }
  return removals
}
