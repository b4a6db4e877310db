import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/console/control-types.js'
import {
  emptyFilter,
  hasFields,
  matchesFilter,
  readSecond,
} from '../../src/console/journal/filter.js'
import { maximumBars, toBars } from '../../src/console/journal/timeline.js'
import {
  JournalLoader,
  type LoadedJournal,
  maximumEntries,
} from '../../src/console/journal/use-journal.js'
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
    const filter = { ...emptyFilter, ...fields }
    expect(ids(entries.filter((entry) => matchesFilter(entry, filter)))).toEqual(expected)
  })

  it('of the panel has only the operation and the status', () => {
    const filter = { ...emptyFilter, status: '429', text: 'no such text' }
    expect(ids(entries.filter((entry) => hasFields(entry, filter)))).toEqual([3, 2])
  })

  it('reads the value of an input without seconds', () => {
    expect(readSecond('2026-01-01T09:00')).toBe('2026-01-01T09:00:00')
    expect(readSecond('2026-01-01T09:00:01.5')).toBe('2026-01-01T09:00:01')
    expect(readSecond('')).toBe('')
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

describe('JournalLoader', () => {
  const apiKey = 'sbx_enterprise_default_loader'

  async function open(journalCapacity: number) {
    const sandbox = await createSandbox({ journalCapacity, controlUrl: `${origin}/sandbox` })
    const { control } = readServed()
    const queries: string[] = []
    const client = new PageClient(control, { apiKey, environment: 'production' }, (url, init) => {
      queries.push(new URL(url).search)
      return sandbox.fetch(url, init)
    })
    const loader = new JournalLoader(client)
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
    expect(queries).toEqual(['?limit=250', '?limit=250&before=451', '?limit=250&before=201'])
  })

  it('keeps what it has while it loads all again', async () => {
    const { loader, read, send } = await open(1_000)
    await send(600)
    await loader.load()
    const lengths: number[] = []
    const { onChange } = loader
    loader.onChange = (journal) => {
      onChange(journal)
      lengths.push(journal.entries.length)
    }
    await send(20)
    await loader.load()
    expect(new Set(lengths)).toEqual(new Set([620]))
    expect([read().received, read().isComplete]).toEqual([620, true])
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

  it('has the newest entries of a larger journal', async () => {
    const { loader, read, sandbox, world } = await open(maximumEntries + 300)
    world.clock.freeze('2026-01-01T09:00:00Z')
    await sandbox.fetch('https://api.petstore.example/v1/inventory')
    await loader.load()
    loader.add(newestFirst(maximumEntries + 200, 1))
    expect(read().entries).toHaveLength(maximumEntries)
    expect(read().entries[0]?.id).toBe(maximumEntries + 200)
  })
})
