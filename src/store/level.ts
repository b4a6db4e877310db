import { mkdir } from 'node:fs/promises'
import type { BatchOperation, ClassicLevel } from 'classic-level'
import { passTurns } from '../service/timers.js'
import { readErrorField } from '../service/validation/message.js'
import { checkFormat, format, importPackage } from './open.js'
import { StoreError, type Version } from './store.js'
import { escapeId, unescapeId } from './world-id.js'

/** A change of the database. */
export type Operation = BatchOperation<ClassicLevel, string, string>

/*
 * Keys of the database: `format`, `check`, `meta!<id>` (meta data as JSON), `base!<id>`,
 * `step!<id>!<number>` and `seed!<id>`.
 */

/** What the store knows about a world without reading its steps. */
export interface ExistingMeta extends Version {
  /** Number of the first retained step. */
  readonly first: number
  /** Number of the last step that the base includes. −1 without a base. */
  readonly base: number
  /** Time of the last append, in milliseconds since the epoch. */
  readonly usedAtMs: number
}

/** Undefined if the world does not exist. */
export type Meta = ExistingMeta | undefined

/** Returns the key of a world or a seed. A step has its number in addition. */
export function toKey(kind: 'meta' | 'base' | 'step' | 'seed', id: string): string {
  return `${kind}!${escapeId(id)}`
}

/** Returns the id of the world that a key of meta data belongs to. */
export function toId(metaKey: string): string {
  return unescapeId(metaKey.slice('meta!'.length))
}

/** Returns the operation that sets the value of a key. */
export function toPut(kind: 'meta' | 'base' | 'seed', id: string, value: string): Operation {
  return { type: 'put', key: toKey(kind, id), value }
}

/** Range of the keys of the meta data. */
export const metaRange = { gte: 'meta!', lt: 'meta"' }

export function toStepKey(id: string, number: number): string {
  return `${toKey('step', id)}!${String(number).padStart(12, '0')}`
}

/** Returns the operations that remove steps. */
export function toRemovals(id: string, first: number, last: number): Operation[] {
  const operations: Operation[] = []
  for (let number = first; number <= last; number += 1) {
    operations.push({ type: 'del', key: toStepKey(id, number) })
  }
  return operations
}

/** Reads the meta data of a world. Without readable meta data, the world does not exist. */
export function readMeta(text: string | undefined): Meta {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns steps of a world. One that is missing or damaged is undefined. */
export async function readSteps(
  level: ClassicLevel,
  id: string,
  first: number,
  last: number,
  options: { snapshot?: ReturnType<ClassicLevel['snapshot']> } = {},
): Promise<(string | undefined)[]> {
  const keys = Array.from({ length: last - first + 1 }, (_, at) => toStepKey(id, first + at))
  const steps = await readIntact(level.getMany(keys, options))
  return steps ?? Promise.all(keys.map((key) => readIntact(level.get(key, options))))
}

/** Steps that are removed before they reach a sorted file need no compaction. */
const writeBufferBytes = 32 * 1024 * 1024

/**
 * Opens the database of a store in a directory.
 *
 * @throws {StoreError} If the package is missing, another process uses the directory, or the
 * directory contains data of another program or of an incompatible version of this one.
 */
export async function openLevel(
  directory: string,
  load: () => Promise<unknown> = () => import('classic-level'),
): Promise<ClassicLevel> {
  type Package = typeof import('classic-level')
  const loaded = await importPackage('directory', 'classic-level', load)
  const { ClassicLevel } = loaded as Package // or a replacement of a test
  // LevelDB would create it for all users, and reports why it cannot be created.
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
  if (code === 'LEVEL_LOCKED') return 'is used by another process'
  const reason = toReason(error)
  return code === 'LEVEL_CORRUPTION' || reason.startsWith('Corruption')
    ? `is damaged: ${reason}; restore a backup, or start with another directory`
    : `cannot be opened: ${reason}`
}

/** Operations that wait to be written. */
interface Write {
  readonly operations: readonly Operation[]
  resolve(): void
  reject(error: unknown): void
}

/**
 * Writes to a database in the order of the calls. The operations of one turn of the event loop are
 * one batch.
 */
export class LevelWriter {
  /** Number of failed writes. */
  failures = 0
  #writes: Write[] = []
  #isWriting = false
  /** Whether the last write has failed, so that the file may end in the middle of a batch. */
  #isBroken = false

  /**
   * @param sync Whether to wait until the disk has stored the data.
   * @param onFailure Called after a failure, before the writes are rejected.
   */
  constructor(
    readonly level: ClassicLevel,
    readonly sync: boolean,
    readonly onFailure: () => void,
  ) {}

  /** Resolves when the operations and those of earlier calls are written, all or none. */
  write(...operations: readonly Operation[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#writes.push({ operations, resolve, reject })
      if (!this.#isWriting) void this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#writes.length > 0) {
      await passTurns(1)
      const writes = this.#writes.splice(0)
      try {
        if (this.#isBroken) await this.#reopen()
        await this.#writeBatch(writes.flatMap((write) => write.operations))
        for (const { resolve } of writes) resolve()
      } catch (error) {
        this.#isBroken = true
        this.failures += 1
        this.onFailure()
        // Later writes may depend on these.
        for (const { reject } of [...writes, ...this.#writes.splice(0)]) reject(error)
      }
    }
    this.#isWriting = false
  }

  async #writeBatch(operations: readonly Operation[]): Promise<void> {
    // Takes half the time of a batch that is an array.
    const batch = this.level.batch()
    for (const operation of operations) {
      if (operation.type === 'put') batch.put(operation.key, operation.value)
      else batch.del(operation.key)
    }
    await batch.write({ sync: this.sync })
  }

  /** LevelDB would otherwise append to the incomplete batch, and drop both when it is opened again. */
  async #reopen(): Promise<void> {
    await this.level.close()
    await this.level.open()
    this.#isBroken = false
  }
}

/** Returns the value, or undefined if it is damaged. */
export async function readIntact<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (readErrorField(error, 'code') === 'LEVEL_CORRUPTION') return undefined
    throw error
  }
}

/** Returns the reason of an error of classic-level in one line. */
export function toReason(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const { message } = cause instanceof Error ? cause : error instanceof Error ? error : {}
  return (message ?? String(error)).replaceAll('\n', ' ')
}
