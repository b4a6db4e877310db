import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rules } from '../../src/report/rules/rules.js'
import { down, repeat, times } from './rule-clients.js'
import { openClient } from './support.js'

// The real time that a request takes counts for the report, and depends on the machine.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

const golden = new URL('../golden/files/reports.json', import.meta.url)
const reports: Readonly<Record<string, { conduct?: Record<string, { outcome?: string }> }>> =
  JSON.parse(readFileSync(golden, 'utf8'))['what differs from it']

test.each(rules.map(({ id }) => id))(
  '%s has a client that breaks it and one that keeps it',
  (id) => {
    const own = Object.entries(reports).filter(([client]) => client.startsWith(`${id}: `))
    const outcomes = own.map(([, { conduct }]) => conduct?.[id]?.outcome)
    expect(outcomes).toEqual(expect.arrayContaining(['broken', 'kept']))
  },
)

test('a client whose parts together send one request too often breaks gives-up', async () => {
  const client = await openClient()
  client.world.faults.add(down)
  // Three parts of the client, each with four attempts.
  await repeat(times(4, 2_000).flatMap((ms) => [ms, 300, 300]))(client)
  const { conduct } = await client.report()
  expect(conduct.find(({ id }) => id === 'gives-up')).toMatchObject({
    finding: 'the client should have given up 1 request earlier',
    evidence: [{ observation: 'listInventory failed 11 times in a row' }],
  })
})
