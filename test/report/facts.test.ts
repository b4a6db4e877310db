import { expect, test } from 'vitest'
import { toReport } from '../../src/report/to-report.js'
import { complete } from '../../src/service/validation/slices.js'
import { type FactFields, factFlags } from '../../src/world/journal/fact-fields.js'
import { readFacts } from '../../src/world/journal/fact-reader.js'
import { factBytes, RequestFacts, retainedFacts } from '../../src/world/journal/facts.js'
import { MemoryAccount } from '../../src/world/memory-account.js'
import { openClient, startMs } from './support.js'

const mebibyte = 2 ** 20

function createMemory(limit = 16 * mebibyte): MemoryAccount {
  return new MemoryAccount({ owner: 'this world', limit })
}

function createFacts(limit?: number): RequestFacts {
  return new RequestFacts(createMemory(limit))
}

const entry = {
  apiKey: 'sbx_free…',
  environment: 'production',
  address: 'api',
  operation: 'listInventory',
  method: 'GET',
  status: 200,
  aborted: false,
  code: undefined,
  isUserHandled: false,
} as const

/** The fields that differ between requests. */
interface Differing {
  readonly account?: string | null
  readonly arrivedAtMs?: number
  readonly retryAfterSeconds?: number | null
  readonly flags?: number
}

function toFields(fields: Differing = {}): FactFields {
  const { account = 'free', arrivedAtMs = startMs, retryAfterSeconds = null } = fields
  const { flags = factFlags.metered } = fields
  return [account, arrivedAtMs, 1_230, 2 ** 48 - 2, 60, 59, retryAfterSeconds, 7, flags]
}

/** Adds requests, one each second. */
function addMany(to: RequestFacts, count: number) {
  for (let id = 1; id <= count; id += 1) {
    const atMs = startMs + id * 1_000
    to.add({ ...entry, id, atMs }, toFields({ arrivedAtMs: atMs - 5 }))
  }
}

function readIds(facts: RequestFacts, account = 'free'): number[] {
  return Array.from(readFacts(facts, account), ({ id }) => id)
}

test('facts retain 100,000 requests in less than 4 MB', () => {
  const facts = createFacts()
  addMany(facts, 150_000)
  expect(facts.size).toBeGreaterThanOrEqual(retainedFacts)
  expect(retainedFacts).toBe(100_000)
  expect(facts.bytes).toBeLessThan(4_000_000)
  expect(facts.bytes).toBe(facts.memory.used)
  expect(readFacts(facts, 'free')).toMatchObject({ received: 150_000, size: facts.size })
  const ids = readIds(facts)
  expect(ids).toHaveLength(facts.size)
  expect(ids.at(-1)).toBe(150_000)
  expect(ids.every((id, at) => id === 150_000 - facts.size + 1 + at)).toBe(true)
})

test('facts use no memory without requests, and less than 1 KB with three', () => {
  const facts = createFacts()
  expect(facts.bytes).toBe(0)
  addMany(facts, 3)
  expect(facts.bytes).toBeLessThan(1_000)
  facts.clear(3)
  expect(facts.memory.used).toBe(0)
})

test('facts remove the oldest requests when the memory of the world is used up', () => {
  const facts = createFacts(100_000)
  addMany(facts, 5_000)
  expect(facts.bytes).toBeLessThanOrEqual(25_000)
  const { received, size } = readFacts(facts, 'free')
  expect(received).toBe(5_000)
  expect(size).toBeGreaterThan(100)
  expect(readIds(facts).at(-1)).toBe(5_000)
})

test('requests are counted, but not retained, without memory', () => {
  const facts = createFacts(10)
  addMany(facts, 10)
  expect(facts.memory.used).toBe(0)
  expect(readFacts(facts, 'free')).toMatchObject({ received: 10, size: 0 })
})

test('facts separate the keys, and add requests without a valid key to each', () => {
  const facts = createFacts()
  for (const [at, account] of ['free', 'pro', null, 'free'].entries()) {
    facts.add({ ...entry, id: at + 1, atMs: startMs }, toFields({ account }))
  }
  expect(readIds(facts, 'free')).toEqual([1, 3, 4])
  expect(readIds(facts, 'pro')).toEqual([2, 3])
  expect(readIds(facts, 'business')).toEqual([3])
})

