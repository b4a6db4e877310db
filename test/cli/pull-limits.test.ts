import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Scenario } from '../../src/index.js'
import {
  apiKey,
  createTime,
  pullTo,
  readBodies,
  readPulled,
  serveReplies,
  serveScenario,
  type Time,
} from './pull-support.js'
import { serveOther } from './world-support.js'

const pets = Array.from({ length: 8 }, (_, index) => ({ petId: index + 1, name: `Pet ${index}` }))

/** A shop whose pull needs 10 requests. */
function createShop(plans: Scenario['plans'], others: Partial<Scenario> = {}): Scenario {
  return { name: 'shop', pets, plans, ...others }
}

/** Serves a shop, and counts the rejected requests of the key. */
async function serveShop(scenario: Scenario, time: Time) {
  const { url, sandbox } = await serveScenario(scenario, time)
  const key = 'sbx_free'
  const rejected = () => sandbox.world.requests.count({ status: 429 })
  return { url, sandbox, key, rejected }
}

test('pull states the number of requests and the quota before it requests the orders and the pets', async () => {
  const time = createTime()
  const { url } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  const { stderr } = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    `GET ${url}/inventory: 1 request, to count the others`,
    'needs 10 requests in all (1 for the inventory, 1 for the orders, 8 for the pets), 9 of them now',
    '3 of 4 are left, the limit resets in 61 s: 2 waits for the reset',
  ])
})

test('pull waits for each reset of the minute window, and is never rejected', async () => {
  const time = createTime()
  const shop = createShop({ free: { requestsPerMinute: 4 } })
  const { url, rejected } = await serveShop(shop, time)
  const { code, stderr, stdout, output, files } = await pullTo({ url, apiKey: 'sbx_free', time })
  expect({ code, files }).toEqual({ code: 0, files: ['pulled.json'] })
  expect(time.waits).toHaveLength(2)
  expect(stderr).toContain('waits 61 s for the reset of the limit\n')
  expect(rejected()).toBe(0)
  expect(stdout).toContain('every body is the same, byte for byte')
  expect((await readPulled(output)).pets).toHaveLength(8)
})

test('a pull without the waits is rejected', async () => {
  const time = createTime()
  const { url, rejected } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  for (const { petId } of pets) {
    await fetch(`${url}/pets/${petId}`, { headers: { Authorization: 'Bearer sbx_free' } })
  }
  expect(rejected()).toBe(4)
})

test('pull stops before a wait that is longer than --max-wait, and continues later', async () => {
  const time = createTime()
  const shop = createShop({ free: { requestsPerDay: 5 } })
  const { url, sandbox, rejected } = await serveShop(shop, time)
  const first = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(first.code).toBe(2)
  expect(first.message).toBe(
    `no requests are left for 25 h, longer than --max-wait; 5 responses saved in ${first.output}.partial, the same command continues`,
  )
  expect(first.files).toEqual(['pulled.json.partial'])
  const count = () => sandbox.world.requests.count()

  // Too early: sends nothing.
  time.nowMs += 3_600_000
  const early = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(early).toMatchObject({ code: 2, message: expect.stringContaining('for 24 h') })
  expect(count()).toBe(5)

  time.nowMs += 86_400_000
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
  expect(last.stderr).toContain(`continues with 5 responses of ${first.output}.partial\n`)
  expect({ count: count(), rejected: rejected(), waits: time.waits }).toEqual({
    count: 10,
    rejected: 0,
    waits: [],
  })
  expect(last.stdout).toContain('every body is the same, byte for byte')
})

test('pull waits once after a 429, and stops after another one', async () => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({}), time)
  // Another client uses the key.
  const exhaust = () => sandbox.quota('free').set({ minute: { remaining: 0 } })
  sandbox.world.faults.add({ type: 'delay', delayMs: 0, operation: 'listOrders' })
  const { code, message, stderr } = await pullTo({
    url,
    apiKey: 'sbx_free',
    time,
    onWait: () => queueMicrotask(() => queueMicrotask(exhaust)),
    output: await exhaustedAfterInventory(sandbox, exhaust),
  })
  expect({ code, message, stderr }).toEqual({})
})

async function exhaustedAfterInventory(..._: unknown[]): Promise<string> {
  throw new Error('not written')
}

test.each([
  ['a ban', { ban: { seconds: 300 } }, 'no requests are left for 3'],
])('pull sends no request during %s', async (_title, quota, reason) => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({}, { quota: { free: quota } }), time)
  const first = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(first).toMatchObject({ code: 2, message: expect.stringContaining(reason) })
  const again = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(again).toMatchObject({ code: 2, message: expect.stringContaining(reason) })
  expect(sandbox.world.requests.count()).toBe(1)

  time.nowMs += 301_000
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
})

test('pull saves its progress on Ctrl-C, and the same command continues', async () => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  const first = await pullTo({
    url,
    apiKey: 'sbx_free',
    time,
    onWait: (interrupt) => interrupt(),
  })
  expect(first).toMatchObject({ code: 2, message: expect.stringMatching(/^interrupted; 4 responses/) })
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
  expect(sandbox.world.requests.count()).toBe(10)
})
