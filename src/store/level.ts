import type { BatchOperation, ClassicLevel } from 'classic-level'
import { readErrorField } from '../service/validation/message.js'
import type { StoredWorld } from './store.js'
import { escapeId, unescapeId } from './world-id.js'

/*
 * Layout of a directory:
 *
 * format                 version of the layout
 * meta!<id>              number of the first retained record, number of the last record of the
 *                        snapshot, hour of the last append, and lineage
 * base!<id>              snapshot
 * record!<id>!<number>   record
 * document!<id>          document
 * log                    number of the first frame of the write-ahead log that the database does not
 *                        include
 */

/** Version of the layout. Increment it when the layout changes. */
const format = '1'
const formatKey = 'format'
export const logKey = 'log'

/** A change of the database. */
export type Operation = BatchOperation<ClassicLevel, string, string>

/** The part of a stored world that is always needed. */
export interface Meta {
  readonly lineage: string
  /** Number of the first retained record. */
  readonly first: number
  /** Number of the last record that the snapshot includes. −1 without a snapshot. */
  readonly base: number
  /** Hours from the epoch to the last append. */
  readonly usedHour: number
}

const metaRange = { gte: 'meta!', lt: 'meta"' }

/** Returns the keys of a world. */
export function toKeys(id: string) {
  const escaped = escapeId(id)
  const prefix = `record!${escaped}!`
  return {
    meta: `meta!${escaped}`,
    base: `base!${escaped}`,
    record: (number: number) => prefix + String(number).padStart(12, '0'),
  }
}

/** Keys of a world. */
export type Keys = ReturnType<typeof toKeys>

export function toDocumentKey(id: string): string {
  return `document!${escapeId(id)}`
}

/** Range of the records from a number. */
function toRecordRange(keys: Keys, from: number) {
  return { gte: keys.record(from), lte: keys.record(999_999_999_999) }
}

export function writeMeta({ first, base, usedHour, lineage }: Meta): string {
  return `${first} ${base} ${usedHour} ${lineage}`
}

function readMeta(text: string | undefined): Meta | undefined {
  const match = /^(\d+) (-?\d+) (\d+) (.*)$/s.exec(text ?? '')
  const [, first, base, usedHour, lineage = ''] = match ?? []
  return match
    ? { lineage, first: Number(first), base: Number(base), usedHour: Number(usedHour) }
    : undefined
}

/** Returns why a database cannot be used. An empty one gets the format. */
export async function findFormatProblem(level: ClassicLevel): Promise<string | undefined> {
  const stored = await level.get(formatKey)
  if (stored === format) return undefined
  if (stored !== undefined) {
    return `has the format ${stored.slice(0, 100)}, this version of petstore-sandbox reads format ${format}`
  }
  const [key] = await level.keys({ limit: 1 }).all()
  if (key !== undefined) return 'contains the database of another program'
  await level.put(formatKey, format)
  return undefined
}

/** Returns the number of the first frame of the write-ahead log that the database does not include. */
export async function readLogNumber(level: ClassicLevel): Promise<number> {
  return Number((await readOrUndefined(level.get(logKey))) ?? 0)
}

/** Returns the ids of all worlds. */
export async function readIds(level: ClassicLevel): Promise<string[]> {
  const keys = await level.keys(metaRange).all()
  return keys.map((key) => unescapeId(key.slice('meta!'.length)))
}

/** Returns the ids of the worlds that were last used in or before an hour. */
export async function* readUnusedIds(
  level: ClassicLevel,
  usedHour: number,
): AsyncGenerator<string, void, undefined> {
  for await (const [key, text] of level.iterator(metaRange)) {
    const meta = readMeta(text)
    if (meta && meta.usedHour <= usedHour) yield unescapeId(key.slice('meta!'.length))
  }
}

/**
 * Returns the meta data of a world and the number of its last record; undefined if the world does
 * not exist.
 */
export async function readVersion(
  level: ClassicLevel,
  keys: Keys,
): Promise<{ meta: Meta; number: number } | undefined> {
  const [meta, lastKeys] = await Promise.all([
    readOrUndefined(level.get(keys.meta)).then(readMeta),
    readOrUndefined(level.keys({ ...toRecordRange(keys, 0), reverse: true, limit: 1 }).all()),
  ])
  if (meta && lastKeys) return { meta, number: Math.max(toNumber(lastKeys[0]), meta.base, 0) }
  if (meta) return { meta, number: await findLast(level, keys, meta) }
  // Records without meta data cannot be used.
  if (!lastKeys || lastKeys.length > 0) await removeAfter(level, keys, 0)
  return undefined
}

