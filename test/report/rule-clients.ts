import { expect } from 'vitest'
import type { FaultInput, SandboxOptions } from '../../src/index.js'
import { createSleep } from '../support/sleep.js'
import { type Init, messagesUrl, openClient, type TestClient, type Way } from './support.js'

export type Run = (client: TestClient) => Promise<unknown>

/** A client. The golden file `reports` has what the rules find in its requests. */
export interface Case {
  readonly client: string
  readonly scenario?: string
  readonly options?: SandboxOptions
  /** Added before the first request. */
  readonly fault?: FaultInput
  readonly run: Run
}

const json = { 'Content-Type': 'application/json' }
export const patch = (quantity: number): Init => ({
  method: 'PATCH',
  headers: json,
  body: JSON.stringify({ quantity }),
})
export const post = (message: string): Init => ({
  method: 'POST',
  headers: json,
  body: JSON.stringify({ message }),
})

/** Sends a request after each of the delays, in milliseconds. */
export function repeat(delays: readonly number[], target = '/inventory', init?: Init): Run {
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

export function times(count: number, ms: number): number[] {
  return Array(count).fill(ms)
}

export const down = { type: 'status', status: 503 } as const

/** Clients that show what each rule finds, by the id of the rule. */
export const cases: Readonly<Record<string, readonly Case[]>> = {
  'retry-after': [
    {
      client: 'retries after 0.2 s of 60',
      scenario: 'rate-limited',
      run: repeat([0, 200]),
    },
    {
      client: 'waits as long as Retry-After says',
      scenario: 'rate-limited',
      run: repeat([0, 60_000]),
    },
    {
      client: 'waits until X-RateLimit-Reset, up to a second before Retry-After',
      run: async (client) => {
        // The window ends at 60.0 s, and Retry-After is 60 s after 0.1 s.
        await repeat([...times(60, 0), 100, 59_900])(client)
        expect(client.world.requests.count({ status: 429 })).toBe(1)
      },
    },
    {
      client: 'sends the same request five times at the same time',
      scenario: 'rate-limited',
      run: (client) => Promise.all(times(5, 0).map(() => client.send('/inventory'))),
    },
    {
      client: 'asks for a 429 with Prefer, and repeats the request without it',
      run: async (client) => {
        await client.send('/inventory', { headers: { Prefer: 'code=429' } })
        await client.after(1_500, '/inventory')
      },
    },
    {
      client: 'repeats a request at once, while the clock stands still',
      scenario: 'rate-limited',
      run: repeat(times(5, 0)),
    },
    {
      client: 'continues with other requests',
      scenario: 'rate-limited',
      run: async (client) => {
        await client.send('/inventory')
        await client.after(5_000, '/store/orders')
        await client.after(5_000, '/pets/1')
      },
    },
    {
      client: 'ignores Retry-After of a 503',
      fault: { ...down, atMost: 1, retryAfterSeconds: 30 },
      run: repeat([0, 1_000]),
    },
    {
      client: 'goes on when a test has lifted the limit',
      scenario: 'rate-limited',
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
      fault: down,
      run: repeat([0, 1_000, 1_010, 1_000]),
    },
    {
      client: 'doubles its delays',
      fault: { ...down, atMost: 3 },
      run: repeat([0, 1_000, 2_000, 4_000]),
    },
    {
      client: 'draws its delays from growing ranges, which shows nothing',
      fault: { ...down, atMost: 3 },
      run: repeat([0, 700, 400, 3_100]),
    },
    {
      client: 'retries at once',
      fault: { ...down, atMost: 3 },
      run: repeat([0, 0, 0, 0]),
    },
    {
      client: 'waits 60 s each time, because Retry-After says so',
      fault: { ...down, atMost: 3, retryAfterSeconds: 60 },
      run: repeat([0, 60_000, 60_000, 60_000]),
    },
  ],
  jitter: [
    {
      client: 'repeats one request that fails several times',
      fault: { ...down, atMost: 4 },
      run: repeat([0, 100, 100, 100, 100]),
    },
    {
      client: 'retries three requests at the same time',
      scenario: 'rate-limited',
      run: async (client) => {
        const sendAll = () =>
          Promise.all(['/inventory', '/store/orders', '/pets/1'].map((path) => client.send(path)))
        await sendAll()
        client.wait(60_000)
        await sendAll()
      },
    },
    {
      client: 'retries three requests one after the other',
      scenario: 'rate-limited',
      run: retryThree(0),
    },
    {
      client: 'spreads the retries of three requests',
      scenario: 'rate-limited',
      run: retryThree(150),
    },
  ],
  'no-ban': [
    {
      client: 'continues after 429 until it is banned',
      scenario: 'rate-limited',
      run: repeat(times(12, 1_000)),
    },
    {
      client: 'waits after 429',
      scenario: 'rate-limited',
      run: repeat([0, 60_000]),
    },
    {
      client: 'has a key that the scenario has banned',
      scenario: 'banned-key',
      run: repeat([0, 1_000]),
    },
  ],
  'stop-on-401': [
    {
      client: 'retries a 401',
      fault: { type: 'status', status: 401 },
      run: repeat([0, 1_000]),
    },
    {
      client: 'stops at a 401',
      run: (client) => client.send('/inventory', { headers: { Prefer: 'code=401' } }),
    },
  ],
  'no-repeat': [
    {
      client: 'repeats an invalid request',
      run: repeat([0, 500, 500], '/inventory/7', patch(-1)),
    },
    {
      client: 'corrects an invalid request',
      run: async (client) => {
        await client.send('/inventory/7', patch(-1))
        await client.after(500, '/inventory/7', patch(1))
      },
    },
    {
      client: 'repeats a 404 when the pet exists',
      run: async (client) => {
        await client.send('/pets/4040')
        client.world.db.pets.add({ petId: '4040', name: 'Late', status: 'available', quantity: 1 })
        await client.after(500, '/pets/4040')
      },
    },
    {
      client: 'repeats a request of an operation that is gone',
      scenario: 'sunset-passed',
      run: repeat([0, 500], '/pets/1'),
    },
  ],
  'message-once': [
    {
      client: 'repeats a message after a lost response',
      fault: { type: 'reset', phase: 'after', atMost: 1 },
      run: async (client) => {
        await sendMessages('hello', 'hello')(client)
        expect(client.world.db.messages.count).toBe(2)
      },
    },
    {
      client: 'sends another message after a lost response',
      fault: { type: 'reset', phase: 'after', atMost: 1 },
      run: sendMessages('hello', 'hello again'),
    },
    {
      client: 'repeats a message that was rejected with 503 before it was queued',
      fault: { ...down, atMost: 1 },
      run: sendMessages('hello', 'hello'),
    },
    {
      client: 'repeats an aborted message at once',
      options: { sleep: createSleep().sleep },
      fault: { type: 'delay', delayMs: 5_000, atMost: 1 },
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
      run: (client) => client.send('/pets/1'),
    },
    {
      client: 'uses getPet after the sunset',
      scenario: 'sunset-passed',
      run: (client) => client.send('/pets/1'),
    },
    {
      client: 'uses listInventory',
      run: (client) => client.send('/inventory'),
    },
  ],
  'int64-exact': [
    {
      client: 'parses ids as numbers',
      scenario: 'int64-ids',
      run: (client) => client.send(`/pets/${Number('9223372036854775807')}`),
    },
    {
      client: 'keeps ids as strings, and asks for one that does not exist',
      scenario: 'int64-ids',
      run: async (client) => {
        await client.send('/pets/9223372036854775807')
        await client.send('/pets/9223372036854775801')
      },
    },
  ],
  polling: [
    {
      client: 'fetches unchanged data every second',
      run: repeat(times(20, 1_000)),
    },
    {
      client: 'fetches data that changes every second',
      run: async (client) => {
        for (let quantity = 1; quantity <= 15; quantity += 1) {
          await client.after(1_000, '/inventory/7', patch(quantity))
          await client.send('/inventory')
        }
      },
    },
    {
      client: 'fetches data every minute',
      run: repeat(times(20, 60_000)),
    },
  ],
  'slows-down': [
    {
      client: 'sends ten requests a second',
      run: repeat(times(61, 100)),
    },
    {
      client: 'waits for the reset when few requests are left',
      run: repeat([...times(55, 100), 60_000]),
    },
  ],
  'content-type': [
    {
      client: 'sends JSON as text/plain',
      run: (client) => client.send('/inventory/7', { method: 'PATCH', body: '{"quantity":1}' }),
    },
    {
      client: 'sends application/json',
      run: (client) => client.send('/inventory/7', patch(1)),
    },
  ],
  'gives-up': [
    {
      client: 'waits 45 s for a response',
      fault: { type: 'delay', delayMs: 45_000, atMost: 1 },
      run: (client) => client.send('/inventory'),
    },
    {
      client: 'sends a request that fails twelve times',
      fault: down,
      run: repeat(times(12, 2_000)),
    },
    {
      client: 'stops after four attempts',
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
      run: async (client) => {
        await client.send('/inventory')
        await client.send('https://staging.api.petstore.example/v1/inventory')
      },
    },
    {
      client: 'uses its key in production',
      run: (client) => client.send('/inventory'),
    },
  ],
}

/** Runs the client of a case, and returns it. */
export async function runCase(
  { scenario, options, fault, run }: Case,
  way?: Way,
  isFrozen = false,
): Promise<TestClient> {
  const client = await openClient(scenario, options, way)
  if (isFrozen) client.world.clock.freeze()
  if (fault) client.world.faults.add(fault)
  await run(client)
  return client
}
