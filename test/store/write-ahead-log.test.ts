import fs from 'node:fs'
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDirectoryStore } from '../../src/store/directory.js'
import { decodeFrames, FrameEncoder } from '../../src/store/frame.js'
import type { Operation } from '../../src/store/level.js'
import type { DirectoryStoreOptions } from '../../src/store/options.js'
import { type Store, StoreError } from '../../src/store/store.js'

const at = (number: number) => ({ lineage: 'lineage', number })
const current = { type: 'current' }
const toRecords = (last: number) => Array.from({ length: last }, (_, at) => `record ${at + 1}`)

describe('a frame', () => {
  const operations: Operation[] = [
    { type: 'put', key: 'ключ', value: 'größer 🐈' },
    { type: 'del', key: 'key' },
    { type: 'put', key: 'empty', value: '' },
  ]

  test('is decoded to the same operations', () => {
    const bytes = encodeFrames([operations, operations])
    const frames = [0, 1].map((number) => ({ number, operations }))
    expect(decodeFrames(bytes)).toEqual(frames)
  })

  test('can be larger than the buffer that the encoder keeps', () => {
    const large: Operation[] = [{ type: 'put', key: 'key', value: '€'.repeat(1_000_000) }]
    expect(decodeFrames(encodeFrames([large, operations]))).toEqual([
      { number: 0, operations: large },
      { number: 1, operations },
    ])
  })

  test('is ignored if a byte at its end is missing, and all frames after it are', () => {
    const [first, both] = [encodeFrames([operations]), encodeFrames([operations, operations])]
    for (let length = first.length; length < both.length; length++) {
      expect(decodeFrames(both.subarray(0, length))).toHaveLength(1)
    }
  })

  test('is ignored if one byte differs, and all frames after it are', () => {
    const bytes = encodeFrames([operations, operations, operations])
    for (let position = bytes.length / 3; position < (bytes.length / 3) * 2; position++) {
      const damaged = Buffer.from(bytes)
      damaged[position] = (damaged[position] ?? 0) ^ 0x10
      expect(decodeFrames(damaged)).toHaveLength(1)
    }
  })

  test('is not made of zeros', () => {
    expect(decodeFrames(Buffer.alloc(1000))).toEqual([])
  })

  test('is ignored if its number does not follow the one before', () => {
    const encoder = new FrameEncoder()
    const frames = [1, 2, 1].map((number) => Buffer.from(encoder.encode({ number, operations })))
    expect(decodeFrames(Buffer.concat(frames)).map(({ number }) => number)).toEqual([1, 2])
  })
})