/** Returns the number of the last record before a damaged one, and removes the records after it. */
async function findLast(level: ClassicLevel, keys: Keys, { base }: Meta): Promise<number> {
  let number = Math.max(base, 0)
  while ((await readOrUndefined(level.get(keys.record(number + 1)))) !== undefined) number += 1
  await removeAfter(level, keys, number)
  return number
}

/** Removes the records after a number. */
async function removeAfter(level: ClassicLevel, keys: Keys, number: number): Promise<void> {
  const cleared = await readOrUndefined(
    level.clear(toRecordRange(keys, number + 1)).then(() => true),
  )
  if (cleared) return
  // The keys cannot be read. No world has so many records after a snapshot.
  const removals: Operation[] = []
  for (let at = number + 1; at <= number + 10_000; at++) {
    removals.push({ type: 'del', key: keys.record(at) })
  }
  await level.batch(removals)
}

/** Returns the records from a number to another one; undefined if one of them cannot be read. */
export async function readRecords(
  level: ClassicLevel,
  keys: Keys,
  from: number,
  to: number,
): Promise<string[] | undefined> {
  const range = { gte: keys.record(from), lte: keys.record(to) }
  const records = await readOrUndefined(level.values(range).all())
  return records?.length === to - from + 1 ? records : undefined
}

/**
 * Returns a world; undefined if it does not exist. Records after one that cannot be read are removed.
 * If the snapshot cannot be read, the world continues from its first record or without records.
 */
export async function readWorld(level: ClassicLevel, id: string): Promise<StoredWorld | undefined> {
  const keys = toKeys(id)
  const snapshot = level.snapshot()
  try {
    const meta = readMeta(await readOrUndefined(level.get(keys.meta, { snapshot })))
    if (!meta) return undefined
    const data = await readOrUndefined(level.get(keys.base, { snapshot }))
    const stored = await readNumberedRecords(level, keys, meta, snapshot)
    const base = data === undefined ? undefined : { number: meta.base, data }
    return await toStoredWorld(level, keys, meta, base, stored)
  } finally {
    await snapshot.close()
  }
}

async function toStoredWorld(
  level: ClassicLevel,
  keys: Keys,
  meta: Meta,
  base: StoredWorld['base'],
  { records: stored, isDamaged }: NumberedRecords,
): Promise<StoredWorld> {
  const start = base?.number ?? 0
  let number = start
  while (stored.has(number + 1)) number += 1
  let first = start + 1
  while (stored.has(first - 1)) first -= 1
  const records: string[] = []
  for (let at = first; at <= number; at++) records.push(stored.get(at) ?? '')
  const isBaseDamaged = meta.base >= 0 && !base
  if (isBaseDamaged) await level.put(keys.meta, writeMeta({ ...meta, first: 1, base: -1 }))
  const isTruncated = isDamaged || isBaseDamaged || Math.max(start, ...stored.keys()) > number
  if (isTruncated) await removeAfter(level, keys, number)
  const version = { lineage: meta.lineage, number }
  return { version, base, records, ...(isTruncated && { isTruncated }) }
}

interface NumberedRecords {
  readonly records: ReadonlyMap<number, string>
  /** Whether some records between or after these are damaged. */
  readonly isDamaged: boolean
}

type Snapshot = ReturnType<ClassicLevel['snapshot']>

/** Returns the records of a world that can be read, by number. */
async function readNumberedRecords(
  level: ClassicLevel,
  keys: Keys,
  meta: Meta,
  snapshot: Snapshot,
): Promise<NumberedRecords> {
  const range = { ...toRecordRange(keys, 0), snapshot }
  const entries = await readOrUndefined(level.iterator(range).all())
  if (entries) {
    const records = new Map(entries.map(([key, record]) => [toNumber(key), record]))
    return { records, isDamaged: false }
  }
  const records = new Map<number, string>()
  for (let number = meta.first; ; number++) {
    const record = await readOrUndefined(level.get(keys.record(number), { snapshot }))
    if (record !== undefined) records.set(number, record)
    else if (number > meta.base) return { records, isDamaged: true }
  }
}

function toNumber(recordKey: string | undefined): number {
  return recordKey === undefined ? 0 : Number(recordKey.slice(-12))
}

/** Returns the value, or undefined if it is damaged. */
async function readOrUndefined<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    if (readErrorField(error, 'code') === 'LEVEL_CORRUPTION') return undefined
    throw error
  }
}
