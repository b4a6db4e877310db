import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createDirectoryStore, type DirectoryStoreOptions } from '../../src/store/directory.js'
import { importPackage } from '../../src/store/open.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { createRandom } from '../abuse/random.js'
import { testStore } from './conformance.js'

const createDirectory = () => mkdtemp(join(tmpdir(), 'petstore-sandbox-'))

testStore('directory', async () => {
  const directory = await createDirectory()
  return {
    open: () => createDirectoryStore({ directory, now: Date.now }),
    remove: () => rm(directory, { recursive: true }),
  }
})

test('says which package is missing', async () => {
  const missing = Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })
  const loading = importPackage('redis', '@redis/client', () => Promise.reject(missing))
  await expect(loading).rejects.toThrow(
    new StoreError('the redis store needs the package @redis/client: npm install @redis/client'),
  )
})

testStore('directory, with waiting for the disk', async () => {
  const directory = await createDirectory()
  return {
    open: () => createDirectoryStore({ directory, sync: true, now: Date.now }),
    remove: () => rm(directory, { recursive: true }),
  }
})

const hourMs = 3_600_000
const at = (number: number) => ({ lineage: 'lineage', number })

describe('a directory store', () => {
  let directory: string
  const stores: Store[] = []
  const open = async (options: Partial<DirectoryStoreOptions> = {}) => {
    const store = await createDirectoryStore({ directory, now: Date.now, ...options })
    stores.push(store)
    return store
  }
  /** Changes the database without the store. */
  const change = async (edit: (level: ClassicLevel) => Promise<void>) => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    const level = new ClassicLevel(directory)
    await edit(level)
    await level.close()
  }
  beforeEach(async () => {
    directory = await createDirectory()
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await rm(directory, { recursive: true })
  })

  const append = async (store: Store, id: string, from: number, to: number) => {
    for (let number = from; number < to; number++) {
      expect(await store.append(id, at(number), { step: `step ${number + 1}` })).toBe(true)
    }
  }

  test('creates directories that only their user can read', async () => {
    const created = join(directory, 'a/b')
    await append(await open({ directory: created }), 'a', 0, 1)
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect(await modeOf(join(directory, 'a'))).toBe(0o700)
    expect(await modeOf(created)).toBe(0o700)
  })

  test.each([
    [
      'another format',
      'format',
      '999',
      /has the format 999, this version of petstore-sandbox reads/,
    ],
    [
      'data of version 1.0',
      'format',
      '1',
      /serve it with petstore-sandbox@1, save its worlds with/,
    ],
    [
      'the database of another program',
      'key',
      'value',
      /contains the database of another program$/,
    ],
  ])('rejects %s, and does not change it', async (_, key, value, message) => {
    await change((level) => level.put(key, value))
    const error = await open().catch((reason) => reason)
    expect(error).toBeInstanceOf(StoreError)
    expect(error.message).toMatch(message)
    await change(async (level) => {
      expect(await level.iterator().all()).toEqual([[key, value]])
    })
  })

  test.each(['damaged', 'damaged\n'])(
    'rejects a damaged database, and says what to do',
    async (text) => {
      await (await open()).close()
      await writeFile(join(directory, 'CURRENT'), text)
      await expect(open()).rejects.toThrow(
        /^\S+ is damaged: .+; restore a backup, or start with another directory$/,
      )
    },
  )

  test('reads a damaged seed as one that is missing', async () => {
    const store = await open()
    await store.saveSeed('a', () => '{}')
    const damaged = Object.assign(new Error('damaged'), { code: 'LEVEL_CORRUPTION' })
    const read = vi.spyOn(ClassicLevel.prototype, 'getSync').mockImplementation(() => {
      throw damaged
    })
    onTestFinished(() => read.mockRestore())
    expect(await store.loadSeed('a')).toBeUndefined()
  })

  test('rejects requests after it was closed', async () => {
    const store = await open()
    await store.close()
    await store.close()
    await expect(store.append('a', at(0), { step: 'step' })).rejects.toThrow(StoreError)
    await expect(store.load('a')).rejects.toThrow(StoreError)
    await expect(store.check()).rejects.toThrow(StoreError)
  })

  test('stores many worlds at the same time', async () => {
    const store = await open()
    const ids = Array.from({ length: 1100 }, (_, index) => `world ${index}`)
    for (let number = 0; number < 3; number++) {
      const appends = ids.flatMap((id) => [
        store.append(id, at(number), { step: `step ${number + 1}` }),
      ])
      expect(await Promise.all(appends)).toEqual(ids.map(() => true))
    }
    expect((await store.load('world 0'))?.version).toEqual(at(3))
  })

  test('removes unused worlds when it is opened', async () => {
    const first = await open({ now: () => 0 })
    await append(first, 'old', 0, 1)
    await first.append('old', at(1), { step: 'step 2', base: 'base' })
    await append(first, 'new', 0, 1)
    await first.close()
    const second = await open({ now: () => 5 * hourMs, keepMs: 100 * hourMs })
    await append(second, 'new', 1, 2)
    await second.close()
    const third = await open({ now: () => 12 * hourMs, keepMs: 10 * hourMs })
    await expect.poll(() => third.load('old')).toBeUndefined()
    expect((await third.load('new'))?.version).toEqual(at(2))
    await change(async (level) => {
      expect(await level.keys({ gt: 'base', lt: 'document' }).all()).toEqual([])
      expect(await level.keys({ gt: 'step!old', lt: 'step!p' }).all()).toEqual([])
    })
  })

  test('removes unused worlds every hour, but no world that is used', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let now = 0
      const store = await open({ now: () => now, keepMs: 10 * hourMs })
      await append(store, 'old', 0, 1)
      await append(store, 'new', 0, 1)
      now = 12 * hourMs
      await append(store, 'new', 1, 2)
      vi.advanceTimersByTime(hourMs)
      await vi.waitFor(async () => expect(await store.load('old')).toBeUndefined())
      expect((await store.load('new'))?.version).toEqual(at(2))
    } finally {
      vi.useRealTimers()
    }
  })

  test('returns undefined for a step that is missing, and keeps the later ones', async () => {
    await append(await open(), 'a', 0, 8)
    await change((level) => level.del('step!a!6'))
    const store = await open()
    const world = await store.load('a')
    expect(world?.version).toEqual(at(8))
    expect(world?.steps.map((step) => step !== undefined)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => number !== 6),
    )
    await append(store, 'a', 8, 9)
  })

  test('returns the base before one that is missing, and the steps since', async () => {
    const first = await open()
    await first.append('a', at(0), { step: 'step 1', base: 'base 1!' })
    await append(first, 'a', 1, 4)
    let kept: string | undefined
    await change(async (level) => {
      kept = await level.get('base!a')
    })
    const second = await open()
    await second.append('a', at(4), { step: 'step 5', base: 'base 5' })
    await append(second, 'a', 5, 7)
    // A block of the log is skipped: the batch with the step, the base and the removals.
    await change(async (level) => {
      await level.put('base!a', kept ?? '')
      for (const number of [2, 3, 4]) await level.put(`step!a!${number}`, `step ${number}`)
      await level.del('step!a!5')
    })
    const steps = ['step 2', 'step 3', 'step 4', undefined, 'step 6', 'step 7']
    const base = { number: 1, data: 'base 1!' }
    expect(await (await open()).load('a')).toEqual({ version: at(7), base, steps })
  })

  test('does not return the base of another lineage', async () => {
    const store = await open()
    await store.append('a', at(0), { step: 'step 1', base: 'base 1' })
    await change((level) => level.put('meta!a', '{"lineage":"line","number":1,"first":1,"base":1}'))
    expect((await (await open()).load('a'))?.base).toBeUndefined()
  })

  test('returns no base for one that is missing', async () => {
    const first = await open()
    await append(first, 'a', 0, 5)
    await first.append('a', at(5), { step: 'step 6', base: 'base', retained: 4 })
    await append(first, 'a', 6, 8)
    await change((level) => level.del('base!a'))
    const steps = [3, 4, 5, 6, 7, 8].map((number) => `step ${number}`)
    expect(await (await open()).load('a')).toEqual({ version: at(8), base: undefined, steps })
  })

  test('creates a world anew whose meta data is damaged', async () => {
    await append(await open(), 'a', 0, 8)
    await change((level) => level.put('meta!a', 'damaged'))
    const store = await open()
    expect(await store.load('a')).toBeUndefined()
    const version = { lineage: 'second', number: 0 }
    expect(await store.append('a', version, { step: 'step' })).toBe(true)
    const expected = { version: { ...version, number: 1 }, base: undefined, steps: ['step'] }
    expect(await store.load('a')).toEqual(expected)
  })

  test('loads the other steps if a block of a file is damaged', async () => {
    const first = await open()
    const random = createRandom(1)
    for (let number = 0; number < 100; number++) {
      await first.append('a', at(number), { step: `${number + 1} ${random.string(2000)}` })
    }
    await change((level) => level.compactRange('a', 'z'))
    await damageTables(directory)
    const store = await open()
    const world = await store.load('a')
    expect(world?.version).toEqual(at(100))
    const found = world?.steps.flatMap((step, index) => (step === undefined ? [] : [[step, index]]))
    expect(found?.length).toBeGreaterThan(0)
    expect(found?.length).toBeLessThan(100)
    for (const [step, index] of found ?? [])
      expect(step).toMatch(new RegExp(`^${Number(index) + 1} `))
    expect(await store.append('a', at(100), { step: 'next' })).toBe(true)
    expect((await store.load('a'))?.steps.at(-1)).toBe('next')
  })
})

/** Overwrites a part in the middle of each table file. */
async function damageTables(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.ldb')) continue
    const file = join(directory, name)
    const bytes = await readFile(file)
    const middle = Math.floor(bytes.length / 2)
    await writeFile(file, bytes.fill(0xff, middle, middle + 8192))
  }
}
