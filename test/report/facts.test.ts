import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { selectFacts } from '../../src/report/to-report.js'
import type { RequestFact } from '../../src/world/journal/facts.js'
import { RequestFacts } from '../../src/world/journal/journal.js'
import { createHttpClient } from '../support/http-client.js'
import { openServer } from '../support/server.js'
import { apiUrl, messagesUrl, openClient, startMs } from './support.js'

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

test('facts drop the oldest requests beyond their maximum size', () => {
  const facts = createFacts(50_000)
  addMany(facts, 5_000)
  expect(facts.bytes).toBeLessThanOrEqual(50_000)
  expect(selectFacts(facts, 'free').received).toBe(5_000)
  expect(idsOf(facts).length).toBeGreaterThan(100)
  expect(idsOf(facts).at(-1)).toBe(5_000)
})

test('facts without room are counted, but not retained', () => {
  const facts = createFacts(10)
  addMany(facts, 10)
  expect(facts.bytes).toBe(0)
  expect(selectFacts(facts, 'free')).toEqual({ received: 10, unattributed: 0, facts: [] })
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

test('facts separate the keys, and count requests without a valid key for none', () => {
  const facts = createFacts()
  for (const [at, account] of ['free', 'pro', null, 'free'].entries()) {
    facts.add(toFact(at + 1, { account }))
  }
  expect(idsOf(facts, 'free')).toEqual([1, 4])
  expect(idsOf(facts, 'pro')).toEqual([2])
  expect(idsOf(facts, 'business')).toEqual([])
  expect(selectFacts(facts, 'free')).toMatchObject({ received: 2, unattributed: 1 })
})

test('restored facts have the same requests, and are not added again', () => {
  const facts = createFacts()
  addMany(facts, 3_000)
  const rejected = { status: 429, code: 'rate_limit_exceeded', retryAfterSeconds: 31_536_000 }
  facts.add(
    toFact(3_001, { ...rejected, connection: { number: 4, server: 1 }, traits: { lost: true } }),
  )
  const restored = createFacts()
  restored.restore(JSON.parse(JSON.stringify(facts.save())))
  expect(selectFacts(restored, 'free')).toEqual(selectFacts(facts, 'free'))
  addMany(restored, 3_001)
  expect(selectFacts(restored, 'free').facts).toHaveLength(3_001)
})

test('a bounded state has the latest requests, and the number of all', () => {
  const facts = createFacts()
  addMany(facts, 3_000)
  const state = facts.save(500)
  const restored = createFacts()
  if (state) restored.restore(state)
  expect(selectFacts(restored, 'free').received).toBe(3_000)
  expect(idsOf(restored)).toEqual(Array.from({ length: 500 }, (_, at) => 2_501 + at))
})

test('a reading does not change with later requests', () => {
  const facts = createFacts()
  addMany(facts, 10)
  const read = selectFacts(facts, 'free')
  facts.add(toFact(11))
  facts.clear()
  expect(read.facts).toHaveLength(10)
})

test('a world without requests has no facts, and a report does not change it', async () => {
  const client = await openClient()
  const before = client.world.size
  const report = await client.report()
  expect(report).toMatchObject({
    requests: { received: 0, assessed: 0, firstAt: null, lastAt: null },
    smallestPlan: 'free',
    timeline: { startAt: null, intervals: [] },
  })
  expect(client.world.size).toBe(before)
  expect(client.world.journal.size).toBe(0)
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

test('in process, a fact has the order of arrivals and responses, and no connection', async () => {
  const client = await openClient()
  await client.send('/inventory')
  await client.send('/inventory')
  await Promise.all([client.send('/pets/1'), client.send('/pets/2')])
  await client.send('/nowhere')
  const facts = client.world.journal.facts.items
  expect(facts.map(({ id, afterId }) => [id, afterId])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 4],
  ])
  expect(facts.every(({ connection }) => connection === undefined)).toBe(true)
})

test('in process and through msw, requests at the same time arrive before each response', async () => {
  const { sandbox, world, send } = await openClient()
  const server = setupServer(...sandbox.handlers)
  const headers = { Authorization: 'Bearer sbx_free_default_report' }
  const body = { method: 'PATCH', body: '{"quantity":1}' }
  const json = { 'Content-Type': 'application/json' }
  const sendBy = async (sendOne: (path: string, init?: RequestInit) => Promise<unknown>) => {
    await Promise.all([
      sendOne('/inventory'),
      sendOne('/inventory/1', { ...body, headers: { ...headers, ...json } }),
      sendOne('/pets/1'),
      sendOne('/nowhere'),
    ])
    await sendOne('/inventory')
  }
  await sendBy(send)
  server.listen({ onUnhandledRequest: 'error' })
  try {
    await sendBy((path, init) => fetch(`${apiUrl}${path}`, { headers, ...init }))
  } finally {
    server.close()
  }
  const facts = world.journal.facts.items
  expect(facts.map(({ afterId }) => afterId)).toEqual([0, 0, 0, 0, 4, 5, 5, 5, 5, 9])
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

test('over HTTP, a fact has the number of its connection, which no other server has', async () => {
  const key = 'sbx_free_default_numbers'
  const numbers: (number | undefined)[] = []
  for (let opened = 0; opened < 2; opened += 1) {
    const { sandbox, url } = await openServer()
    const client = createHttpClient(url)
    for (let sent = 0; sent < 2; sent += 1) await client('GET /v1/inventory', { key })
    const world = await sandbox.worldFor(key)
    numbers.push(...world.journal.facts.items.map(({ connection }) => connection?.number))
  }
  expect(numbers).toHaveLength(4)
  expect(new Set(numbers).size).toBe(4)
  expect(numbers.every(Number.isSafeInteger)).toBe(true)
})

test('the text of a request has what a client repeats, shortened, and no credentials', async () => {
  const client = await openClient()
  const secret = 'sbx_pro_default_very-secret'
  const message = `${secret} ${'x'.repeat(5_000)}`
  const body = JSON.stringify({ message, token: 'abcdef' })
  await client.send(`/inventory?page=2&token=abcdef&key=${secret}`, { headers: { Prefer: secret } })
  const post = () => client.send(messagesUrl, { method: 'POST', body })
  await post()
  await post()
  await client.send(messagesUrl, { method: 'POST', body: body.replace(' x', ' y') })
  const [first, ...others] = client.world.journal.facts.items.map(({ text }) => text)
  expect(first).toMatch(/^GET api\/inventory \?page=2&token=…&key=…$/)
  expect(others[1]).toBe(others[0])
  expect(others[2]).not.toBe(others[0])
  const all = JSON.stringify([first, ...others])
  expect(all).not.toContain('very-secret')
  expect(all).not.toContain('abcdef')
  expect(all.length).toBeLessThan(4 * 1_000)
})
