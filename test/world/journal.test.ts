import { describe, expect, test } from 'vitest'
import { type EntryCount, Journal, type RecordedEntry } from '../../src/world/journal/journal.js'
import { MemoryAccount } from '../../src/world/memory-account.js'
import { recordEntry } from '../support/record-entry.js'

const entry: Omit<RecordedEntry, 'id'> = {
  requestId: '1xzwr05-1',
  atMs: 0,
  durationMs: 1,
  environment: 'production',
  address: 'api',
  method: 'GET',
  path: '/inventory',
  query: '',
  isUserHandled: false,
  operation: 'listInventory',
  nearestOperation: undefined,
  apiKey: 'sbx_free…',
  requestHeaders: [],
  requestBody: undefined,
  status: 200,
  aborted: false,
  code: undefined,
  responseHeaders: [],
  responseBody: '[]',
  explanation: [],
  changes: [],
}

function createMemory(limit = 16_777_216): MemoryAccount {
  return new MemoryAccount({ owner: 'this world', limit })
}

/** A journal whose listeners must not throw. */
function createJournal(capacity: number): Journal {
  return new Journal(capacity, createMemory(), (error) => {
    throw error
  })
}

function recordMany(journal: Journal, count: number): void {
  for (let number = 0; number < count; number++) recordEntry(journal, entry)
}

function idsOf(journal: Journal): number[] {
  return journal.entries().map(({ id }) => id)
}

describe('journal', () => {
  test('retains the newest entries up to its capacity and returns them oldest first', () => {
    const journal = createJournal(3)
    expect(idsOf(journal)).toEqual([])
    recordMany(journal, 2)
    expect(idsOf(journal)).toEqual([1, 2])
    recordMany(journal, 1)
    expect(idsOf(journal)).toEqual([1, 2, 3])
    recordMany(journal, 1)
    expect(idsOf(journal)).toEqual([2, 3, 4])
    recordMany(journal, 100)
    expect(idsOf(journal)).toEqual([102, 103, 104])
    expect(journal.size).toBe(3)
  })

  test('removes its entries on clear and continues the ids', () => {
    const journal = createJournal(2)
    recordMany(journal, 5)
    journal.clear()
    expect([journal.size, idsOf(journal)]).toEqual([0, []])
    recordMany(journal, 3)
    expect(idsOf(journal)).toEqual([7, 8])
  })

  test('notifies each listener of new entries until it is removed', () => {
    const journal = createJournal(1)
    const heard: string[] = []
    const stop = journal.subscribe(({ id }) => heard.push(`a${id}`))
    journal.subscribe(({ id }) => heard.push(`b${id}`))
    recordMany(journal, 2)
    stop()
    recordMany(journal, 1)
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'b3'])
  })

  test('with capacity 0 retains no entries and notifies its listeners', () => {
    const journal = createJournal(0)
    const heard: number[] = []
    journal.subscribe(({ id }) => heard.push(id))
    recordMany(journal, 2)
    expect([journal.size, idsOf(journal), heard]).toEqual([0, [], [1, 2]])
  })

  test('returns a copy of its list', () => {
    const journal = createJournal(2)
    recordMany(journal, 2)
    const entries = journal.entries()
    recordMany(journal, 1)
    expect(entries.map(({ id }) => id)).toEqual([1, 2])
  })

  test('reports the error of a listener and notifies the other listeners', () => {
    const reported: unknown[] = []
    const journal = new Journal(1, createMemory(), (error) => reported.push(error))
    const heard: number[] = []
    journal.subscribe(() => {
      throw new Error('thrown by a listener')
    })
    journal.subscribe(({ id }) => heard.push(id))
    recordMany(journal, 1)
    expect([heard, idsOf(journal)]).toEqual([[1], [1]])
    expect(reported).toEqual([
      new Error('a listener of the sandbox threw an error', {
        cause: new Error('thrown by a listener'),
      }),
    ])
  })
})

describe('the counts of a journal', () => {
  const read = ({ counts }: Journal) =>
    counts.list().map(({ status, count, isMixed }) => [isMixed ? 'mixed' : status, count])

  test('include the entries that are not retained', () => {
    const journal = createJournal(2)
    recordMany(journal, 5)
    recordEntry(journal, { ...entry, status: 404 })
    recordEntry(journal, entry)
    expect(read(journal)).toEqual([
      [200, 6],
      [404, 1],
    ])
    journal.clear()
    expect(read(journal)).toEqual([])
  })

  test('use little memory, however many kinds of requests there are', () => {
    const memory = createMemory()
    const journal = new Journal(0, memory, () => {})
    for (let number = 0; number < 10_000; number++) {
      recordEntry(journal, {
        ...entry,
        operation: undefined,
        method: `M${number}`,
        code: `c${number}`,
      })
    }
    const counts = journal.counts.list()
    expect(counts).toHaveLength(65)
    expect(counts.at(-1)).toMatchObject({ isMixed: true, count: 9_936 })
    expect(memory.used).toBeLessThan(32_768)
    // Without the limit, each of them would be retained.
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(10_000)
    journal.restart()
    expect(memory.used).toBe(0)
  })

  test('are mixed if there is no memory for another one', () => {
    const journal = new Journal(0, createMemory(0), () => {})
    recordMany(journal, 3)
    expect(read(journal)).toEqual([['mixed', 3]])
  })

  test('continue after they were saved and restored, and count no entry twice', () => {
    const journal = createJournal(2)
    recordMany(journal, 5)
    const state: { upTo: number; counts: readonly EntryCount[] } = JSON.parse(
      JSON.stringify(journal.counts.save()),
    )
    const copy = createJournal(2)
    copy.restoreCounts(state)
    for (const known of journal.entries()) copy.load(known)
    copy.load({ ...entry, id: 6 })
    expect(read(copy)).toEqual([[200, 6]])
  })
})
