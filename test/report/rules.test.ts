import { describe, expect, test } from 'vitest'
import type { FaultInput, SandboxOptions } from '../../src/index.js'
import type { RuleResult } from '../../src/report/report.js'
import { rules } from '../../src/report/rules/rules.js'
import { messagesUrl, openClient, type TestClient } from './support.js'

type Run = (client: TestClient) => Promise<unknown>

/** A client, and what the rule finds. */
interface Case {
  readonly client: string
  readonly outcome: 'kept' | 'broken' | 'unseen'
  readonly violations?: number
  readonly severity?: 'error' | 'warning'
  readonly scenario?: string
  readonly options?: SandboxOptions
  /** Added before the first request. */
  readonly fault?: FaultInput
  readonly run: Run
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
function repeat(delays: readonly number[], target = '/inventory', init?: RequestInit): Run {
  return async (client) => {
    for (const ms of delays) await client.after(ms, target, init)
  }
}

/** Sends two messages, the second one a second after the response to the first one. */
function sendMessages(first: string, second: string): Run {
  return async (client) => {
    await client.send(messagesUrl, post(first))
    await client.after(1_000, messagesUrl, post(second))
  }
}

/** Sends three requests, and again after a minute, with a delay before each of them. */
function retryThree(delayMs: number): Run {
  return async (client) => {
    const paths = ['/inventory', '/store/orders', '/pets/1']
    for (const path of paths) await client.send(path)
    client.wait(60_000)
    for (const path of paths) await client.after(delayMs, path)
  }
}

function times(count: number, ms: number): number[] {
  return Array(count).fill(ms)
}

const down = { type: 'status', status: 503 } as const

const cases: Readonly<Record<string, readonly Case[]>> = {
  'retry-after': [
    {
      client: 'retries after 0.2 s of 60',
      scenario: 'rate-limited',
      outcome: 'broken',
      violations: 1,
      run: repeat([0, 200]),
    },
    {
      client: 'waits as long as Retry-After says',
      scenario: 'rate-limited',
      outcome: 'kept',
      run: repeat([0, 60_000]),
    },
    {
      client: 'waits until X-RateLimit-Reset, up to a second before Retry-After',
      outcome: 'kept',
      run: async (client) => {
        // The window ends at 60.0 s, and Retry-After is 60 s after 0.1 s.
        await repeat([...times(60, 0), 100, 59_900])(client)
        expect(client.world.requests.count({ status: 429 })).toBe(1)
      },
    },
    {
      client: 'sends the same request five times at the same time',
      scenario: 'rate-limited',
      outcome: 'unseen',
      run: (client) => Promise.all(times(5, 0).map(() => client.send('/inventory'))),
    },
    {
      client: 'repeats a request at once, while the clock stands still',
      scenario: 'rate-limited',
      outcome: 'broken',
      violations: 4,
      run: repeat(times(5, 0)),
    },
    {
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
      client: 'ignores Retry-After of a 503',
      outcome: 'broken',
      fault: { ...down, times: 1, retryAfterSeconds: 30 },
      run: repeat([0, 1_000]),
    },
    {
      client: 'goes on when a test has lifted the limit',
      scenario: 'rate-limited',
      outcome: 'unseen',
      run: async (client) => {
        await client.send('/inventory')
        client.world.quota.account('free').set({ minute: { used: 0 } })
        await client.after(1_000, '/inventory')
      },
    },
  ],
  'back-off': [
    {
      client: 'retries every second',
      outcome: 'broken',
      fault: down,
      run: repeat([0, 1_000, 1_010, 1_000]),
    },
    {
      client: 'doubles its delays',
      outcome: 'kept',
      fault: { ...down, times: 3 },
      run: repeat([0, 1_000, 2_000, 4_000]),
    },
    {
      client: 'draws its delays from growing ranges',
      outcome: 'kept',
      fault: { ...down, times: 3 },
      run: repeat([0, 700, 400, 3_100]),
    },
    {
      client: 'retries at once',
      outcome: 'broken',
      fault: { ...down, times: 3 },
      run: repeat([0, 0, 0, 0]),
    },
    {
      client: 'waits 60 s each time, because Retry-After says so',
      outcome: 'unseen',
      fault: { ...down, times: 3, retryAfterSeconds: 60 },
      run: repeat([0, 60_000, 60_000, 60_000]),
    },
  ],
  jitter: [
    {
      client: 'retries three requests at the same time',
      scenario: 'rate-limited',
      outcome: 'broken',
      violations: 1,
      run: retryThree(0),
    },
    {
      client: 'spreads the retries of three requests',
      scenario: 'rate-limited',
      outcome: 'kept',
      run: retryThree(150),
    },
  ],
  'no-ban': [
    {
      client: 'continues after 429 until it is banned',
      scenario: 'rate-limited',
      outcome: 'broken',
      violations: 1,
      run: repeat(times(12, 1_000)),
    },
    {
      client: 'waits after 429',
      scenario: 'rate-limited',
      outcome: 'kept',
      run: repeat([0, 60_000]),
    },
    {
      client: 'has a key that the scenario has banned',
      scenario: 'banned-key',
      outcome: 'unseen',
      run: repeat([0, 1_000]),
    },
  ],
  'stop-on-401': [
    {
      client: 'retries a 401',
      outcome: 'broken',
      fault: { type: 'status', status: 401 },
      run: repeat([0, 1_000]),
    },
    {
      client: 'stops at a 401',
      outcome: 'kept',
      run: (client) => client.send('/inventory', { headers: { Prefer: 'code=401' } }),
    },
  ],
  'no-repeat': [
    {
      client: 'repeats an invalid request',
      outcome: 'broken',
      violations: 2,
      run: repeat([0, 500, 500], '/inventory/7', patch(-1)),
    },
    {
      client: 'corrects an invalid request',
      outcome: 'kept',
      run: async (client) => {
        await client.send('/inventory/7', patch(-1))
        await client.after(500, '/inventory/7', patch(1))
      },
    },
    {
      client: 'repeats a 404 when the pet exists',
      outcome: 'unseen',
      run: async (client) => {
        await client.send('/pets/4040')
        client.world.addPet({ petId: '4040', name: 'Late', status: 'available', quantity: 1 })
        await client.after(500, '/pets/4040')
      },
    },
    {
      client: 'repeats a request of an operation that is gone',
      scenario: 'sunset-passed',
      outcome: 'broken',
      run: repeat([0, 500], '/pets/1'),
    },
  ],
  'message-once': [
    {
      client: 'repeats a message after a lost response',
      outcome: 'broken',
      fault: { type: 'reset', phase: 'after', times: 1 },
      run: async (client) => {
        await sendMessages('hello', 'hello')(client)
        expect(client.world.db.messageCount).toBe(2)
      },
    },
    {
      client: 'sends another message after a lost response',
      outcome: 'kept',
      fault: { type: 'reset', phase: 'after', times: 1 },
      run: sendMessages('hello', 'hello again'),
    },
    {
      client: 'repeats a message that was rejected with 503 before it was queued',
      outcome: 'unseen',
      fault: { ...down, times: 1 },
      run: sendMessages('hello', 'hello'),
    },
    {
      client: 'repeats an aborted message at once',
      outcome: 'broken',
      options: {
        sleep: (_, signal) =>
          new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
      },
      fault: { type: 'delay', delayMs: 5_000, times: 1 },
      run: async (client) => {
        const controller = new AbortController()
        const aborted = client.send(messagesUrl, { ...post('hello'), signal: controller.signal })
        await new Promise((resolve) => setTimeout(resolve))
        controller.abort()
        await aborted
        await client.send(messagesUrl, post('hello'))
      },
    },
  ],
  'deprecated-in-use': [
    {
      client: 'uses getPet before the sunset',
      outcome: 'broken',
      severity: 'warning',
      run: (client) => client.send('/pets/1'),
    },
    {
      client: 'uses getPet after the sunset',
      scenario: 'sunset-passed',
      outcome: 'broken',
      severity: 'error',
      run: (client) => client.send('/pets/1'),
    },
    {
      client: 'uses listInventory',
      outcome: 'kept',
      severity: 'warning',
      run: (client) => client.send('/inventory'),
    },
  ],
  'int64-exact': [
    {
      client: 'parses ids as numbers',
      scenario: 'int64-ids',
      outcome: 'broken',
      violations: 1,
      run: (client) => client.send(`/pets/${Number('9223372036854775807')}`),
    },
    {
      client: 'keeps ids as strings, and asks for one that does not exist',
      scenario: 'int64-ids',
      outcome: 'kept',
      run: async (client) => {
        await client.send('/pets/9223372036854775807')
        await client.send('/pets/9223372036854775801')
      },
    },
  ],
  polling: [
    {
      client: 'fetches unchanged data every second',
      outcome: 'broken',
      violations: 1,
      run: repeat(times(20, 1_000)),
    },
    {
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
      client: 'fetches data every minute',
      outcome: 'kept',
      run: repeat(times(20, 60_000)),
    },
  ],
  'slows-down': [
    {
      client: 'sends ten requests a second',
      outcome: 'broken',
      run: repeat(times(61, 100)),
    },
    {
      client: 'waits for the reset when few requests are left',
      outcome: 'kept',
      run: repeat([...times(55, 100), 60_000]),
    },
  ],
  'content-type': [
    {
      client: 'sends JSON as text/plain',
      outcome: 'broken',
      run: (client) => client.send('/inventory/7', { method: 'PATCH', body: '{"quantity":1}' }),
    },
    {
      client: 'sends application/json',
      outcome: 'kept',
      run: (client) => client.send('/inventory/7', patch(1)),
    },
  ],
  'gives-up': [
    {
      client: 'waits 45 s for a response',
      outcome: 'broken',
      fault: { type: 'delay', delayMs: 45_000, times: 1 },
      run: (client) => client.send('/inventory'),
    },
    {
      client: 'sends a request that fails twelve times',
      outcome: 'broken',
      violations: 1,
      fault: down,
      run: repeat(times(12, 2_000)),
    },
    {
      client: 'stops after four attempts',
      outcome: 'kept',
      fault: down,
      run: async (client) => {
        await repeat([0, 1_000, 2_000, 4_000])(client)
        client.wait(60_000)
      },
    },
  ],
  'environments-apart': [
    {
      client: 'uses its key in production and in staging',
      outcome: 'broken',
      run: async (client) => {
        await client.send('/inventory')
        await client.send('https://staging.api.petstore.example/v1/inventory')
      },
    },
    {
      client: 'uses its key in production',
      outcome: 'kept',
      run: (client) => client.send('/inventory'),
    },
  ],
}

async function examine({ scenario, options, fault, run }: Case, rule: string) {
  const client = await openClient(scenario, options)
  if (fault) client.world.faults.add(fault)
  await run(client)
  const { conduct } = await client.report()
  return conduct.find(({ id }) => id === rule) as RuleResult // each rule has a result
}

describe.each(rules.map(({ id }) => id))('%s', (id) => {
  const own = cases[id] ?? []

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
