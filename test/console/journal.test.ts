import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/console/control-types.js'
import { addEntries, estimateSize, noEntries } from '../../src/console/journal/entries.js'
import { emptyFilter } from '../../src/console/journal/filter.js'
import { pageSize } from '../../src/console/journal/journal-panel.js'
import { JournalLoader, type LoadedJournal } from '../../src/console/journal/loader.js'
import { findPageStart } from '../../src/console/journal/pager.js'
import { EntrySearch } from '../../src/console/journal/search.js'
import { readSecond } from '../../src/console/journal/text-and-time.js'
import { describeBar, maximumBars, toTimeline } from '../../src/console/journal/timeline.js'
import { PageClient } from '../../src/console/session/client.js'
import { createSandbox } from '../../src/index.js'
import { origin, readServed } from './support.js'

function toEntry(
  id: number,
  fields: Partial<JournalEntry> = {},
  status = 200,
  path = '/pets/7',
): JournalEntry {
  return {
    id,
    requestId: '1xzwr05-1',
    at: '2026-01-01T09:00:00.000Z',
    durationMs: 1,
    environment: 'production',
    operation: 'getPet',
    address: 'api',
    userHandled: false,
    nearestOperation: null,
    apiKey: 'sbx_free…',
    request: { method: 'GET', path, query: null, headers: {}, body: null },
    response: { status, aborted: false, code: null, headers: {}, body: null },
    explanation: [],
    incomplete: [],
    changes: [],
    ...fields,
  }
}

const ids = (entries: readonly JournalEntry[]) => entries.map(({ id }) => id)
const newestFirst = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, at) => toEntry(newest - at))
const wide = { capacity: 1_000, size: 10_000_000 }

describe('addEntries', () => {
  it.each([
    ['newer', [6, 7], [7, 6, 5, 4, 3]],
    ['older', [1, 2], [5, 4, 3, 2, 1]],
    ['newer, older and known', [5, 7, 2, 4, 7], [7, 5, 4, 3, 2]],
    ['no', [], [5, 4, 3]],
  ])('adds %s entries once, newest first', (_, added, expected) => {
    const before = addEntries(noEntries, newestFirst(5, 3), wide)
    const after = addEntries(
      before,
      added.map((id) => toEntry(id)),
      wide,
    )
    expect(ids(after.entries)).toEqual(expected)
    expect(after.entries.find(({ id }) => id === 4)).toBe(before.entries[1])
    expect(after.size).toBe(after.entries.reduce((sum, entry) => sum + estimateSize(entry), 0))
  })

  it('removes the oldest entries beyond the capacity of the journal', () => {
    const { entries, isFull } = addEntries(noEntries, newestFirst(5, 1), { ...wide, capacity: 2 })
    expect(ids(entries)).toEqual([5, 4])
    expect(isFull).toBe(false)
  })

  it('removes the oldest entries beyond the size, and says so', () => {
    const bounds = { ...wide, size: 3 * estimateSize(toEntry(1)) }
    const full = addEntries(noEntries, newestFirst(5, 1), bounds)
    expect(ids(full.entries)).toEqual([5, 4, 3])
    expect(full.isFull).toBe(true)
    const large = toEntry(6, {}, 200, 'x'.repeat(2_000))
    const onlyLarge = { ...bounds, size: estimateSize(large) }
    expect(ids(addEntries(full, [large], onlyLarge).entries)).toEqual([6])
  })
})