test('facts bound the memory of fields that clients choose', () => {
  const facts = createFacts()
  for (let id = 1; id <= 20_000; id += 1) {
    facts.add({ ...entry, id, atMs: startMs, apiKey: `key_${id}` }, toFields({ account: null }))
  }
  expect(facts.size).toBe(20_000)
  expect(facts.bytes).toBeLessThan(1_500_000)
})

test('requests up to the id of a clearance are not added again', () => {
  const facts = createFacts()
  addMany(facts, 100)
  facts.clear(99)
  expect(facts.memory.used).toBe(0)
  addMany(facts, 100)
  expect(readIds(facts)).toEqual([100])
})

test('restored facts have the same requests', () => {
  const facts = createFacts()
  addMany(facts, 3_000)
  const flags = factFlags.metered + factFlags.repeated
  facts.add(
    { ...entry, id: 3_001, atMs: 1.5, status: 429, code: 'rate_limit_exceeded' },
    toFields({ retryAfterSeconds: 31_536_000, flags }),
  )
  const restored = createFacts()
  restored.restore(JSON.parse(JSON.stringify(facts.save())))
  expect([...readFacts(restored, 'free')]).toEqual([...readFacts(facts, 'free')])
  expect(restored.countOf('free')).toBe(3_001)
  // Requests that the state contains are not added again.
  addMany(restored, 3_001)
  expect(restored.size).toBe(3_001)
})

test('a bounded state has the latest requests, and the number of all', () => {
  const facts = createFacts()
  addMany(facts, 3_000)
  const state = facts.save(500)
  expect(facts.save()?.rows.length).toBeGreaterThan(3_000 * factBytes)
  expect(state?.rows.length).toBe((500 * factBytes * 4) / 3)
  const restored = createFacts()
  if (state) restored.restore(state)
  expect(readFacts(restored, 'free')).toMatchObject({ received: 3_000, size: 500 })
  expect(readIds(restored)[0]).toBe(2_501)
})

test('a reading does not change with later requests', () => {
  const facts = createFacts()
  addMany(facts, 10)
  const read = readFacts(facts, 'free')
  facts.add({ ...entry, id: 11, atMs: startMs }, toFields())
  facts.clear(11)
  expect(read.size).toBe(10)
  expect([...read]).toHaveLength(10)
})

test('a world without requests has no facts, and a report does not change it', async () => {
  const client = await openClient()
  const before = client.world.memory.used
  const report = await client.report()
  expect(report).toMatchObject({
    requests: { received: 0, assessed: 0, firstAt: null, lastAt: null },
    smallestPlan: 'free',
    timeline: { startAt: null, intervals: [] },
  })
  expect(client.world.memory.used).toBe(before)
  expect(client.world.journal.size).toBe(0)
})

test('a report of 100,000 requests yields often, so that other requests run meanwhile', () => {
  const facts = createFacts()
  addMany(facts, 100_000)
  const work = toReport(readFacts(facts, 'free'), context)
  let steps = 0
  for (;;) {
    const step = work.next()
    if (step.done) break
    steps += 1
  }
  expect(steps).toBeGreaterThan(200)
  const report = complete(toReport(readFacts(facts, 'free'), context))
  expect(report.requests.assessed).toBe(facts.size)
  expect(report.timeline.intervals.length).toBeLessThanOrEqual(120)
  const sum = report.timeline.intervals.reduce((total, { succeeded }) => total + succeeded, 0)
  expect(sum).toBe(facts.size)
})

const limit = { requestsPerMinute: 60, requestsPerDay: 1_000 }
const context = {
  world: { environment: 'production', scenario: 'default', label: '' },
  apiKey: 'sbx_free…',
  plan: 'free',
  nowMs: startMs,
  limits: {
    plans: { free: limit, pro: limit, business: limit, enterprise: limit },
    ban: { rejections: 10, seconds: 300 },
  },
  messageStatus: 200,
} as const
