import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from './concurrent-clients.js'
import { runCase } from './rule-clients.js'
import { openClient, type Way } from './support.js'

const ways: readonly Way[] = ['one connection', 'a connection each', 'in process']

const table = Object.entries(cases).flatMap(([rule, clients]) =>
  clients.flatMap((each) =>
    (each.ways ?? ways).flatMap((way) =>
      (each.canFreeze === false ? ['running'] : ['running', 'frozen']).map(
        (clock) => [rule, each.verdict, each.client, way, clock, each] as const,
      ),
    ),
  ),
)

// The real time that a request takes counts for the report, and depends on the machine.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

test.each(table)(
  'a person and the report have the same verdict: %s is %s: a client that %s, %s, with a %s clock',
  async (...row) => {
    const [rule, verdict, , way, clock, each] = row
    const client = await runCase(each, way, clock === 'frozen')
    const { conduct } = await client.report()
    const found = conduct.find(({ id }) => id === rule)
    expect({ verdict: found?.outcome, finding: found?.finding }).toMatchObject({ verdict })
  },
)

test('requests with the keys of others are one number of their own', async () => {
  const client = await openClient('default', {}, 'one connection')
  const other = client.worker()
  for (const key of ['sbx_nobody', 'mine', 'mine', 'mine']) {
    await other('/inventory', { headers: { Authorization: `Bearer ${key}` } })
  }
  const { requests, conduct } = await client.report()
  expect(requests).toMatchObject({ received: 0, assessed: 0 })
  expect(conduct.filter(({ outcome }) => outcome !== 'unseen')).toEqual([])
})
