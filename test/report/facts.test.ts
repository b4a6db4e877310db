import { expect, test } from 'vitest'
import { selectFacts } from '../../src/report/to-report.js'
import type { RequestFact } from '../../src/world/journal/facts.js'
import { RequestFacts } from '../../src/world/journal/journal.js'
import { openClient, startMs } from './support.js'

const mebibyte = 2 ** 20

function createFacts(maximumBytes = 4 * mebibyte) {
  return new RequestFacts((bytes, retained) => retained + bytes <= maximumBytes)
}

function toFact(id: number, fields: Partial<RequestFact> = {}): RequestFact {
  return {
    id,
    afterId: id - 1,
    arrivedAtMs: startMs + id * 1_000 - 5,
    atMs: startMs + id * 1_000,
    realAtMs: startMs + id * 1_000,
    waitedMs: 5,
    account: 'free',
    apiKey: 'sbx_free…',
    operation: 'listInventory',
    method: 'GET',
    text: 'GET api/inventory',
    status: 200,
    limit: 60,
    remaining: 59,
    revision: 7,
    traits: { metered: true },
    ...fields,
  }
}

/** Adds requests, one each second. */
function addMany(facts: RequestFacts, count: number) {
  for (let id = 1; id <= count; id += 1) facts.add(toFact(id))
}

function idsOf(facts: RequestFacts, account = 'free'): number[] {
  return selectFacts(facts, account).facts.map(({ id }) => id)
}

test('facts retain the latest 10,000 requests, and the number of all', () => {
  const facts = createFacts()
  addMany(facts, 15_000)
  expect(selectFacts(facts, 'free').received).toBe(15_000)
  expect(idsOf(facts)).toEqual(Array.from({ length: 10_000 }, (_, at) => 5_001 + at))
  expect(facts.bytes).toBeLessThan(4 * mebibyte)
  facts.clear()
  expect(facts.bytes).toBe(0)
  expect(selectFacts(facts, 'free')).toEqual({ received: 0, unattributed: 0, facts: [] })
})

test('facts account for each text, which clients choose', () => {
  const facts = createFacts()
  for (let id = 1; id <= 20_000; id += 1)
    facts.add(toFact(id, { text: `${id} ${'x'.repeat(990)}` }))
  expect(facts.bytes).toBeGreaterThan(3 * mebibyte)
  expect(facts.bytes).toBeLessThanOrEqual(4 * mebibyte)
  const texts = facts.items.map(({ text }) => text)
  expect(texts).not.toContain(`1 ${'x'.repeat(990)}`)
  expect(texts.at(-1)).toBe(`20000 ${'x'.repeat(990)}`)
})

test('a report assesses 10,000 requests, in at most 120 intervals', async () => {
  const { world } = await openClient()
  addMany(world.journal.facts, 10_000)
  const { requests, timeline } = await world.report()
  expect(requests.assessed).toBe(10_000)
  expect(timeline.intervals.length).toBeLessThanOrEqual(120)
  const sum = timeline.intervals.reduce((total, { succeeded }) => total + succeeded, 0)
  expect(sum).toBe(10_000)
})

test('a delayed request has arrived before the responses that overtake it', async () => {
  let wake = () => {}
  const sleep = () => new Promise<void>((resolve) => (wake = resolve))
  const client = await openClient('default', { sleep })
  client.world.faults.add({ type: 'delay', delayMs: 1_000, atMost: 1 })
  const slow = client.send('/inventory')
  await client.send('/pets/1')
  await client.send('/pets/2')
  wake()
  await slow
  const facts = client.world.journal.facts.items
  expect(facts.map(({ operation, id, afterId }) => [operation, id, afterId])).toEqual([
    ['getPet', 1, 0],
    ['getPet', 2, 1],
    ['listInventory', 3, 0],
  ])
})
