import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import type { Report } from '../../src/report/report.js'
import { SessionStore } from '../../src/store/session.js'
import { FakeStorage } from './fake-storage.js'

const startMs = Date.parse('2026-01-01T09:00:00.000Z')

const headers = { Authorization: 'Bearer sbx_enterprise' }

async function open(storage: FakeStorage) {
  const store = new SessionStore(storage, 'prefix', console.warn)
  const sandbox = await createSandbox({ store, journalCapacity: 1, now: () => startMs })
  const fetch = (path: string) => sandbox.fetch(`https://api.petstore.example${path}`, { headers })
  const report = async () => (await (await fetch('/sandbox/report')).json()) as Report
  return { sandbox, fetch, report }
}

test('session storage retains the latest 2,000 requests for reports', async () => {
  const storage = new FakeStorage()
  const { sandbox, fetch, report } = await open(storage)
  for (let sent = 0; sent < 5_000; sent += 1) await fetch('/v1/inventory')
  await sandbox.save()
  expect((await report()).requests).toMatchObject({ received: 5_000, assessed: 5_000 })
  const values = Array.from(
    { length: storage.length },
    (_, at) => storage.getItem(storage.key(at) ?? '') ?? '',
  )
  const base = values.find((value) => value.includes('"latest"')) ?? ''
  expect(base.match(/"afterId"/g)).toHaveLength(2_000)
  // Browsers grant 5 million characters.
  expect(base.length).toBeLessThan(700_000)
  const { requests: restored } = await (await open(storage)).report()
  expect(restored.received).toBe(5_000)
  expect(restored.assessed).toBeGreaterThanOrEqual(2_000)
  expect(restored.assessed).toBeLessThan(5_000)
})
