import { describe, expect, test } from 'vitest'
import type { PendingRequest } from '../../src/world/journal/entry.js'
import type { RequestFact } from '../../src/world/journal/facts.js'
import { Journal, takeOrder } from '../../src/world/journal/journal.js'
import { Requests } from '../../src/world/journal/requests.js'
import { entry, recordEntry } from '../support/record-entry.js'

const hasRoom = () => true

/** A journal whose listeners must not throw. */
function createJournal(capacity: number): Journal {
  return new Journal(capacity, hasRoom, (error) => {
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

  test('does not add an entry up to the last clear, or its fact, again', () => {
    const journal = createJournal(5)
    recordMany(journal, 5)
    journal.clear()
    for (const id of [4, 5, 6]) {
      const fact = { id, account: 'free', text: '' } as RequestFact // the fields that a journal reads
      journal.add({ ...entry, id }, fact, 0)
    }
    expect(idsOf(journal)).toEqual([6])
    expect(journal.facts.items.map(({ id }) => id)).toEqual([6])
    expect(journal.facts.received).toEqual(new Map([['free', 1]]))
  })

  test('with capacity 0 retains no entries and notifies its listeners', () => {
    const journal = createJournal(0)
    const heard: number[] = []
    journal.subscribe(({ id }) => heard.push(id))
    recordMany(journal, 2)
    expect([journal.size, idsOf(journal), heard]).toEqual([0, [], [1, 2]])
  })
})

describe('the number of dropped entries', () => {
  test('is that since the last clear or restart, also if no entry was loaded', () => {
    const journal = createJournal(2)
    recordMany(journal, 5)
    expect(new Requests(journal).read()).toMatchObject({ capacity: 2, dropped: 3 })
    journal.clear()
    expect(journal.dropped).toBe(0)
    recordMany(journal, 3)
    expect(journal.dropped).toBe(1)
    journal.restart()
    expect(journal.dropped).toBe(0)
    recordMany(journal, 1)
    expect(journal.dropped).toBe(0)
    // The journal of a stored world, of which the store has only the latest entry.
    const copy = createJournal(2)
    copy.add({ ...entry, id: 7 }, undefined, 0)
    expect([copy.dropped, idsOf(copy)]).toEqual([6, [7]])
  })

  test('includes the entries for which the sandbox had no room', () => {
    const hasRoomFor = (bytes: number) => journal.bytes + bytes <= 2_000
    const journal: Journal = new Journal(10, hasRoomFor, () => {})
    recordMany(journal, 10)
    expect(journal.size).toBeGreaterThan(1)
    expect(journal.dropped).toBe(10 - journal.size)
    expect(idsOf(journal).at(-1)).toBe(10)
  })
})

describe('pending requests', () => {
  const request: PendingRequest = {
    receivedAtMs: 0,
    address: 'api',
    method: 'GET',
    path: '/inventory',
    operation: 'listInventory',
    apiKey: undefined,
  }

  test('are listed by read, which first records those that were aborted', () => {
    const journal = createJournal(5)
    let isAborted = false
    journal.pending.set(request, () => {
      if (!isAborted) return
      recordEntry(journal, entry)
      journal.pending.delete(request)
    })
    expect(new Requests(journal).read()).toMatchObject({ entries: [], pending: [request] })
    isAborted = true
    // The list of entries has no side effect.
    expect(journal.entries()).toEqual([])
    expect(new Requests(journal).read()).toMatchObject({ entries: [{ id: 1 }], pending: [] })
  })
})

test('an entry counts as sent when its client can have the response', async () => {
  const journal = createJournal(5)
  recordMany(journal, 2)
  const before = takeOrder()
  await Promise.resolve()
  expect(journal.findSentBefore(before, entry.atMs)).toBe(0)
  expect(journal.findSentBefore(takeOrder(), entry.atMs)).toBe(2)
  journal.restart()
  journal.add({ ...entry, id: 9 }, undefined, 0)
  expect(journal.findSentBefore(before, entry.atMs)).toBe(9)
})
