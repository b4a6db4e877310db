import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/console/control-types.js'
import { emptyFilter, matchesFilter } from '../../src/console/journal/filter.js'
import { maximumBars, toBars } from '../../src/console/journal/timeline.js'
import {
  addEntries,
  type LoadedJournal,
  loadJournal,
  maximumEntries,
} from '../../src/console/journal/use-journal.js'
import { PageClient } from '../../src/console/session/client.js'
import { createSandbox } from '../../src/index.js'
import { createEntry, type EntryFields, origin, readServed } from './support.js'

const toEntry = (id: number, fields: EntryFields = {}, status = 200, path = '/pets/7') => {
  const request = { method: 'GET', path }
  const response = { status }
  const at = '2026-01-01T09:00:00.000Z'
  return createEntry({ id, at, operation: 'getPet', explanation: [], request, response, ...fields })
}

const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id)
const newestFirst = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, at) => toEntry(newest - at))

describe('a filter', () => {
  const entries = [
    toEntry(6, { at: '2026-01-01T09:00:09.999Z' }, 0),
    toEntry(5, { explanation: ['preference: code=404'] }, 404),
    toEntry(4, { operation: null }, 404, '/inventroy'),
    toEntry(3, {}, 429),
    toEntry(2, { operation: 'listOrders', at: '2026-01-01T09:00:10.000Z' }, 429),
    toEntry(1, { at: '2025-12-31T23:59:59.500Z' }),
  ]

  it.each([
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ operation: 'listOrders' }, [2]],
    [{ operation: 'none' }, [4]],
    [{ status: '429 ' }, [3, 2]],
    [{ status: '4xx' }, [5, 4, 3, 2]],
    [{ status: '42' }, [3, 2]],
    [{ status: '5xx' }, []],
    [{ status: '0' }, [6]],
    [{ status: '0xx' }, []],
    [{ text: 'GET /INVENTROY' }, [4]],
    [{ text: 'code=404' }, [5]],
    [{ text: 'no such text' }, []],
    [{ from: '2026-01-01T09:00:10' }, [2]],
    [{ to: '2025-12-31T23:59:59' }, [1]],
    [{ from: '2026-01-01T09:00', to: '2026-01-01T09:00' }, [5, 4, 3]],
    [{ from: '2026-01-01T09:00:09', to: '2026-01-01T09:00:09' }, [6]],
    [{ operation: 'getPet', status: '4xx', text: 'pets' }, [5, 3]],
  ])('for %o matches the entries %o', (fields, expected) => {
    const filter = { ...emptyFilter, ...fields }
    expect(ids(entries.filter((entry) => matchesFilter(entry, filter)))).toEqual(expected)
  })
})

describe('toBars', () => {
  const at = (ms: number) => new Date(Date.parse('2026-01-01T09:00:00Z') + ms).toISOString()
  const none = { succeeded: 0, clientErrors: 0, rateLimited: 0, serverErrors: 0, broken: 0 }

  it('counts the kinds of responses in intervals, also empty ones', () => {
    const { bars, stepMs } = toBars([
      toEntry(4, { at: at(2_200) }, 0),
      toEntry(3, { at: at(999) }, 503),
      toEntry(2, { at: at(500) }, 429),
      toEntry(1, { at: at(0) }, 404),
      toEntry(0, { at: at(0) }),
    ])
    expect(stepMs).toBe(1_000)
    expect(bars.map(({ counts }) => counts)).toEqual([
      { ...none, succeeded: 1, clientErrors: 1, rateLimited: 1, serverErrors: 1 },
      none,
      { ...none, broken: 1 },
    ])
  })

  it.each([0, 39_999, 40_000, 3_600_000, 90 * 86_400_000, 7_900 * 365.25 * 86_400_000])(
    'covers %i ms with few bars, also if the clock ran backwards',
    (ms) => {
      const { bars, stepMs } = toBars([toEntry(2, { at: at(0) }), toEntry(1, { at: at(ms) })])
      expect(bars.length).toBeLessThanOrEqual(maximumBars)
      expect(bars.reduce((sum, { counts }) => sum + counts.succeeded, 0)).toBe(2)
      expect(stepMs % 1_000).toBe(0)
    },
  )

  it('has no bars without entries', () => {
    expect(toBars([]).bars).toEqual([])
  })
})

describe('the journal', () => {
  const apiKey = 'sbx_enterprise_default_loader'

  /** Sends requests to a world. Returns a function that loads its journal, and its queries. */
  async function open(journalCapacity: number, count: number) {
    const sandbox = await createSandbox({ journalCapacity, controlUrl: `${origin}/sandbox` })
    const { control } = readServed()
    const queries: string[] = []
    const client = new PageClient(control, { apiKey, environment: 'production' }, (url, init) => {
      queries.push(new URL(url).search)
      return sandbox.fetch(url, init)
    })
    for (let sent = 0; sent < count; sent++) {
      await sandbox.fetch('https://api.petstore.example/v1/inventory', {
        headers: { Authorization: `Bearer ${apiKey}` },
      })
    }
    const load = async () => {
      const parts: LoadedJournal[] = []
      for await (const part of loadJournal(client)) parts.push(part)
      return parts
    }
    return { load, queries }
  }

  it('has all entries that the sandbox retains, loaded in parts, and counts the others', async () => {
    const { load, queries } = await open(600, 700)
    const parts = await load()
    expect(parts.map(({ entries, isComplete }) => [entries.length, isComplete])).toEqual([
      [250, false],
      [500, false],
      [600, true],
    ])
    expect(ids(parts[2]?.entries ?? [])).toEqual(ids(newestFirst(700, 101)))
    expect(parts[2]).toMatchObject({ received: 700, retained: 600 })
    expect(queries).toEqual(['?limit=250', '?limit=250&before=451', '?limit=250&before=201'])
  })

  it('has each entry that arrives once, in the order of the ids, up to the capacity', async () => {
    const { load } = await open(4, 2)
    const [loaded] = await load()
    if (!loaded) throw new Error('the journal was not loaded')
    const added = addEntries(addEntries(loaded, [toEntry(4)]), [toEntry(4), toEntry(3)])
    expect([ids(added.entries), added.received]).toEqual([[4, 3, 2, 1], 4])
    expect(ids(addEntries(added, newestFirst(6, 5)).entries)).toEqual([6, 5, 4, 3])
  })

  it('has the newest entries of a larger journal', async () => {
    const { load } = await open(maximumEntries + 300, 1)
    const [loaded] = await load()
    if (!loaded) throw new Error('the journal was not loaded')
    const { entries } = addEntries(loaded, newestFirst(maximumEntries + 200, 1))
    expect(entries).toHaveLength(maximumEntries)
    expect(entries[0]?.id).toBe(maximumEntries + 200)
  })
})