describe('the log of a directory store', () => {
  let directory: string
  let disk: ReturnType<typeof createDisk>
  const stores: Store[] = []
  const open = async (options: Partial<DirectoryStoreOptions> = {}) => {
    const store = await createDirectoryStore(
      { directory, now: Date.now, ...options },
      disk.database.load,
    )
    stores.push(store)
    return store
  }
  beforeEach(async () => {
    // The log is moved after a second only if the test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'))
    disk = createDisk()
  })
  afterEach(async () => {
    vi.useRealTimers()
    disk.database.open()
    disk.restore()
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await rm(directory, { recursive: true })
    await rm(`${directory}-crashed`, { recursive: true, force: true })
  })

  const append = async (store: Store, id: string, from: number, to: number) => {
    for (let number = from; number < to; number++) {
      expect(await store.append(id, at(number), `record ${number + 1}`)).toEqual(current)
    }
  }
  /** Returns a copy of the directory as it is now, as after the end of the process. */
  const crash = async () => {
    const crashed = `${directory}-crashed`
    await cp(directory, crashed, { recursive: true })
    return crashed
  }
  const openAfterCrash = async (edit: (directory: string) => Promise<void> = async () => {}) => {
    const crashed = await crash()
    await edit(crashed)
    return open({ directory: crashed })
  }
  const toLog = (name: string, ofDirectory = directory) => join(ofDirectory, `write-ahead-${name}`)

  test('takes appends without a write to the database', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    const { batches } = disk.database
    await append(store, 'a', 1, 100)
    expect(disk.database.batches).toBe(batches)
    expect((await store.load('a'))?.records).toEqual(toRecords(100))
  })

  test('takes the appends of one turn with one write', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    await append(store, 'b', 0, 1)
    const { writes } = disk
    const appends = ['a', 'b'].flatMap((id) => [
      store.append(id, at(1), 'record 2'),
      store.append(id, at(2), 'record 3'),
    ])
    await Promise.all(appends)
    expect(disk.writes).toBe(writes + 1)
  })

  test('is moved to the database a second after an append', async () => {
    const store = await open()
    await append(store, 'a', 0, 2)
    const { batches } = disk.database
    vi.advanceTimersByTime(999)
    await nextTurn()
    expect(disk.database.batches).toBe(batches)
    vi.advanceTimersByTime(1)
    while (disk.database.batches === batches) await nextTurn()
  })

  test('contains the appends of a process that has crashed', async () => {
    const store = await open()
    await append(store, 'a', 0, 100)
    await store.compact('a', at(98), 'base', 1)
    await store.saveDocument('document', 'text')
    await append(store, 'b', 0, 3)
    await store.remove('b')
    const after = await openAfterCrash()
    expect(await after.load('a')).toEqual(await store.load('a'))
    expect(await after.loadDocument('document')).toBe('text')
    expect(await after.list()).toEqual(['a'])
    await append(after, 'a', 100, 101)
  })

  test('contains appends that are nowhere else', async () => {
    const store = await open()
    await append(store, 'a', 0, 100)
    const after = await openAfterCrash(async (crashed) => {
      for (const name of ['a', 'b']) await truncate(toLog(name, crashed))
    })
    expect(await after.load('a')).toBeUndefined()
  })

  test.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, -3), 9],
    ['followed by zeros', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(5000)]), 10],
    ['followed by a part', (bytes: Buffer) => Buffer.concat([bytes, bytes.subarray(0, 30)]), 10],
    ['damaged in the middle', (bytes: Buffer) => bytes.fill(0, Math.floor(bytes.length / 2)), 4],
  ])('is replayed to its last complete frame if it is %s', async (_, change, expected) => {
    const store = await open()
    await store.load('a')
    await append(store, 'a', 0, 10)
    const after = await openAfterCrash(async (crashed) => {
      for (const name of ['a', 'b']) {
        const bytes = await readFile(toLog(name, crashed))
        if (bytes.length > 0) await writeFile(toLog(name, crashed), change(bytes))
      }
    })
    const world = await after.load('a')
    expect(world?.version.number).toBe(expected)
    expect(world?.records).toEqual(toRecords(expected))
    await append(after, 'a', expected, expected + 1)
    expect((await after.load('a'))?.records).toEqual(toRecords(expected + 1))
  })

  test('is replayed in order from both files', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    disk.database.stop()
    await append(store, 'a', 1, 600)
    expect((await readFile(toLog('a'))).length).toBeGreaterThan(0)
    expect((await readFile(toLog('b'))).length).toBeGreaterThan(0)
    const crashed = await crash()
    disk.database.open()
    const after = await open({ directory: crashed })
    expect((await after.load('a'))?.records).toEqual(toRecords(600))
  })

  test('is not replayed after a part that is missing', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    await store.load('a')
    disk.database.stop()
    await append(store, 'a', 1, 600)
    await cp(directory, `${directory}-copy`, { recursive: true })
    disk.database.open()
    const [older = ''] = await sortBySize(
      ['a', 'b'].map((name) => toLog(name, `${directory}-copy`)),
    )
    await truncate(older)
    const after = await open({ directory: `${directory}-copy` })
    expect((await after.load('a'))?.records).toEqual(toRecords(1))
    await after.close()
    await rm(`${directory}-copy`, { recursive: true })
  })

  test('is not replayed again after it was moved', async () => {
    const store = await open()
    await append(store, 'a', 0, 8)
    const logs = await Promise.all(['a', 'b'].map((name) => readFile(toLog(name))))
    await store.compact('a', at(6), 'base', 1)
    await append(store, 'a', 8, 9)
    const expected = await store.load('a')
    const after = await openAfterCrash(async (crashed) => {
      await writeFile(toLog('a', crashed), logs[0] ?? '')
      await writeFile(toLog('b', crashed), logs[1] ?? '')
    })
    expect(await after.load('a')).toEqual(expected)
  })

  test('rejects all waiting appends if a write fails, and continues without a gap', async () => {
    const store = await open()
    await append(store, 'a', 0, 2)
    await append(store, 'b', 0, 1)
    disk.isFull = true
    const appends = [
      store.append('a', at(2), 'lost'),
      store.append('a', at(3), 'lost'),
      store.append('b', at(1), 'lost'),
      store.append('c', at(0), 'lost'),
    ]
    const results = await Promise.allSettled(appends)
    expect(results.map(({ status }) => status)).toEqual(appends.map(() => 'rejected'))
    await expect(store.append('a', at(2), 'lost')).rejects.toThrow(
      new StoreError(`${directory} cannot be used: no space left`),
    )
    disk.isFull = false
    expect(await store.append('a', at(4), 'other')).toEqual({ type: 'lost' })
    await append(store, 'a', 2, 4)
    await append(store, 'c', 0, 1)
    for (const after of [await openAfterCrash(), store]) {
      expect((await after.load('a'))?.records).toEqual(toRecords(4))
      expect((await after.load('b'))?.version).toEqual(at(1))
      expect((await after.load('c'))?.version).toEqual(at(1))
    }
  })

  test('contains no part of an append that was rejected', async () => {
    const store = await open()
    await append(store, 'a', 0, 2)
    disk.isFull = true
    await expect(store.append('a', at(2), 'x'.repeat(10_000))).rejects.toThrow(StoreError)
    const sizes = await Promise.all(['a', 'b'].map((name) => readFile(toLog(name))))
    expect(sizes.map(({ length }) => length > 5000)).toEqual([false, false])
    const after = await openAfterCrash()
    expect((await after.load('a'))?.records).toEqual(toRecords(2))
  })

  test('keeps what the database could not take, and rejects later appends', async () => {
    const store = await open()
    await append(store, 'a', 0, 100)
    disk.database.isFull = true
    await expect(store.load('a')).rejects.toThrow(
      new StoreError(`${directory} cannot be used: no space left`),
    )
    await expect(store.append('a', at(100), 'lost')).rejects.toThrow(StoreError)
    await expect(store.check()).rejects.toThrow(StoreError)
    disk.database.isFull = false
    const { openings } = disk.database
    await store.check()
    expect(disk.database.openings).toBe(openings + 1)
    await append(store, 'a', 100, 101)
    expect((await store.load('a'))?.records).toEqual(toRecords(101))
    expect(disk.database.openings).toBe(openings + 1)
  })

  test('is kept for the next process if the database could not take it', async () => {
    const store = await open()
    await append(store, 'a', 0, 100)
    disk.database.isFull = true
    await store.close()
    disk.database.isFull = false
    expect((await (await open()).load('a'))?.records).toEqual(toRecords(100))
  })

  test('keeps the appends that arrive while the store is closed', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    disk.database.stop()
    const closed = store.close()
    let stored = 1
    const appends: Promise<unknown>[] = []
    for (let number = 1; number < 10; number++) {
      appends.push(
        store.append('a', at(number), `record ${number + 1}`).then(
          () => stored++,
          () => {},
        ),
      )
      if (number === 5) disk.database.open()
      await nextTurn()
    }
    await Promise.allSettled([closed, ...appends])
    expect((await (await open()).load('a'))?.records).toEqual(toRecords(stored))
  })

  test('lets appends wait while the database is slower', async () => {
    const store = await open()
    await append(store, 'a', 0, 1)
    disk.database.stop()
    let stored = 0
    const appends: Promise<unknown>[] = []
    for (let number = 1; number < 3000; number++) {
      const appended = store.append('a', at(number), `record ${number + 1}`)
      appends.push(appended.then(() => stored++))
      await nextTurn()
    }
    expect(stored).toBeGreaterThan(1000)
    expect(stored).toBeLessThan(1100)
    disk.database.open()
    await Promise.all(appends)
    expect((await store.load('a'))?.records).toEqual(toRecords(3000))
  })

  test('takes a snapshot that is larger than the log', async () => {
    const store = await open()
    await append(store, 'a', 0, 2)
    const data = 'ü'.repeat(2_000_000)
    // The log is full, and would be moved while it is copied.
    disk.database.stop()
    await store.compact('a', at(1), data, 0)
    const after = await openAfterCrash(async () => disk.database.open())
    expect(await after.load('a')).toMatchObject({ base: { number: 1, data }, version: at(2) })
  })

  test('resolves appends after the disk has stored them, with one wait for many', async () => {
    const store = await open({ sync: true })
    await append(store, 'a', 0, 1)
    const waits = disk.holdSync()
    let stored = 0
    const appends = [1, 2, 3].map((number) =>
      store.append('a', at(number), 'record').then(() => stored++),
    )
    while (waits.length === 0) await nextTurn()
    await nextTurn()
    expect(stored).toBe(0)
    waits[0]?.()
    await Promise.all(appends)
    expect(waits).toHaveLength(1)
  })
})