describe('findPageStart', () => {
  it('keeps the page that begins with an entry while others arrive and are removed', () => {
    const entries = newestFirst(200, 1)
    expect(findPageStart(entries)).toBe(0)
    expect(findPageStart(entries, 150)).toBe(50)
    expect(findPageStart(newestFirst(230, 101), 150)).toBe(80)
    expect(findPageStart(newestFirst(400, 301), 150)).toBe(100 - pageSize)
  })
})

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
    [{ status: '429' }, [3, 2]],
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
    [{ from: '2026-01-01T09:00:09', to: '2026-01-01T09:00:09' }, [6]],
    [{ operation: 'getPet', status: '4xx', text: 'pets' }, [5, 3]],
  ])('for %o matches the entries %o', (fields, expected) => {
    const search = new EntrySearch({ ...emptyFilter, ...fields })
    expect(ids(search.find(entries, () => true).matches)).toEqual(expected)
  })

  it('reads the value of an input without seconds', () => {
    expect(readSecond('2026-01-01T09:00')).toBe('2026-01-01T09:00:00')
    expect(readSecond('2026-01-01T09:00:01.5')).toBe('2026-01-01T09:00:01')
    expect(readSecond('')).toBe('')
  })
})

describe('EntrySearch', () => {
  const isWanted = ({ id }: JournalEntry) => id % 3 === 0
  const toStatus = (entry: JournalEntry) =>
    isWanted(entry) ? { ...entry, response: { ...entry.response, status: 429 } } : entry
  const all = newestFirst(100, 1).map(toStatus)
  const filter = { ...emptyFilter, status: '429' }
  const limit = (count: number) => {
    let left = count
    return () => left-- > 0
  }

  it('finds the same entries as a search of all, however the list changes and however short a part is', () => {
    const search = new EntrySearch(filter)
    const lists = [
      [60, 40],
      [70, 40],
      [70, 10],
      [90, 30],
      [100, 30],
      [100, 1],
      [100, 95],
    ] as const
    for (const [newest, oldest] of lists) {
      const entries = all.slice(100 - newest, 101 - oldest)
      let result = search.find(entries, limit(7))
      for (let part = 0; !result.isDone && part < 50; part++)
        result = search.find(entries, limit(7))
      expect(result.isDone).toBe(true)
      expect(ids(result.matches)).toEqual(ids(entries.filter(isWanted)))
    }
  })

  it('examines each entry once', () => {
    let examined = 0
    const count = () => {
      examined += 1
      return true
    }
    const search = new EntrySearch(filter)
    search.find(all.slice(50), count)
    search.find(all.slice(40), count)
    search.find(all.slice(40), count)
    expect(examined).toBe(60)
  })

  it('starts again if other entries replace the list', () => {
    const search = new EntrySearch(filter)
    search.find(all, () => true)
    expect(search.find(newestFirst(100, 1), () => true).matches).toEqual([])
    expect(search.find([], () => true)).toEqual({ matches: [], isDone: true })
  })
})

describe('toTimeline', () => {
  const at = (ms: number) => new Date(Date.parse('2026-01-01T09:00:00Z') + ms).toISOString()

  it('counts the classes of statuses in intervals, also empty ones', () => {
    const { bars, stepMs, highest } = toTimeline([
      toEntry(4, { at: at(3_200) }, 0),
      toEntry(3, { at: at(999) }, 503),
      toEntry(2, { at: at(500) }, 404),
      toEntry(1, { at: at(0) }),
    ])
    expect([bars.map(({ total }) => total), stepMs, highest]).toEqual([[3, 0, 0, 1], 1_000, 3])
    expect(bars.filter(({ total }) => total > 0).map(describeBar)).toEqual([
      '3 requests: 1 with 2xx, 1 with 4xx, 1 with 5xx',
      '1 request: 1 broken connections',
    ])
  })

  it.each([0, 39_999, 40_000, 3_600_000, 90 * 86_400_000, 7_900 * 365.25 * 86_400_000])(
    'covers %i ms with few bars, also if the clock ran backwards',
    (ms) => {
      const { bars, stepMs } = toTimeline([toEntry(2, { at: at(0) }), toEntry(1, { at: at(ms) })])
      expect(bars.length).toBeLessThanOrEqual(maximumBars)
      expect(bars.reduce((sum, { total }) => sum + total, 0)).toBe(2)
      expect(stepMs % 1_000).toBe(0)
    },
  )

  it('has no bars without entries', () => {
    expect(toTimeline([]).bars).toEqual([])
  })
})

