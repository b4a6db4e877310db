import type { Client, Init, Way } from './client.js'

/** A client as a script, and the verdict that a person gives. */
export interface Case {
  readonly client: string
  readonly verdict: 'kept' | 'broken' | 'unseen'
  readonly scenario?: string
  readonly fault?: unknown
  /** Default: all. */
  readonly ways?: readonly Way[]
  /** Default: both. */
  readonly clocks?: readonly ('running' | 'frozen')[]
  readonly run: (client: Client) => Promise<unknown>
}

const inventory = '/v1/inventory'
const overHttp: readonly Way[] = ['one connection', 'a connection each']
const running = ['running'] as const

const patch = (quantity: number): Init => ({
  method: 'PATCH',
  body: JSON.stringify({ quantity }),
})
const post = (message: string): Init => ({ method: 'POST', body: JSON.stringify({ message }) })
const down = (atMost: number, more = {}) => ({ type: 'status', status: 503, atMost, ...more })

/** Sends a request at once, and again after each of the delays. */
function retry(delays: readonly number[], target = inventory, init?: Init) {
  return async ({ send, wait }: Client) => {
    await send(target, init)
    for (const ms of delays) {
      wait(ms)
      await send(target, init)
    }
  }
}

/** Sends requests at the same time, each on a connection of its own that stays open. */
async function sendTogether(client: Client, targets: readonly string[], init?: Init) {
  const workers = targets.map((target) => ({ target, send: client.worker() }))
  await Promise.all(workers.map(({ target, send }) => send(target, init)))
  return workers
}

/** Workers that each retry the same request after the delays, some milliseconds apart. */
function retryInWorkers(count: number, delays: readonly number[]) {
  return async (client: Client) => {
    const workers = Array.from({ length: count }, () => client.worker())
    const starts = workers.map((_, at) => at * 40)
    const sendings = workers.flatMap((send, at) => {
      let atMs = starts[at] ?? 0
      return [0, ...delays].map((delay) => {
        atMs += delay
        return { send, atMs }
      })
    })
    let nowMs = 0
    for (const { send, atMs } of sendings.sort((a, b) => a.atMs - b.atMs)) {
      client.wait(atMs - nowMs)
      nowMs = atMs
      await send(inventory)
    }
  }
}

/** Two requests to the service and a minute between them, so that the client has gone on. */
async function goOn({ send, wait }: Client) {
  wait(60_000)
  await send('/v1/store/orders')
}

