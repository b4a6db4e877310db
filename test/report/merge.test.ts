import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { mergeRequests, type WorldRequests } from '../../src/report/merge.js'
import type { Report } from '../../src/report/report.js'
import { RequestCollector } from '../../src/testing/request-collector.js'
import { messagesUrl, startMs } from './support.js'

const api = 'https://api.petstore.example/v1'
const staging = 'https://staging.api.petstore.example/v1'

/** Opens a sandbox whose requests are collected. */
async function openCollected() {
  const sandbox = await createSandbox({ now: () => startMs })
  const collector = new RequestCollector(sandbox)
  const send = (key: string, url: string, init: RequestInit = {}) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` }
    return sandbox.fetch(url, { ...init, headers })
  }
  return { sandbox, collector, send }
}

/** Merges requests of tests with the names `a`, `b` and so on. */
function merge(...tests: readonly WorldRequests[][]): Report {
  const named = tests.map((worlds, at) => ({ test: 'abc'.charAt(at), worlds }))
  // They reach the reporter as JSON.
  return mergeRequests(JSON.parse(JSON.stringify(named)), startMs)
}

const findRule = ({ conduct }: Report, wanted: string) => conduct.find(({ id }) => id === wanted)

test('a merged report adds the forecasts of all clients', async () => {
  const { collector, send } = await openCollected()
  const sendMany = async (key: string, count: number) => {
    for (let sent = 0; sent < count; sent += 1) await send(key, `${api}/inventory`)
    return collector.take()
  }
  const report = merge(
    await sendMany('sbx_pro_default_one', 65),
    await sendMany('sbx_enterprise_default_two', 62),
  )
  expect(report.requests).toMatchObject({ received: 127, assessed: 127 })
  // Each client alone has 60 requests per minute. Together they would have had 67 rejections.
  expect(report.whatIf.find(({ plan }) => plan === 'free')).toMatchObject({ refused: 7, bans: 0 })
  expect(report.smallestPlan).toBe('pro')
})

test('evidence names its test', async () => {
  const { collector, send } = await openCollected()
  await send('sbx_free', `${api}/inventory`)
  const first = collector.take()
  await send('sbx_free_rate-limited', `${api}/inventory`)
  await send('sbx_free_rate-limited', `${api}/inventory`)
  const report = merge(first, collector.take())
  const rule = findRule(report, 'retry-after')
  expect(rule).toMatchObject({ outcome: 'broken', violations: 1 })
  expect(rule?.evidence.map((each) => each.test)).toEqual(['b'])
})

test('requests are taken once, also those that a restart removes', async () => {
  const { sandbox, collector, send } = await openCollected()
  await send('sbx_free', `${api}/inventory`)
  const first = collector.take()
  await send('sbx_free', `${api}/pets/7`)
  await sandbox.use('rate-limited')
  await send('sbx_free', `${api}/inventory`)
  sandbox.world.requests.clear()
  await send('sbx_free', `${api}/pets/8`)
  await send('sbx_free_default_gone', `${api}/pets/7`)
  sandbox.reset()
  const second = collector.take()
  expect(collector.take()).toEqual([])
  expect(merge(first).requests.received).toBe(1)
  const report = merge(first, second)
  expect(report.requests).toMatchObject({ received: 5, assessed: 5 })
  const count = (operation: string, status: number) =>
    report.coverage.cells
      .filter((cell) => cell.operation === operation && cell.status === status)
      .reduce((sum, cell) => sum + cell.count, 0)
  expect([count('listInventory', 200), count('listInventory', 429)]).toEqual([1, 1])
  expect([count('getPet', 200), count('getPet', 429)]).toEqual([2, 1])
})

test('a request without a key counts once in a world with several keys', async () => {
  const { sandbox, collector, send } = await openCollected()
  await send('sbx_free', `${api}/inventory`)
  await send('sbx_pro', `${api}/inventory`)
  await sandbox.fetch(`${api}/inventory`)
  expect(merge(collector.take()).requests).toMatchObject({ received: 3, assessed: 3 })
})

test('a message is the same combination with each status that a scenario sets', async () => {
  const { sandbox, collector, send } = await openCollected()
  const body = JSON.stringify({ message: 'hello' })
  const post = () => send('sbx_free', messagesUrl, { method: 'POST', body })
  expect((await post()).status).toBe(200)
  await sandbox.use({ name: 'accepted', rules: { messageStatus: 202 } })
  expect((await post()).status).toBe(202)
  const { cells } = merge(collector.take()).coverage
  const successes = cells.filter(
    ({ operation, status }) => operation === 'sendMessage' && status < 300,
  )
  expect(successes).toMatchObject([
    { status: 200, limiter: 'fresh', count: 2 },
    { status: 200, limiter: 'last', count: 0 },
  ])
})

test('a key in both environments breaks environments-apart, unless the test chose it', async () => {
  const { collector, send } = await openCollected()
  const sendBoth = async () => {
    await send('sbx_free_default_both', `${api}/inventory`)
    await send('sbx_free_default_both', `${staging}/inventory`)
  }
  await sendBoth()
  expect(findRule(merge(collector.take()), 'environments-apart')?.outcome).toBe('broken')
  await sendBoth()
  const own = collector.take(() => true, true)
  expect(findRule(merge(own), 'environments-apart')?.outcome).toBe('unseen')
})

test('a rule that a test ignores is not examined in its requests', async () => {
  const { collector, send } = await openCollected()
  await send('sbx_free', `${api}/pets/7`)
  const [world] = collector.take()
  if (!world) throw new Error('no request')
  const find = (report: Report) => findRule(report, 'deprecated-in-use')?.outcome
  expect(find(merge([world]))).toBe('broken')
  expect(find(merge([{ ...world, ignore: ['deprecated-in-use'] }]))).toBe('unseen')
  expect(find(merge([{ ...world, rules: ['jitter'] }]))).toBe('unseen')
})

test('no key leaves the process of a test', async () => {
  const { sandbox, collector, send } = await openCollected()
  const key = 'a-key-that-the-scenario-lists'
  await sandbox.use({ name: 'listed', apiKeys: [{ key, plan: 'pro' }] })
  expect((await send(key, `${api}/inventory`)).status).toBe(200)
  const requests = collector.take()
  expect(requests).toHaveLength(1)
  expect(JSON.stringify(requests)).not.toContain(key)
})

test('a sandbox with two collectors is counted once', async () => {
  const { sandbox, collector, send } = await openCollected()
  const second = new RequestCollector(sandbox)
  await send('sbx_free', `${api}/inventory`)
  await send('sbx_free_default_other', `${api}/inventory`)
  expect(merge([...collector.take(), ...second.take()]).requests.received).toBe(2)
})
