import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import type { Report } from '../../src/report/report.js'
import { MemoryStore } from '../support/memory-store.js'

const headers = { Authorization: 'Bearer sbx_free_default_earlier' }
const origin = 'https://api.petstore.example'

async function open(store: MemoryStore) {
  const sandbox = await createSandbox({ store })
  const send = (path: string) => sandbox.fetch(`${origin}/v1${path}`, { headers })
  const report = async () =>
    (await (await sandbox.fetch(`${origin}/sandbox/report`, { headers })).json()) as Report
  return { sandbox, send, report, world: () => sandbox.worldFor('sbx_free_default_earlier') }
}

/** The fields of a request in the records of version 1.0: a tuple. */
const tuple = ['free', 1_772_355_600_000, 0, 12_345, 60, 59, null, 0, 1]

/** The requests in the snapshots of version 1.0, and its numbers of journal entries. */
const whole = {
  facts: { upTo: 9, received: [['free', 9]], shapes: [{ account: 'free' }], rows: 'AAAA' },
  counts: { upTo: 9, counts: [] },
}

/** Rewrites a record as version 1.0 wrote it. */
function toEarlier(text: string): string {
  const { requestFacts, ...record } = JSON.parse(text)
  if (requestFacts) record.facts = requestFacts.map(() => tuple)
  if (record.base) {
    const { requestFacts: _, ...progress } = record.base.progress
    record.base.progress = { ...progress, ...whole, clearedId: 0 }
  }
  return JSON.stringify(record)
}

test.each([
  { kind: 'exclusive', isExclusive: true },
  { kind: 'shared', isExclusive: false },
])(
  'a $kind store of version 1.0 is read, without its requests for reports',
  async ({ isExclusive }) => {
    const store = new MemoryStore(isExclusive)
    const first = await open(store)
    for (let sent = 0; sent < 4; sent += 1) await first.send('/inventory')
    const { used } = (await first.world()).quota.account('free').minute
    await first.sandbox.save()
    for (const world of store.worlds.values()) {
      expect(world.records.length).toBeGreaterThan(0)
      world.records = world.records.map(toEarlier)
    }
    const second = await open(store)
    const world = await second.world()
    expect(world.journal.entries().map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect(world.requests.count('listInventory')).toBe(4)
    expect([used, world.quota.account('free').minute.used]).toEqual([4, 4])
    expect((await second.report()).requests).toMatchObject({ received: 0, assessed: 0 })
    await second.send('/inventory')
    expect((await second.report()).requests).toMatchObject({ received: 1, assessed: 1 })
  },
)
