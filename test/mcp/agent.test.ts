import { expect, test } from 'vitest'
import { createShopClient } from './shop-client.js'
import { type Agent, openAgent } from './support.js'

const lostResponse = { type: 'reset', phase: 'after', operation: 'sendMessage', atMost: 1 }

/** Runs a client while the agent produces a limit and a lost response. Waiting moves the clock. */
async function rehearse({ call }: Agent, world: Record<string, unknown>, isMended: boolean) {
  const key = world.apiKey
  const target = {
    baseUrl: String(world.baseUrl),
    quickstartUrl: String(world.quickstartUrl),
    apiKey: String(key),
    wait: async (seconds: number) => {
      await call('move_clock', { key, advance: seconds * 1_000 })
    },
  }
  const client = createShopClient(target, isMended)
  const inventory = await client.list()
  await call('set_quota', { key, minute: { remaining: 0 } })
  await client.list()
  await call('set_quota', { key, minute: { used: 0 } })
  await client.restock(inventory)
  await call('set_faults', { key, faults: [lostResponse] })
  await client.announce()
  return call('report', { key })
}

test('an agent finds three faults of a client with the tools alone, and sees the report turn clean', async () => {
  const agent = await openAgent()
  const { data: world } = await agent.call('new_world', { scenario: 'int64-ids' })
  const key = world.apiKey
  const unused = await agent.call('report', { key })
  expect(unused.text).toContain('Next: No request was assessed. Run your client')

  const rules = ['int64-exact', 'message-once', 'retry-after']
  const before = await rehearse(agent, world, false)
  expect((before.data.broken as { id: string }[]).map(({ id }) => id)).toEqual(rules)
  expect(before.text).toContain(
    'error retry-after: Waits as long as Retry-After says. Fix: Read the Retry-After header',
  )
  expect(before.text).toContain(
    'Next: Fix the client, call reset, produce the same limits and faults again',
  )
  const rejected = await agent.call('list_requests', { key, status: '429' })
  expect(rejected.text).toContain('retry after 60 seconds')

  await agent.call('reset', { key })
  const after = await rehearse(agent, world, true)
  expect(after.data.broken).toEqual([])
  expect(after.data.kept).toEqual(expect.arrayContaining(rules))
  expect(after.text).toMatch(/Next: No rule is broken; \d+ are unseen\./)
})
