import { describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../src/index.js'
import type { RuleResult } from '../../src/report/report.js'
import { rules } from '../../src/report/rules/rules.js'
import { messagesUrl, openClient, type TestClient } from './support.js'

interface Case {
  readonly rule: string
  readonly client: string
  readonly outcome: 'kept' | 'broken' | 'unseen'
  readonly violations?: number
  readonly severity?: 'error' | 'warning'
  readonly scenario?: string
  readonly options?: SandboxOptions
  readonly run: (client: TestClient) => Promise<unknown>
}

const json = { 'Content-Type': 'application/json' }
const patch = (quantity: number): RequestInit => ({
  method: 'PATCH',
  headers: json,
  body: JSON.stringify({ quantity }),
})
const post = (message: string): RequestInit => ({
  method: 'POST',
  headers: json,
  body: JSON.stringify({ message }),
})

/** Sends a request after each of the delays, in milliseconds. */
async function repeat(client: TestClient, delays: readonly number[], target = '/inventory') {
  for (const ms of delays) await client.after(ms, target)
}

function times(count: number, ms: number): number[] {
  return Array(count).fill(ms)
}

const down = { type: 'status', status: 503 } as const

const cases: readonly Case[] = [
  {
    rule: 'retry-after',
    client: 'retries after 0.2 s of 60',
    scenario: 'rate-limited',
    outcome: 'broken',
    violations: 1,
    run: (client) => repeat(client, [0, 200]),
  },
  {
    rule: 'retry-after',
    client: 'waits as long as Retry-After says',
    scenario: 'rate-limited',
    outcome: 'kept',
    run: (client) => repeat(client, [0, 60_000]),
  },
  {
    rule: 'retry-after',
    client: 'waits until X-RateLimit-Reset, up to a second before Retry-After',
    outcome: 'kept',
    run: async (client) => {
      // The window ends at 60.0 s, and Retry-After is 60 s after 0.1 s.
      await repeat(client, [...times(60, 0), 100, 59_900])
      expect(client.world.requests.count({ status: 429 })).toBe(1)
    },
  },
  {
    rule: 'retry-after',
    client: 'sends the same request five times at the same time',
    scenario: 'rate-limited',
    outcome: 'unseen',
    run: (client) => Promise.all(times(5, 0).map(() => client.send('/inventory'))),
  },
  {
    rule: 'retry-after',
    client: 'repeats a request at once, while the clock stands still',
    scenario: 'rate-limited',
    outcome: 'broken',
    violations: 4,
    run: (client) => repeat(client, times(5, 0)),
  },
  {
    rule: 'retry-after',
    client: 'continues with other requests',
    scenario: 'rate-limited',
    outcome: 'broken',
    violations: 2,
    run: async (client) => {
      await client.send('/inventory')
      await client.after(5_000, '/store/orders')
      await client.after(5_000, '/pets/1')
    },
  },
  {
    rule: 'retry-after',
    client: 'ignores Retry-After of a 503',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 1, retryAfterSeconds: 30 })
      await repeat(client, [0, 1_000])
    },
  },
  {
    rule: 'retry-after',
    client: 'goes on when a test has lifted the limit',
    scenario: 'rate-limited',
    outcome: 'unseen',
    run: async (client) => {
      await client.send('/inventory')
      client.world.quota.account('free').set({ minute: { used: 0 } })
      await client.after(1_000, '/inventory')
    },
  },
  {
    rule: 'back-off',
    client: 'retries every second',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add(down)
      await repeat(client, [0, 1_000, 1_010, 1_000])
    },
  },
  {
    rule: 'back-off',
    client: 'doubles its delays',
    outcome: 'kept',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 3 })
      await repeat(client, [0, 1_000, 2_000, 4_000])
    },
  },
  {
    rule: 'back-off',
    client: 'draws its delays from growing ranges',
    outcome: 'kept',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 3 })
      await repeat(client, [0, 700, 400, 3_100])
    },
  },
  {
    rule: 'back-off',
    client: 'retries at once',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 3 })
      await repeat(client, [0, 0, 0, 0])
    },
  },
  {
    rule: 'back-off',
    client: 'waits 60 s each time, because Retry-After says so',
    outcome: 'unseen',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 3, retryAfterSeconds: 60 })
      await repeat(client, [0, 60_000, 60_000, 60_000])
    },
  },
  {
    rule: 'jitter',
    client: 'retries three requests at the same time',
    scenario: 'rate-limited',
    outcome: 'broken',
    violations: 1,
    run: async (client) => {
      const paths = ['/inventory', '/store/orders', '/pets/1']
      for (const path of paths) await client.send(path)
      client.wait(60_000)
      for (const path of paths) await client.send(path)
    },
  },
  {
    rule: 'jitter',
    client: 'spreads the retries of three requests',
    scenario: 'rate-limited',
    outcome: 'kept',
    run: async (client) => {
      const paths = ['/inventory', '/store/orders', '/pets/1']
      for (const path of paths) await client.send(path)
      client.wait(60_000)
      for (const path of paths) await client.after(150, path)
    },
  },
  {
    rule: 'no-ban',
    client: 'continues after 429 until it is banned',
    scenario: 'rate-limited',
    outcome: 'broken',
    violations: 1,
    run: (client) => repeat(client, times(12, 1_000)),
  },
  {
    rule: 'no-ban',
    client: 'waits after 429',
    scenario: 'rate-limited',
    outcome: 'kept',
    run: (client) => repeat(client, [0, 60_000]),
  },
  {
    rule: 'no-ban',
    client: 'has a key that the scenario has banned',
    scenario: 'banned-key',
    outcome: 'unseen',
    run: (client) => repeat(client, [0, 1_000]),
  },
  {
    rule: 'stop-on-401',
    client: 'retries a 401',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add({ type: 'status', status: 401 })
      await repeat(client, [0, 1_000])
    },
  },
  {
    rule: 'stop-on-401',
    client: 'stops at a 401',
    outcome: 'kept',
    run: (client) => client.send('/inventory', { headers: { Prefer: 'code=401' } }),
  },
  {
    rule: 'no-repeat',
    client: 'repeats an invalid request',
    outcome: 'broken',
    violations: 2,
    run: async (client) => {
      for (const ms of [0, 500, 500]) await client.after(ms, '/inventory/7', patch(-1))
    },
  },
  {
    rule: 'no-repeat',
    client: 'corrects an invalid request',
    outcome: 'kept',
    run: async (client) => {
      await client.send('/inventory/7', patch(-1))
      await client.after(500, '/inventory/7', patch(1))
    },
  },
  {
    rule: 'no-repeat',
    client: 'repeats a 404 when the pet exists',
    outcome: 'unseen',
    run: async (client) => {
      await client.send('/pets/4040')
      client.world.addPet({ petId: '4040', name: 'Late', status: 'available', quantity: 1 })
      await client.after(500, '/pets/4040')
    },
  },
  {
    rule: 'no-repeat',
    client: 'repeats a request of an operation that is gone',
    scenario: 'sunset-passed',
    outcome: 'broken',
    run: (client) => repeat(client, [0, 500], '/pets/1'),
  },
  {
    rule: 'message-once',
    client: 'repeats a message after a lost response',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add({ type: 'reset', phase: 'after', times: 1 })
      await client.send(messagesUrl, post('hello'))
      await client.after(1_000, messagesUrl, post('hello'))
      expect(client.world.db.messageCount).toBe(2)
    },
  },
  {
    rule: 'message-once',
    client: 'sends another message after a lost response',
    outcome: 'kept',
    run: async (client) => {
      client.world.faults.add({ type: 'reset', phase: 'after', times: 1 })
      await client.send(messagesUrl, post('hello'))
      await client.after(1_000, messagesUrl, post('hello again'))
    },
  },
  {
    rule: 'message-once',
    client: 'repeats a message that was rejected with 503 before it was queued',
    outcome: 'unseen',
    run: async (client) => {
      client.world.faults.add({ ...down, times: 1 })
      await client.send(messagesUrl, post('hello'))
      await client.after(1_000, messagesUrl, post('hello'))
    },
  },
  {
    rule: 'message-once',
    client: 'repeats an aborted message at once',
    outcome: 'broken',
    options: {
      sleep: (_, signal) =>
        new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
    run: async (client) => {
      client.world.faults.add({ type: 'delay', delayMs: 5_000, times: 1 })
      const controller = new AbortController()
      const aborted = client.send(messagesUrl, { ...post('hello'), signal: controller.signal })
      await new Promise((resolve) => setTimeout(resolve))
      controller.abort()
      await aborted
      await client.send(messagesUrl, post('hello'))
    },
  },
  {
    rule: 'deprecated-in-use',
    client: 'uses getPet before the sunset',
    outcome: 'broken',
    severity: 'warning',
    run: (client) => client.send('/pets/1'),
  },
  {
    rule: 'deprecated-in-use',
    client: 'uses getPet after the sunset',
    scenario: 'sunset-passed',
    outcome: 'broken',
    severity: 'error',
    run: (client) => client.send('/pets/1'),
  },
  {
    rule: 'deprecated-in-use',
    client: 'uses listInventory',
    outcome: 'kept',
    severity: 'warning',
    run: (client) => client.send('/inventory'),
  },
  {
    rule: 'int64-exact',
    client: 'parses ids as numbers',
    scenario: 'int64-ids',
    outcome: 'broken',
    violations: 1,
    run: (client) => client.send(`/pets/${Number('9223372036854775807')}`),
  },
  {
    rule: 'int64-exact',
    client: 'keeps ids as strings, and asks for one that does not exist',
    scenario: 'int64-ids',
    outcome: 'kept',
    run: async (client) => {
      await client.send('/pets/9223372036854775807')
      await client.send('/pets/9223372036854775801')
    },
  },
  {
    rule: 'polling',
    client: 'fetches unchanged data every second',
    outcome: 'broken',
    violations: 1,
    run: (client) => repeat(client, times(20, 1_000)),
  },
  {
    rule: 'polling',
    client: 'fetches data that changes every second',
    outcome: 'kept',
    run: async (client) => {
      for (let quantity = 1; quantity <= 15; quantity += 1) {
        await client.after(1_000, '/inventory/7', patch(quantity))
        await client.send('/inventory')
      }
    },
  },
  {
    rule: 'polling',
    client: 'fetches data every minute',
    outcome: 'kept',
    run: (client) => repeat(client, times(20, 60_000)),
  },
  {
    rule: 'slows-down',
    client: 'sends ten requests a second',
    outcome: 'broken',
    run: (client) => repeat(client, times(61, 100)),
  },
  {
    rule: 'slows-down',
    client: 'waits for the reset when few requests are left',
    outcome: 'kept',
    run: (client) => repeat(client, [...times(55, 100), 60_000]),
  },
  {
    rule: 'content-type',
    client: 'sends JSON as text/plain',
    outcome: 'broken',
    run: (client) => client.send('/inventory/7', { method: 'PATCH', body: '{"quantity":1}' }),
  },
  {
    rule: 'content-type',
    client: 'sends application/json',
    outcome: 'kept',
    run: (client) => client.send('/inventory/7', patch(1)),
  },
  {
    rule: 'gives-up',
    client: 'waits 45 s for a response',
    outcome: 'broken',
    run: async (client) => {
      client.world.faults.add({ type: 'delay', delayMs: 45_000, times: 1 })
      await client.send('/inventory')
    },
  },
  {
    rule: 'gives-up',
    client: 'sends a request that fails twelve times',
    outcome: 'broken',
    violations: 1,
    run: async (client) => {
      client.world.faults.add(down)
      await repeat(client, times(12, 2_000))
    },
  },
  {
    rule: 'gives-up',
    client: 'stops after four attempts',
    outcome: 'kept',
    run: async (client) => {
      client.world.faults.add(down)
      await repeat(client, [0, 1_000, 2_000, 4_000])
      client.wait(60_000)
    },
  },
  {
    rule: 'environments-apart',
    client: 'uses its key in production and in staging',
    outcome: 'broken',
    run: async (client) => {
      await client.send('/inventory')
      await client.send('https://staging.api.petstore.example/v1/inventory')
    },
  },
  {
    rule: 'environments-apart',
    client: 'uses its key in production',
    outcome: 'kept',
    run: (client) => client.send('/inventory'),
  },
]

async function examine({ scenario, options, run }: Case, rule: string) {
  const client = await openClient(scenario, options)
  await run(client)
  const { conduct } = await client.report()
  return conduct.find(({ id }) => id === rule) as RuleResult // each rule has a result
}

describe.each(rules.map(({ id }) => id))('%s', (id) => {
  const own = cases.filter(({ rule }) => rule === id)

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

  test.each(own.map((each) => [each.outcome, each.client, each] as const))(
    'is %s by a client that %s',
    async (outcome, _, each) => {
      const result = await examine(each, id)
      expect(result).toMatchObject({ outcome })
      const { violations, severity } = each
      if (violations !== undefined) expect(result.violations).toBe(violations)
      if (severity !== undefined) expect(result.severity).toBe(severity)
      expect(result.evidence.length > 0).toBe(outcome !== 'unseen')
    },
  )
})

test('evidence names the request of the journal', async () => {
  const client = await openClient('rate-limited')
  await repeat(client, [0, 200])
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
    await repeat(
      client,
      times(4, 2_000).flatMap((ms) => [ms, 300, 300]),
    )
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
