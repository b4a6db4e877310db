import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import type { Report } from '../../src/report/report.js'
import { MemoryStore } from '../support/memory-store.js'
import { startMs } from './support.js'

const headers = { Authorization: 'Bearer sbx_free_int64-ids_stores' }
const control = 'https://api.petstore.example/sandbox'

/** Opens a sandbox with a store that other sandboxes share, at the same time. */
async function open(store: MemoryStore, clock: { ms: number }) {
  const sandbox = await createSandbox({ store, journalCapacity: 3, now: () => clock.ms })
  const send = async (path: string, init: RequestInit = {}) =>
    sandbox.fetch(`https://api.petstore.example/v1${path}`, { headers, ...init })
  const report = async (): Promise<Report> =>
    (await sandbox.fetch(`${control}/report`, { headers })).json() as Promise<Report>
  return { sandbox, send, report }
}

type Client = Awaited<ReturnType<typeof open>>

/** Sends requests of many kinds, and more than the journal retains. */
async function sendAll({ send }: Client, clock: { ms: number }) {
  const next = async (ms: number, path: string, init?: RequestInit) => {
    clock.ms += ms
    await send(path, init)
  }
  await next(0, '/pets/9223372036854775807')
  await next(10, '/pets/9223372036854776000')
  await next(10, '/inventory/9223372036854775807', { method: 'PATCH', body: '{"quantity":1}' })
  await next(10, '/inventory', { headers: { ...headers, Prefer: 'code=500' } })
  await next(1_000, '/inventory', { headers: { ...headers, Prefer: 'code=500' } })
  for (let sent = 0; sent < 150; sent += 1) await next(100, '/inventory')
}

describe.each([
  { kind: 'exclusive', isExclusive: true },
  { kind: 'shared', isExclusive: false },
])('with a $kind store', ({ isExclusive }) => {
  test('a reloaded world has the same report', async () => {
    const store = new MemoryStore(isExclusive)
    const clock = { ms: startMs }
    const first = await open(store, clock)
    await sendAll(first, clock)
    await first.sandbox.save()
    const report = await first.report()
    expect(report.requests).toMatchObject({ received: 155, assessed: 155 })
    expect(report.conduct.filter(({ outcome }) => outcome !== 'unseen').length).toBeGreaterThan(5)
    const second = await open(store, clock)
    expect(await second.report()).toEqual(report)
  })

  test('clearing the journal clears the report, also after a reload', async () => {
    const store = new MemoryStore(isExclusive)
    const clock = { ms: startMs }
    const first = await open(store, clock)
    await sendAll(first, clock)
    await first.sandbox.fetch(`${control}/requests`, { method: 'DELETE', headers })
    await first.send('/inventory')
    expect((await first.report()).requests).toMatchObject({ received: 1, assessed: 1 })
    await first.sandbox.save()
    const second = await open(store, clock)
    expect((await second.report()).requests).toMatchObject({ received: 1, assessed: 1 })
    await second.sandbox.fetch(`${control}/reset`, { method: 'POST', headers })
    expect((await second.report()).requests).toMatchObject({ received: 0, assessed: 0 })
  })
})

test('replicas that take turns have the same report', async () => {
  const store = new MemoryStore(false)
  const clock = { ms: startMs }
  const replicas = [await open(store, clock), await open(store, clock)]
  const alone = await open(new MemoryStore(false), clock)
  const paths = ['/inventory', '/pets/1', '/store/orders', '/inventory', '/pets/404', '/pets/404']
  for (let sent = 0; sent < 120; sent += 1) {
    const path = paths[sent % paths.length] ?? ''
    clock.ms += 100
    await replicas[sent % 2]?.send(path)
    await alone.send(path)
  }
  const [first, second] = await Promise.all(replicas.map(({ report }) => report()))
  expect(second).toEqual(first)
  expect(first).toEqual(await alone.report())
})
