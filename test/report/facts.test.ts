import { expect, test } from 'vitest'
import { MemoryAccount } from '../../src/memory/account.js'
import { toReport } from '../../src/report/to-report.js'
import { complete } from '../../src/validation/slices.js'
import {
  type FactFields,
  FactLog,
  factFlags,
  retainedFacts,
} from '../../src/world/journal/facts.js'
import { openClient, startMs } from './support.js'

const mebibyte = 2 ** 20

function createLog(limit = 16 * mebibyte): FactLog {
  return new FactLog(new MemoryAccount({ owner: 'this world', limit }))
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

const fields: FactFields = {
  account: 'free',
  arrivedAtMs: startMs,
  waitedMs: 1_230,
  fingerprint: 2 ** 48 - 2,
  limit: 60,
  remaining: 59,
  retryAfterSeconds: null,
  revision: 7,
  flags: factFlags.metered,
}

/** Adds requests, one each second. */
function addMany(log: FactLog, count: number, account = 'free') {
  for (let id = 1; id <= count; id += 1) {
    const atMs = startMs + id * 1_000
    log.add({ ...entry, id, atMs }, { ...fields, account, arrivedAtMs: atMs - 5 })
  }
}

test('a log retains 100,000 requests in less than 4 MB', () => {
  const log = createLog()
  addMany(log, 150_000)
  expect(log.size).toBeGreaterThanOrEqual(retainedFacts)
  expect(retainedFacts).toBe(100_000)
  expect(log.bytes).toBeLessThan(4_000_000)
  expect(log.bytes).toBe(log.memory.used)
  const facts = log.read('free')
  expect(facts).toMatchObject({ received: 150_000, size: log.size })
  const ids = Array.from(facts, ({ id }) => id)
  expect(ids).toHaveLength(log.size)
  expect(ids.at(-1)).toBe(150_000)
  expect(ids.every((id, at) => id === 150_000 - log.size + 1 + at)).toBe(true)
})

test('a log uses no memory without requests, and less than 1 KB with three', () => {
  const log = createLog()
  expect(log.bytes).toBe(0)
  addMany(log, 3)
  expect(log.bytes).toBeLessThan(1_000)
  log.clear(3)
  expect(log.memory.used).toBe(0)
})

test('a log removes its oldest requests when the memory of its world is used up', () => {
  const log = createLog(100_000)
  addMany(log, 5_000)
  expect(log.bytes).toBeLessThanOrEqual(25_000)
  const facts = log.read('free')
  expect(facts.received).toBe(5_000)
  expect(facts.size).toBeGreaterThan(100)
  expect(Array.from(facts, ({ id }) => id).at(-1)).toBe(5_000)
})

test('a log omits requests if there is no memory at all', () => {
  const log = createLog(10)
  addMany(log, 10)
  expect(log.size).toBe(0)
  expect(log.memory.used).toBe(0)
  expect(log.read('free')).toMatchObject({ received: 10, size: 0 })
})

test('a log separates the keys, and adds requests without a valid key to each', () => {
  const log = createLog()
  const add = (id: number, account: string | null) =>
    log.add({ ...entry, id, atMs: startMs }, { ...fields, account })
  for (const [at, account] of ['free', 'pro', null, 'free'].entries()) add(at + 1, account)
  expect(Array.from(log.read('free'), ({ id }) => id)).toEqual([1, 3, 4])
  expect(Array.from(log.read('pro'), ({ id }) => id)).toEqual([2, 3])
  expect(Array.from(log.read('business'), ({ id }) => id)).toEqual([3])
})

test('a log bounds the memory of fields that clients choose', () => {
  const log = createLog()
  for (let id = 1; id <= 20_000; id += 1) {
    log.add({ ...entry, id, atMs: startMs, apiKey: `key_${id}` }, { ...fields, account: null })
  }
  expect(log.size).toBe(20_000)
  expect(log.bytes).toBeLessThan(1_500_000)
})

test('a restored log has the same requests', () => {
  const log = createLog()
  addMany(log, 3_000)
  log.add(
    { ...entry, id: 3_001, atMs: 1.5, status: 429, code: 'rate_limit_exceeded' },
    {
      ...fields,
      retryAfterSeconds: 31_536_000,
      flags: factFlags.metered + factFlags.repeated,
    },
  )
  const restored = createLog()
  restored.restore(JSON.parse(JSON.stringify(log.save())))
  expect([...restored.read('free')]).toEqual([...log.read('free')])
  expect(restored.read('free').received).toBe(3_001)
  // Requests that the state contains are not added again.
  addMany(restored, 3_001)
  expect(restored.size).toBe(3_001)
})

test('a reading does not change with later requests', () => {
  const log = createLog()
  addMany(log, 10)
  const facts = log.read('free')
  log.add({ ...entry, id: 11, atMs: startMs }, fields)
  log.clear(11)
  expect(facts.size).toBe(10)
  expect([...facts]).toHaveLength(10)
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
  const log = createLog()
  addMany(log, 100_000)
  const work = toReport(log.read('free'), context)
  let steps = 0
  for (;;) {
    const step = work.next()
    if (step.done) break
    steps += 1
  }
  expect(steps).toBeGreaterThan(200)
  const report = complete(toReport(log.read('free'), context))
  expect(report.requests.assessed).toBe(log.size)
  expect(report.timeline.intervals.length).toBeLessThanOrEqual(120)
  const sum = report.timeline.intervals.reduce((total, { succeeded }) => total + succeeded, 0)
  expect(sum).toBe(log.size)
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