function encodeFrames(frames: readonly (readonly Operation[])[]): Buffer {
  const encoder = new FrameEncoder()
  const parts = frames.map((operations, number) =>
    Buffer.from(encoder.encode({ number, operations })),
  )
  return Buffer.concat(parts)
}

/** Returns the paths of files, the largest file first. */
async function sortBySize(paths: readonly string[]): Promise<string[]> {
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(path, (await readFile(path)).length)
  return [...paths].sort((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0))
}

/**
 * A disk on which writes to the log fail while it is full, after a half of the bytes. Counts the
 * writes. Writes to the database fail or wait separately.
 */
function createDisk() {
  const { writeSync, fdatasync } = fs
  const restore = () => {
    Object.assign(fs, { writeSync, fdatasync })
    syncBuiltinESMExports()
  }
  const holdSync = () => {
    const waits: (() => void)[] = []
    fs.fdatasync = Object.assign(
      (descriptor: number, done: fs.NoParamCallback) =>
        waits.push(() => fdatasync(descriptor, done)),
      { __promisify__: fdatasync.__promisify__ },
    )
    syncBuiltinESMExports()
    return waits
  }
  const disk = { isFull: false, writes: 0, database: createDatabase(), restore, holdSync }
  fs.writeSync = (...args: unknown[]) => {
    if (!(args[1] instanceof Uint8Array)) return Reflect.apply(writeSync, fs, args)
    disk.writes += 1
    if (!disk.isFull) return Reflect.apply(writeSync, fs, args)
    const half = Math.ceil(Number(args[3]) / 2)
    Reflect.apply(writeSync, fs, [args[0], args[1], args[2], half, args[4]])
    throw new Error('no space left')
  }
  syncBuiltinESMExports()
  return disk
}

/** A database whose batches can fail or be held. Counts the openings and batches. */
function createDatabase() {
  let opened = Promise.resolve()
  let release = () => {}
  const database = { isFull: false, openings: 0, batches: 0, load, stop, open: () => release() }
  function stop() {
    opened = new Promise((resolve) => {
      release = resolve
    })
  }
  class TestLevel extends ClassicLevel {
    // The methods that abstract-level calls.
    async _open(options: object): Promise<void> {
      database.openings += 1
      return Reflect.get(ClassicLevel.prototype, '_open').call(this, options)
    }
    _chainedBatch() {
      const batch = Reflect.get(ClassicLevel.prototype, '_chainedBatch').call(this)
      const write = batch._write
      batch._write = async (options: object) => {
        database.batches += 1
        await opened
        if (database.isFull) throw new Error('no space left')
        return write.call(batch, options)
      }
      return batch
    }
  }
  async function load() {
    return { ClassicLevel: TestLevel as typeof ClassicLevel }
  }
  return database
}
