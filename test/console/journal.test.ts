import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/console/client/control-types.js'
import {
  emptyFilter,
  filterEntries,
  maximumEntries,
  mergeEntries,
} from '../../src/console/journal/entries.js'

function toEntry(id: number, operation: string | null = 'getPet', status = 200): JournalEntry {
  return {
    id,
    at: '2026-01-01T09:00:00.000Z',
    durationMs: 1,
    environment: 'production',
    operation,
    address: 'api',
    userHandled: false,
    nearestOperation: null,
    apiKey: 'sbx_free…',
    request: { method: 'GET', path: '/pets/7', query: null, headers: {}, body: null },
    response: { status, aborted: false, code: null, headers: {}, body: null },
    explanation: [],
    incomplete: [],
    changes: [],
  }
}

const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id)

describe('mergeEntries', () => {
  it('returns each entry once, newest first', () => {
    const listed = [toEntry(3), toEntry(2), toEntry(1)]
    expect(ids(mergeEntries(listed, [toEntry(3), toEntry(5), toEntry(4)]))).toEqual([5, 4, 3, 2, 1])
  })

  it('removes the oldest entries beyond the maximum', () => {
    const many = Array.from({ length: maximumEntries + 5 }, (_, at) => toEntry(at + 1))
    const merged = ids(mergeEntries([], many))
    expect(merged).toHaveLength(maximumEntries)
    expect([merged.at(0), merged.at(-1)]).toEqual([maximumEntries + 5, 6])
  })
})

describe('filterEntries', () => {
  const entries = [
    toEntry(4, null, 404),
    toEntry(3, 'getPet', 429),
    toEntry(2, 'listOrders', 429),
    toEntry(1),
  ]

  it.each([
    [emptyFilter, [4, 3, 2, 1]],
    [{ operation: 'getPet', status: '' }, [3, 1]],
    [{ operation: 'none', status: '' }, [4]],
    [{ operation: '', status: '429' }, [3, 2]],
    [{ operation: '', status: '4xx' }, [4, 3, 2]],
    [{ operation: '', status: '4' }, [4, 3, 2]],
    [{ operation: 'getPet', status: '4xx' }, [3]],
    [{ operation: '', status: '5xx' }, []],
  ])('for %o returns the entries %o', (filter, expected) => {
    expect(ids(filterEntries(entries, filter))).toEqual(expected)
  })

  it('matches a connection that a fault closed by the status 0', () => {
    expect(ids(filterEntries([toEntry(1, 'getPet', 0)], { operation: '', status: '0' }))).toEqual([
      1,
    ])
    expect(ids(filterEntries([toEntry(1, 'getPet', 0)], { operation: '', status: '0xx' }))).toEqual(
      [],
    )
  })
})