export const cases: Readonly<Record<string, readonly Case[]>> = {
  'message-once': [
    {
      client: 'repeats a message 1 ms after its response was lost',
      verdict: 'broken',
      fault: { type: 'reset', phase: 'after', atMost: 1 },
      run: retry([1], '/quickstart/messages', post('hello')),
    },
    {
      client: 'repeats a message an hour after its response was lost',
      verdict: 'broken',
      fault: { type: 'reset', phase: 'after', atMost: 1 },
      run: retry([3_600_000], '/quickstart/messages', post('hello')),
    },
    {
      client: 'does not repeat a message whose response was lost',
      verdict: 'kept',
      fault: { type: 'reset', phase: 'after', atMost: 1 },
      run: async (client) => {
        await client.send('/quickstart/messages', post('hello'))
        await client.send('/quickstart/messages', post('hello again'))
      },
    },
    {
      client: 'sends the same message twice, and has both responses',
      verdict: 'unseen',
      run: retry([1], '/quickstart/messages', post('hello')),
    },
  ],
  'retry-after': [
    {
      client: 'sends 75 requests in a loop, of which 15 are rejected and ban the key',
      verdict: 'broken',
      run: retry(Array(74).fill(20)),
    },
    {
      client: 'continues with another request after a rejection',
      verdict: 'broken',
      scenario: 'rate-limited',
      run: async ({ send }) => {
        await send(inventory)
        await send('/v1/store/orders')
      },
    },
    {
      client: 'waits as long as Retry-After says',
      verdict: 'kept',
      scenario: 'rate-limited',
      run: retry([60_000]),
    },
    {
      client: 'sends five requests at the same time, and waits',
      verdict: 'kept',
      scenario: 'rate-limited',
      clocks: running,
      run: async (client) => {
        await sendTogether(client, Array(5).fill(inventory))
        await goOn(client)
      },
    },
    {
      client: 'sends five requests at the same time, and nothing else',
      verdict: 'unseen',
      scenario: 'rate-limited',
      ways: overHttp,
      run: (client) => sendTogether(client, Array(5).fill(inventory)),
    },
    {
      client: 'has a worker that sends another request 0.5 s after a rejection of the first one',
      verdict: 'unseen',
      scenario: 'rate-limited',
      ways: ['one connection'],
      run: async (client) => {
        await client.send(inventory)
        client.wait(500)
        await client.worker()(inventory)
      },
    },
    {
      client: 'has a worker that sends another request 1.5 s after a rejection of the first one',
      verdict: 'broken',
      scenario: 'rate-limited',
      run: async (client) => {
        await client.send(inventory)
        client.wait(1_500)
        await client.worker()('/v1/store/orders')
      },
    },
    {
      client: 'ignores the Retry-After of a 503',
      verdict: 'broken',
      fault: down(1, { retryAfterSeconds: 30 }),
      run: retry([1_000]),
    },
    {
      client: 'has its key restored by the sandbox before Retry-After has passed',
      verdict: 'unseen',
      scenario: 'rate-limited',
      run: async (client) => {
        await client.send(inventory)
        await client.control('PATCH', '/quota', { minute: { used: 0 } })
        await client.send(inventory)
      },
    },
  ],
  'back-off': [
    {
      client: 'retries after 0.8, 0.4, 0.2 and 0.1 s',
      verdict: 'broken',
      fault: down(9),
      run: retry([800, 400, 200, 100]),
    },
    {
      client: 'retries after 0.3, 0.4, 0.3 and 0.3 s',
      verdict: 'broken',
      fault: down(9),
      run: retry([300, 400, 300, 300]),
    },
    { client: 'retries at once', verdict: 'broken', fault: down(9), run: retry([0, 0, 0]) },
    { client: 'retries every second', verdict: 'broken', fault: down(9), run: retry([1e3, 1e3]) },
    {
      client: 'doubles its delays',
      verdict: 'kept',
      fault: down(9),
      run: retry([1_000, 2_000, 4_000]),
    },
    {
      client: 'doubles its delays up to 30 s',
      verdict: 'kept',
      fault: down(9),
      run: retry([8_000, 16_000, 30_000, 30_000]),
    },
    {
      client: 'draws 0.9, 0.3 and 2.2 s from growing ranges',
      verdict: 'unseen',
      fault: down(9),
      run: retry([900, 300, 2_200]),
    },
    {
      client: 'has three workers that each double their delays, on their own connections',
      verdict: 'kept',
      fault: down(99),
      ways: ['one connection'],
      run: retryInWorkers(3, [1_000, 2_000, 4_000]),
    },
    {
      client: 'has three workers that each double their delays, without connections',
      verdict: 'unseen',
      fault: down(99),
      ways: ['in process'],
      run: retryInWorkers(3, [1_000, 2_000, 4_000]),
    },
    {
      client: 'has three workers that each retry every second, on their own connections',
      verdict: 'broken',
      fault: down(99),
      ways: ['one connection'],
      run: retryInWorkers(3, [1_000, 1_000, 1_000]),
    },
    {
      client: 'retries once',
      verdict: 'unseen',
      fault: down(9),
      run: retry([1_000]),
    },
  ],
  'stop-on-401': [
    {
      client: 'repeats a request that received 401',
      verdict: 'broken',
      fault: { type: 'status', status: 401 },
      run: retry([1_000]),
    },
    {
      client: 'stops after a 401',
      verdict: 'kept',
      fault: { type: 'status', status: 401 },
      run: retry([]),
    },
    {
      client: 'sends three requests at the same time that receive 401',
      verdict: 'unseen',
      fault: { type: 'status', status: 401 },
      ways: ['one connection'],
      run: (client) => sendTogether(client, Array(3).fill(inventory)),
    },
  ],
  'slows-down': [
    {
      client: 'uses the last request and sends another',
      verdict: 'broken',
      scenario: 'nearly-limited',
      run: retry([0]),
    },
    {
      client: 'waits for the next window after the last request',
      verdict: 'kept',
      scenario: 'nearly-limited',
      clocks: running,
      run: retry([60_000]),
    },
    {
      client: 'uses the last request, and the window has not ended',
      verdict: 'unseen',
      scenario: 'nearly-limited',
      run: retry([]),
    },
    {
      client: 'sends the last request and another at the same time',
      verdict: 'unseen',
      scenario: 'nearly-limited',
      ways: ['one connection'],
      run: (client) => sendTogether(client, [inventory, inventory]),
    },
  ],
  'no-ban': [
    {
      client: 'sends requests until it is banned',
      verdict: 'broken',
      scenario: 'rate-limited',
      run: retry(Array(12).fill(10)),
    },
    { client: 'stops at 429', verdict: 'kept', scenario: 'rate-limited', run: retry([]) },
    { client: 'has a banned key', verdict: 'unseen', scenario: 'banned-key', run: retry([]) },
  ],
  'no-repeat': [
    {
      client: 'repeats an invalid request',
      verdict: 'broken',
      run: retry([0], '/v1/inventory/7', patch(-1)),
    },
    {
      client: 'corrects an invalid request',
      verdict: 'kept',
      run: async ({ send }) => {
        await send('/v1/inventory/7', patch(-1))
        await send('/v1/inventory/7', patch(1))
      },
    },
    {
      client: 'sends an invalid request three times at the same time',
      verdict: 'unseen',
      ways: ['one connection'],
      run: (client) => sendTogether(client, Array(3).fill('/v1/inventory/7'), patch(-1)),
    },
  ],
  'gives-up': [
    {
      client: 'waits 45 s for a response',
      verdict: 'broken',
      fault: { type: 'delay', delayMs: 45_000, atMost: 1 },
      run: retry([]),
    },
    {
      client: 'sends a request that fails twelve times',
      verdict: 'broken',
      fault: down(99),
      run: retry(Array(11).fill(2_000)),
    },
    {
      client: 'stops after four attempts',
      verdict: 'kept',
      clocks: running,
      fault: down(99),
      run: async (client) => {
        await retry([1_000, 2_000, 4_000])(client)
        await goOn(client)
      },
    },
    {
      client: 'sends twelve requests at the same time that fail',
      verdict: 'unseen',
      ways: ['one connection'],
      fault: down(99),
      run: (client) => sendTogether(client, Array(12).fill(inventory)),
    },
  ],
  jitter: [
    {
      client: 'retries three requests at the same time',
      verdict: 'broken',
      fault: down(3),
      ways: ['one connection'],
      run: async (client) => {
        const targets = [inventory, '/v1/store/orders', '/v1/pets/1']
        const workers = await sendTogether(client, targets)
        client.wait(1_000)
        await Promise.all(workers.map(({ target, send }) => send(target)))
      },
    },
    {
      client: 'retries three requests at different times',
      verdict: 'kept',
      fault: down(3),
      ways: ['one connection'],
      run: async (client) => {
        const targets = [inventory, '/v1/store/orders', '/v1/pets/1']
        for (const { target, send } of await sendTogether(client, targets)) {
          client.wait(400)
          await send(target)
        }
      },
    },
    {
      client: 'retries three requests one after the other',
      verdict: 'kept',
      fault: down(3),
      run: async (client) => {
        const targets = [inventory, '/v1/store/orders', '/v1/pets/1']
        for (const target of [...targets, ...targets]) await client.send(target)
      },
    },
  ],
  polling: [
    {
      client: 'fetches unchanged data every second',
      verdict: 'broken',
      run: retry(Array(12).fill(1_000)),
    },
    {
      client: 'fetches unchanged data every minute',
      verdict: 'kept',
      run: retry(Array(12).fill(60_000)),
    },
    {
      client: 'fetches the same data twelve times at the same time',
      verdict: 'unseen',
      ways: ['one connection'],
      run: (client) => sendTogether(client, Array(12).fill(inventory)),
    },
  ],
  'content-type': [
    {
      client: 'sends JSON as text/plain',
      verdict: 'broken',
      run: retry([], '/v1/inventory/7', {
        ...patch(1),
        headers: { 'Content-Type': 'text/plain' },
      }),
    },
    { client: 'sends JSON', verdict: 'kept', run: retry([], '/v1/inventory/7', patch(1)) },
    { client: 'sends no body', verdict: 'unseen', run: retry([]) },
  ],
  'int64-exact': [
    {
      client: 'rounds an id',
      verdict: 'broken',
      scenario: 'int64-ids',
      run: retry([], '/v1/pets/9223372036854776000'),
    },
    {
      client: 'keeps an id exact',
      verdict: 'kept',
      scenario: 'int64-ids',
      run: retry([], '/v1/pets/9223372036854775807'),
    },
    { client: 'names a small id', verdict: 'unseen', run: retry([], '/v1/pets/1') },
  ],
  'deprecated-in-use': [
    { client: 'uses getPet', verdict: 'broken', run: retry([], '/v1/pets/1') },
    { client: 'uses listInventory', verdict: 'kept', run: retry([]) },
  ],
  'environments-apart': [
    {
      client: 'uses its key in production and in staging',
      verdict: 'broken',
      ways: overHttp,
      run: async ({ send }) => {
        await send(inventory)
        await send('/staging/v1/inventory')
      },
    },
    { client: 'uses its key in production', verdict: 'kept', run: retry([]) },
  ],
}
