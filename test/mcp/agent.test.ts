import { expect, test } from 'vitest'
import { openAgent } from './support.js'

test('an agent finds a fault of a client with the tools alone, and sees the report turn clean', async () => {
  const { call } = await openAgent()
  const { baseUrl, apiKey: key } = (await call('new_world')).data
  const unused = await call('report', { key })
  expect(unused.text).toContain('Next: No request was assessed. Run your client')

  /** Runs a client that lists the inventory twice beyond the limit, and waits in between. */
  const rehearse = async (waitSeconds: number) => {
    await call('set_quota', { key, minute: { remaining: 0 } })
    for (const advance of [0, waitSeconds * 1_000]) {
      await call('move_clock', { key, advance })
      await fetch(`${baseUrl}/inventory`, { headers: { Authorization: `Bearer ${key}` } })
    }
    return call('report', { key })
  }

  const before = await rehearse(2)
  expect(before.data.broken).toMatchObject([{ id: 'retry-after' }])
  expect(before.text).toContain(
    'error retry-after: Waits as long as Retry-After says. Fix: Read the Retry-After header',
  )
  expect(before.text).toContain(
    'Next: Fix the client, call reset, produce the same limits and faults again',
  )
  const rejected = await call('list_requests', { key, status: '429' })
  expect(rejected.text).toContain('retry after 60 seconds')

  await call('reset', { key })
  const after = await rehearse(60)
  expect(after.data).toMatchObject({
    broken: [],
    kept: expect.arrayContaining(['retry-after']),
  })
  expect(after.text).toMatch(/Next: No rule is broken; \d+ are unseen\./)
})