describe('JournalLoader', () => {
  const apiKey = 'sbx_enterprise_default_loader'

  async function open(journalCapacity: number, size?: number) {
    const sandbox = await createSandbox({ journalCapacity, controlUrl: `${origin}/sandbox` })
    const { control } = readServed()
    const queries: string[] = []
    const client = new PageClient(control, { apiKey, environment: 'production' }, (url, init) => {
      queries.push(new URL(url).search)
      return sandbox.fetch(url, init)
    })
    const loader = new JournalLoader(client, size)
    const read = (): LoadedJournal => latest
    let latest: LoadedJournal
    loader.onChange = (journal) => {
      latest = journal
    }
    const world = await sandbox.worldFor(apiKey)
    const send = async (count: number) => {
      for (let sent = 0; sent < count; sent++) {
        await sandbox.fetch('https://api.petstore.example/v1/inventory', {
          headers: { Authorization: `Bearer ${apiKey}` },
        })
      }
    }
    return { sandbox, world, loader, read, send, queries }
  }

  it('loads all entries that the sandbox retains, in parts, and counts the others', async () => {
    const { loader, read, send, queries } = await open(600)
    await send(700)
    await loader.load()
    expect(ids(read().entries)).toEqual(ids(newestFirst(700, 101)))
    expect(read()).toMatchObject({ received: 700, retained: 600, isComplete: true })
    expect(queries).toEqual(['?limit=250', '?before=451&limit=250', '?before=201&limit=250'])
  })

  it('loads only what is missing', async () => {
    const { loader, read, send, queries } = await open(600)
    await send(300)
    await loader.load()
    const [known] = read().entries
    await send(20)
    queries.length = 0
    await loader.load()
    expect(queries).toEqual(['?limit=250'])
    expect(read().entries).toHaveLength(320)
    expect(read().entries[20]).toBe(known)
    expect(read().received).toBe(320)
  })

  it('does not keep entries of a journal that was cleared, or of a world that restarted', async () => {
    const { loader, read, send, world } = await open(600)
    await send(5)
    await loader.load()
    world.requests.clear()
    await send(1)
    await loader.load()
    expect(ids(read().entries)).toEqual([6])
    expect(read().received).toBe(1)
    await world.reset()
    await send(6)
    await loader.load()
    expect(ids(read().entries)).toEqual([12, 11, 10, 9, 8, 7])
    expect(read().received).toBe(6)
  })

  it('does not keep an entry that arrived before its world restarted', async () => {
    const { loader, read, send, world } = await open(600)
    await send(1)
    await world.reset()
    const loading = loader.load()
    loader.add([toEntry(1)])
    await loading
    await loader.load()
    expect([read().entries, read().received]).toEqual([[], 0])
  })

  it('loads all again if entries between the known and the newest ones are missing', async () => {
    const { loader, read, send } = await open(1_000)
    await send(3)
    await loader.load()
    await send(400)
    await loader.load()
    expect(ids(read().entries)).toEqual(ids(newestFirst(403, 1)))
  })

  it('keeps entries that arrive while others are loaded', async () => {
    const { loader, read, send } = await open(1_000)
    await send(2)
    const loading = loader.load()
    loader.add([toEntry(3)])
    await loading
    loader.add([toEntry(4), toEntry(3)])
    expect(ids(read().entries)).toEqual([4, 3, 2, 1])
    expect(read().received).toBe(4)
  })

  it('stops where its room ends, and says so', async () => {
    const { loader, read, send } = await open(1_000, 600_000)
    await send(600)
    await loader.load()
    expect(read()).toMatchObject({ isFull: true, isComplete: true, retained: 600, received: 600 })
    expect(read().entries.length).toBeLessThan(600)
    expect(read().entries[0]?.id).toBe(600)
  })
})
