import { describe, expect, it } from 'vitest'
import type { JournalRow } from '../../src/console/client/shapes.js'
import { everyRow, filterRows } from '../../src/console/journal/filter-rows.js'
import { keptRows, mergeRows } from '../../src/console/journal/merge-rows.js'

function row(id: number, operation: string | null = 'getPet', status = 200): JournalRow {
  return {
    id,
    at: '2026-01-01T09:00:00.000Z',
    durationMs: 1,
    environment: 'production',
    operation,
    nearestOperation: null,
    apiKey: 'sbx_free…',
    request: { method: 'GET', path: '/pets/7', query: null, headers: {}, body: null },
    response: { status, code: null, headers: {}, body: null },
    explanation: [],
    changes: [],
  }
}

const ids = (rows: readonly JournalRow[]) => rows.map(({ id }) => id)

describe('mergeRows', () => {
  it('shows the newest first and each once, whatever came first', () => {
    const listed = [row(3), row(2), row(1)]
    expect(ids(mergeRows(listed, [row(3), row(5), row(4)]))).toEqual([5, 4, 3, 2, 1])
  })

  it('keeps no more rows than the page holds, and lets the oldest go', () => {
    const many = Array.from({ length: keptRows + 5 }, (_, at) => row(at + 1))
    const merged = ids(mergeRows([], many))
    expect(merged).toHaveLength(keptRows)
    expect([merged.at(0), merged.at(-1)]).toEqual([keptRows + 5, 6])
  })
})

describe('filterRows', () => {
  const rows = [row(4, null, 404), row(3, 'getPet', 429), row(2, 'listOrders', 429), row(1)]

  it.each([
    [everyRow, [4, 3, 2, 1]],
    [{ operation: 'getPet', status: '' }, [3, 1]],
    [{ operation: 'none', status: '' }, [4]],
    [{ operation: '', status: '429' }, [3, 2]],
    [{ operation: '', status: '4xx' }, [4, 3, 2]],
    [{ operation: '', status: '4' }, [4, 3, 2]],
    [{ operation: 'getPet', status: '4xx' }, [3]],
    [{ operation: '', status: '5xx' }, []],
  ])('of %o shows the calls %o', (filter, wanted) => {
    expect(ids(filterRows(rows, filter))).toEqual(wanted)
  })

  it('finds a connection that a fault broke by its status 0', () => {
    expect(ids(filterRows([row(1, 'getPet', 0)], { operation: '', status: '0' }))).toEqual([1])
    expect(ids(filterRows([row(1, 'getPet', 0)], { operation: '', status: '0xx' }))).toEqual([])
  })
})
