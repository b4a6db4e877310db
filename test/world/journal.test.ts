import { describe, expect, test } from 'vitest'
import { Journal, type JournalEntry } from '../../src/world/journal/journal.js'

const call: Omit<JournalEntry, 'id'> = {
  atMs: 0,
  durationMs: 1,
  environment: 'production',
  address: 'api',
  method: 'GET',
  path: '/inventory',
  query: '',
  operation: 'listInventory',
  apiKey: 'sbx_free…',
  requestHeaders: [],
  requestBody: undefined,
  status: 200,
  code: undefined,
  responseHeaders: [],
  responseBody: '[]',
  explanation: [],
  changes: [],
}

function recordMany(journal: Journal, count: number): void {
  for (let number = 0; number < count; number++) journal.record(call)
}

function idsOf(journal: Journal): number[] {
  return journal.entries().map(({ id }) => id)
}

describe('journal', () => {
  test('retains the newest entries up to its capacity, oldest first', () => {
    const journal = new Journal(3)
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

  test('record assigns an id and returns the entry', () => {
    const journal = new Journal(3)
    journal.record(call)
    expect(journal.record({ ...call, status: 404 })).toEqual({ ...call, status: 404, id: 2 })
  })

  test('clear removes the entries and continues the ids', () => {
    const journal = new Journal(2)
    recordMany(journal, 5)
    journal.clear()
    expect([journal.size, idsOf(journal)]).toEqual([0, []])
    recordMany(journal, 3)
    expect(idsOf(journal)).toEqual([7, 8])
  })

  test('calls every listener with each entry until it unsubscribes', () => {
    const journal = new Journal(1)
    const heard: string[] = []
    const stop = journal.subscribe(({ id }) => heard.push(`a${id}`))
    journal.subscribe(({ id }) => heard.push(`b${id}`))
    recordMany(journal, 2)
    stop()
    recordMany(journal, 1)
    expect(heard).toEqual(['a1', 'b1', 'a2', 'b2', 'b3'])
  })

  test('with a capacity of 0 retains nothing and still calls listeners', () => {
    const journal = new Journal(0)
    const heard: number[] = []
    journal.subscribe(({ id }) => heard.push(id))
    recordMany(journal, 2)
    expect([journal.size, idsOf(journal), heard]).toEqual([0, [], [1, 2]])
  })

  test('entries returns a copy', () => {
    const journal = new Journal(2)
    recordMany(journal, 2)
    const entries = journal.entries()
    recordMany(journal, 1)
    expect(entries.map(({ id }) => id)).toEqual([1, 2])
  })
})
