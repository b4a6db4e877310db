import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RuleResult } from '../../src/report/report.js'
import { rules } from '../../src/report/rules/rules.js'
import { cases, down, repeat, times } from './rule-clients.js'
import { openClient, type TestClient } from './support.js'

// The real time that a request takes counts for the report, and depends on the machine.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

describe.each(rules.map(({ id }) => id))('%s', (id) => {
  const own = cases[id] ?? []

  // The golden file `reports` shows that it finds this.
  test('has a client that breaks it and one that keeps it', () => {
    const outcomes = own.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(expect.arrayContaining(['broken', 'kept']))
  })

  test('is unseen without a request', async () => {
    const client = await openClient()
    const { conduct } = await client.report()
    expect(conduct.find((result) => result.id === id)).toMatchObject({
      outcome: 'unseen',
      violations: 0,
      evidence: [],
    })
  })
})

test('evidence names the request of the journal', async () => {
  const client = await openClient('rate-limited')
  await repeat([0, 200])(client)
  const { conduct } = await client.report()
  expect(conduct.find(({ id }) => id === 'retry-after')).toMatchObject({
    finding: '1 of 1 request came before Retry-After had passed',
    evidence: [
      {
        request: 2,
        at: '2026-01-15T09:00:00.200Z',
        observation: 'retried listInventory after 0.2 s, Retry-After was 60 s',
      },
    ],
  })
})

describe('a client that sends several requests at the same time', () => {
  const paths = ['/inventory', '/store/orders', '/pets/1', '/pets/2']

  test('breaks jitter if they are retried together, and the evidence says how many', async () => {
    const client = await openClient('rate-limited')
    await Promise.all(paths.map((path) => client.send(path)))
    client.wait(60_000)
    await Promise.all(paths.map((path) => client.send(path)))
    expect(await readResult(client, 'jitter')).toMatchObject({
      finding: 'the retries of 1 of 1 group of requests coincided',
      evidence: [
        {
          observation: expect.stringMatching(
            /^4 requests that failed together were retried, 3 or more within 20 ms; the last one was \w+$/,
          ),
        },
      ],
    })
  })

  test('breaks gives-up if its parts together send one request too often', async () => {
    const client = await openClient()
    client.world.faults.add(down)
    // Three parts of the client, each with four attempts.
    await repeat(times(4, 2_000).flatMap((ms) => [ms, 300, 300]))(client)
    expect(await readResult(client, 'gives-up')).toMatchObject({
      finding: 'the client should have given up 1 request earlier',
      evidence: [{ observation: 'listInventory failed 11 times in a row' }],
    })
  })
})

/** Returns what a rule found in the requests of a client. */
async function readResult(client: TestClient, rule: string): Promise<RuleResult | undefined> {
  return (await client.report()).conduct.find(({ id }) => id === rule)
}
