import { type Case, down, patch, post, type Run, repeat } from './rule-clients.js'
import { messagesUrl, type TestClient, type Way } from './support.js'

/** A client with several connections, or several requests at a time, and the verdict of a person. */
export interface JudgedCase extends Case {
  readonly verdict: 'kept' | 'broken' | 'unseen'
  /** Default: all. */
  readonly ways?: readonly Way[]
  /** Whether the clock may stand still. Default: true. */
  readonly canFreeze?: boolean
}

const inventory = '/inventory'
const overHttp: readonly Way[] = ['one connection', 'a connection each']

/** Sends requests at the same time, each on a connection of its own that stays open. */
async function sendTogether(
  client: TestClient,
  targets: readonly string[],
  init?: Parameters<TestClient['send']>[1],
) {
  const workers = targets.map((target) => ({ target, send: client.worker() }))
  await Promise.all(workers.map(({ target, send }) => send(target, init)))
  return workers
}

/** Workers that each retry the same request after the delays, some milliseconds apart. */
function retryInWorkers(count: number, delays: readonly number[]): Run {
  return async (client) => {
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
const goOn: Run = ({ after }) => after(60_000, '/store/orders')

export const cases: Readonly<Record<string, readonly JudgedCase[]>> = {
  'message-once': [
    {
      client: 'sends the same message twice, and has both responses',
      verdict: 'unseen',
      run: repeat([0, 1], messagesUrl, post('hello')),
    },
  ],
  'retry-after': [
    {
      client: 'sends five requests at the same time, and waits',
      verdict: 'kept',
      scenario: 'rate-limited',
      canFreeze: false,
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
        await client.worker()('/store/orders')
      },
    },
  ],
  'back-off': [
    {
      client: 'has three workers that each double their delays, on their own connections',
      verdict: 'kept',
      fault: down,
      ways: ['one connection'],
      run: retryInWorkers(3, [1_000, 2_000, 4_000]),
    },
    {
      client: 'has three workers that each double their delays, without connections',
      verdict: 'unseen',
      fault: down,
      ways: ['in process'],
      run: retryInWorkers(3, [1_000, 2_000, 4_000]),
    },
    {
      client: 'has three workers that each retry every second, on their own connections',
      verdict: 'broken',
      fault: down,
      ways: ['one connection'],
      run: retryInWorkers(3, [1_000, 1_000, 1_000]),
    },
  ],
  'stop-on-401': [
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
      client: 'uses the last request, and the window has not ended',
      verdict: 'unseen',
      scenario: 'nearly-limited',
      run: repeat([0]),
    },
    {
      client: 'sends the last request and another at the same time',
      verdict: 'unseen',
      scenario: 'nearly-limited',
      ways: ['one connection'],
      run: (client) => sendTogether(client, [inventory, inventory]),
    },
  ],
  'no-repeat': [
    {
      client: 'sends an invalid request three times at the same time',
      verdict: 'unseen',
      ways: ['one connection'],
      run: (client) => sendTogether(client, Array(3).fill('/inventory/7'), patch(-1)),
    },
  ],
  'gives-up': [
    {
      client: 'sends twelve requests at the same time that fail',
      verdict: 'unseen',
      ways: ['one connection'],
      fault: down,
      run: (client) => sendTogether(client, Array(12).fill(inventory)),
    },
  ],
  jitter: [
    {
      client: 'retries three requests at the same time',
      verdict: 'broken',
      fault: { ...down, atMost: 3 },
      ways: ['one connection'],
      run: async (client) => {
        const targets = [inventory, '/store/orders', '/pets/1']
        const workers = await sendTogether(client, targets)
        client.wait(1_000)
        await Promise.all(workers.map(({ target, send }) => send(target)))
      },
    },
    {
      client: 'retries three requests at different times',
      verdict: 'kept',
      fault: { ...down, atMost: 3 },
      ways: ['one connection'],
      run: async (client) => {
        const targets = [inventory, '/store/orders', '/pets/1']
        for (const { target, send } of await sendTogether(client, targets)) {
          client.wait(400)
          await send(target)
        }
      },
    },
  ],
  polling: [
    {
      client: 'fetches the same data twelve times at the same time',
      verdict: 'unseen',
      ways: ['one connection'],
      run: (client) => sendTogether(client, Array(12).fill(inventory)),
    },
  ],
}
