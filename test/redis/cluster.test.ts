import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
} from 'vitest'
import type { HttpResponse } from '../support/http-client.js'
import { Cluster } from './support/cluster.js'

interface ShownRequest {
  readonly id: number
  readonly at: string
  readonly explanation: readonly string[]
  readonly request: { readonly body: string }
  readonly response: { readonly status: number; readonly headers: Record<string, string> }
}

const count = (length: number) => Array.from({ length }, (_, at) => at + 1)

/** Returns the journal of a world as a replica shows it, oldest first. */
async function readJournal(cluster: Cluster, key: string, replica = 0): Promise<ShownRequest[]> {
  const { json } = await cluster.send({ path: '/sandbox/requests?limit=1000', key, replica })
  return json.toReversed()
}

/** Returns the summary of a world as a replica shows it. */
async function readOverview(cluster: Cluster, key: string, replica = 0) {
  return (await cluster.send({ path: '/sandbox', key, replica })).json
}

/** Sends a message, whose text tells it apart, to a random or the given replica. */
function sendMessage(cluster: Cluster, key: string, message: string, replica?: number) {
  const body = { method: 'POST', path: '/quickstart/messages', json: { message }, key }
  return cluster.send(replica === undefined ? body : { ...body, replica })
}

/** Waits until all replicas are ready again. */
async function recover(cluster: Cluster): Promise<void> {
  for (let replica = 0; replica < cluster.size; replica++) {
    const isReady = () =>
      cluster.send({ path: '/readyz', replica }).then(({ status }) => status === 200)
    while (!(await isReady())) await nextTurn()
  }
}

describe('three replicas', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await Cluster.start(3)
  })
  afterAll(() => cluster?.stop())

  test('let exactly 60 of 500 concurrent requests on Free pass, and list each of them', async () => {
    const key = 'sbx_free_frozen'
    const responses = await Promise.all(
      count(500).map(() => cluster.send({ path: '/v1/inventory', key })),
    )
    const codes: Record<string, number> = {}
    for (const { status, json } of responses) {
      const code = `${status} ${json.code ?? ''}`
      codes[code] = (codes[code] ?? 0) + 1
    }
    // The tenth rejection bans the key.
    expect(codes).toEqual({ '200 ': 60, '429 rate_limit_exceeded': 9, '429 api_key_banned': 431 })
    const remaining = responses
      .filter(({ status }) => status === 200)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
    expect(remaining.sort((a, b) => a - b)).toEqual(count(60).map((number) => number - 1))
    for (const replica of [0, 1, 2]) {
      const journal = await readJournal(cluster, key, replica)
      expect(journal.map(({ id }) => id)).toEqual(count(500))
      expect(journal.filter(({ response }) => response.status === 200)).toHaveLength(60)
    }
  })

  test('show the requests of all replicas in each event stream, in order and once', async () => {
    const key = 'sbx_enterprise_frozen_stream'
    const streams = await Promise.all([0, 1, 2].map((replica) => cluster.openStream(replica, key)))
    const requests = 300
    let sent = 0
    const work = async () => {
      while (sent < requests) {
        sent += 1
        // Replica 2 learns about the requests from Redis only.
        await cluster.send({ path: '/v1/inventory', key, replica: sent % 2 })
      }
    }
    await Promise.all(count(6).map(work))
    for (const next of streams) {
      const ids: string[] = []
      for (const _ of count(requests)) ids.push((await next()).split('\n')[0] ?? '')
      expect(ids).toEqual(count(requests).map((id) => `id: ${id}`))
    }
  })

  test('end the event streams of all replicas when one restarts the world', async () => {
    const key = 'sbx_enterprise_frozen_restart'
    const streams = await Promise.all([0, 1, 2].map((replica) => cluster.openStream(replica, key)))
    const used = await cluster.send({
      ...{ method: 'PUT', path: '/sandbox/scenario', json: 'low-stock', key, replica: 1 },
    })
    expect(used.status).toBe(200)
    const { generation } = used.json
    for (const next of streams) {
      expect(await next()).toBe(
        `event: end\ndata: ${JSON.stringify({ reason: 'restarted', generation })}`,
      )
    }
    for (const replica of [0, 1, 2]) {
      const overview = await readOverview(cluster, key, replica)
      expect(overview).toMatchObject({ scenario: 'low-stock', generation, counts: { requests: 0 } })
    }
    await cluster.send({ path: '/v1/inventory', key, replica: 2 })
    const reset = await cluster.send({ method: 'POST', path: '/sandbox/reset', key, replica: 0 })
    expect(reset.json.generation).toBeGreaterThan(generation)
    expect(await readOverview(cluster, key, 1)).toMatchObject({
      scenario: 'low-stock',
      generation: reset.json.generation,
      quota: { minute: { used: 0 } },
    })
  })

  test('continue from the last valid step of a world, and the journal says so', async () => {
    const key = 'sbx_enterprise_frozen_damaged'
    for (const number of count(4)) await sendMessage(cluster, key, `message ${number}`, 0)
    await cluster.server.command('HSET {petstore-sandbox!production/frozen/damaged} 4 damaged')
    // Replica 1 loads the world now.
    expect((await sendMessage(cluster, key, 'after', 1)).status).toBe(200)
    const notice =
      'the latest stored steps of this world are lost (1): the first of them could not be read; the world continues from the last step before them'
    for (const replica of [0, 1, 2]) {
      const journal = await readJournal(cluster, key, replica)
      expect(journal.map(({ request }) => JSON.parse(request.body).message)).toEqual([
        ...['message 1', 'message 2', 'message 3', 'after'],
      ])
      expect(journal.at(-1)?.explanation).toContain(notice)
      const { counts, quota } = await readOverview(cluster, key, replica)
      expect([counts.messages, quota.minute.used]).toEqual([4, 4])
    }
    expect(cluster.readErrors(1)).toContain(`production/frozen/damaged: ${notice}`)
    await cluster.end(2, 'SIGTERM')
    await cluster.launch(2)
    const next = await sendMessage(cluster, key, 'next', 2)
    expect(next.headers.get('x-ratelimit-remaining')).toBe('4995')
    expect(await readJournal(cluster, key, 0)).toMatchObject(count(5).map((id) => ({ id })))
  })

  test('store what they have responded to when they end with SIGTERM', async () => {
    const key = 'sbx_enterprise_frozen_end'
    const sending = count(40).map((number) => sendMessage(cluster, key, `${number}`, 1))
    const [first] = sending
    await first
    const ended = cluster.end(1, 'SIGTERM')
    const settled = await Promise.allSettled(sending)
    expect(await ended).toBe(0)
    const acknowledged = settled.flatMap((result, at) =>
      result.status === 'fulfilled' && result.value.status === 200 ? [String(at + 1)] : [],
    )
    await cluster.launch(1)
    await expectOnce(cluster, key, acknowledged)
  })
})

/**
 * Checks that a world has each acknowledged message once, no part of another one, and journal,
 * messages and quota that agree.
 */
async function expectOnce(
  cluster: Cluster,
  key: string,
  acknowledged: readonly string[],
  firstId = 1,
) {
  for (let replica = 0; replica < cluster.size; replica++) {
    const journal = await readJournal(cluster, key, replica)
    const sent = journal.map(({ request }) => JSON.parse(request.body).message)
    expect(new Set(sent).size, 'once').toBe(sent.length)
    const missing = acknowledged.filter((message) => !sent.includes(message))
    expect(missing, 'acknowledged, but missing').toEqual([])
    expect(journal.map(({ id }) => id)).toEqual(count(sent.length).map((id) => id + firstId - 1))
    const { json } = await cluster.send({ path: '/sandbox/messages', key, replica })
    expect(json.map(({ message }: { message: string }) => message)).toEqual(sent)
    const { quota } = await readOverview(cluster, key, replica)
    expect(quota.minute.used).toBe(sent.length)
  }
}

/** Sends messages to several worlds, one at a time from each of several clients, until it is stopped. */
class Load {
  readonly acknowledged = new Map<string, string[]>()
  readonly unavailable: HttpResponse[] = []
  #isStopped = false
  #onResponse: () => unknown = () => {}
  readonly #workers: Promise<void>[]
  #acknowledgedCount = 0
  #sent = 0

  constructor(readonly cluster: Cluster) {
    this.#workers = count(6).map((worker) => this.#work(worker % 3))
  }

  /** Waits until this many more requests are acknowledged. */
  progress(by: number): Promise<void> {
    const target = this.#acknowledgedCount + by
    return this.#until(() => this.#acknowledgedCount >= target)
  }

  /** Waits for this many more responses with an error. */
  fail(by: number): Promise<void> {
    const target = this.unavailable.length + by
    return this.#until(() => this.unavailable.length >= target)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#workers)
  }

  /** Stops, and checks that each world has what was acknowledged, and that the rest received 503. */
  async expectNothingLost(): Promise<void> {
    await this.stop()
    for (const response of this.unavailable) {
      expect(response).toMatchObject({ status: 503, json: { code: 'sandbox_unavailable' } })
    }
    for (const [key, messages] of this.acknowledged) await expectOnce(this.cluster, key, messages)
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onResponse = () => isReached() && resolve()
    })
  }

  /** @param group Two workers share the keys of a group. */
  async #work(group: number): Promise<void> {
    for (let sent = 0; !this.#isStopped; sent++) {
      // A journal has at most 500 entries.
      const key = `sbx_enterprise_frozen_load-${group}-${Math.floor(sent / 100)}`
      const messages = this.acknowledged.get(key) ?? []
      this.acknowledged.set(key, messages)
      const message = `message ${++this.#sent}`
      try {
        const response = await sendMessage(this.cluster, key, message)
        if (response.status === 200) {
          messages.push(message)
          this.#acknowledgedCount += 1
        } else this.unavailable.push(response)
        this.#onResponse()
      } catch {
        // The replica was killed. The request may be stored.
        await nextTurn()
      }
    }
  }
}

describe('under load, three replicas', () => {
  let cluster: Cluster
  beforeEach(async () => {
    cluster = await Cluster.start(3)
  })
  afterEach(() => cluster?.stop())

  test('lose no acknowledged request when one is killed', async () => {
    const load = new Load(cluster)
    for (const replica of [0, 1, 2]) {
      await load.progress(40)
      await cluster.end(replica, 'SIGKILL')
      await load.progress(40)
      await cluster.launch(replica)
    }
    await load.expectNothingLost()
    expect(load.unavailable).toEqual([])
  })

  test('lose no acknowledged request when one is stopped for longer than Redis waits', async () => {
    const load = new Load(cluster)
    await load.progress(40)
    await cluster.pause(1, inject('stopMs'))
    await load.progress(40)
    await load.expectNothingLost()
  })

  test('serve all requests while Redis is slow', async () => {
    const load = new Load(cluster)
    for (const _ of count(5)) {
      await load.progress(10)
      await cluster.server.command('CLIENT PAUSE 500')
    }
    await load.progress(10)
    await load.expectNothingLost()
    expect(load.unavailable).toEqual([])
  })

  test('lose no acknowledged request when Redis is full', async () => {
    const load = new Load(cluster)
    await load.progress(40)
    await cluster.server.command('CONFIG SET maxmemory 1')
    await load.fail(10)
    for (const replica of [0, 1, 2]) {
      expect((await cluster.send({ path: '/readyz', replica })).status).toBe(503)
    }
    await cluster.server.command('CONFIG SET maxmemory 0')
    await recover(cluster)
    await load.progress(40)
    await load.expectNothingLost()
  })

  test('lose no acknowledged request when Redis is killed, and recover by themselves', async () => {
    const load = new Load(cluster)
    for (let round = 0; round < 2; round++) {
      await load.progress(40)
      await cluster.server.kill()
      await load.fail(10)
      for (const replica of [0, 1, 2]) {
        const ready = await cluster.send({ path: '/readyz', replica })
        expect(ready).toMatchObject({ status: 503, json: { code: 'sandbox_unavailable' } })
        expect((await cluster.send({ path: '/healthz', replica })).status).toBe(200)
      }
      await cluster.server.restart()
      await recover(cluster)
    }
    await load.progress(40)
    await load.expectNothingLost()
    for (const { headers } of load.unavailable) expect(headers.get('retry-after')).toBe('2')
  })

  test.each([
    ['is emptied', async () => void (await cluster.server.command('FLUSHALL'))],
    [
      'restarts without its data',
      async () => {
        await cluster.server.kill()
        await cluster.server.removeData()
        await cluster.server.restart()
      },
    ],
  ])('start worlds anew, without a mixture, when Redis %s', async (_, empty) => {
    const load = new Load(cluster)
    await load.progress(100)
    const keys = [...load.acknowledged.keys()]
    // Now all replicas know all worlds.
    for (const replica of [1, 2]) for (const key of keys) await readOverview(cluster, key, replica)
    const before = await Promise.all(keys.map((key) => readOverview(cluster, key, 0)))
    await empty()
    await recover(cluster)
    await load.progress(100)
    await load.stop()
    for (const [at, key] of keys.entries()) {
      const { generation, startedAt } = await readOverview(cluster, key, 1)
      expect(generation).toBeGreaterThan(before[at].generation)
      expect(startedAt > before[at].startedAt).toBe(true)
      const journal = await readJournal(cluster, key)
      // The ids of a replica that knew the world continue, as after a reset.
      await expectOnce(cluster, key, [], journal[0]?.id)
      const first = JSON.parse(journal[0]?.request.body ?? '').message
      const acknowledged = load.acknowledged.get(key) ?? []
      expect(acknowledged.indexOf(first), 'an earlier request').not.toBe(0)
      expect(journal.length).toBeLessThan(acknowledged.length)
    }
  })
})

/** Starts replicas of their own for a test. */
async function open(replicas: number, ...options: string[]): Promise<Cluster> {
  const cluster = await Cluster.start(replicas, ...options)
  onTestFinished(() => cluster.stop())
  return cluster
}

test('two replicas with room for 3 worlds each keep more worlds in Redis', async () => {
  const cluster = await open(2, '--max-worlds', '3')
  const keys = count(10).map((number) => `sbx_enterprise_frozen_many-${number}`)
  for (const round of count(3)) {
    for (const key of keys) {
      const { status, headers } = await sendMessage(cluster, key, `${round}`, round % 2)
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(5000 - round)])
    }
  }
  for (const key of keys) await expectOnce(cluster, key, ['1', '2', '3'])
})

test('three replicas whose clocks are 90 seconds apart let 60 of 150 requests pass', async () => {
  const cluster = await open(0)
  for (const [replica, apartMs] of [0, 90_000, -90_000].entries()) {
    const shift = `const { now } = Date; Date.now = () => now() + ${apartMs}`
    await cluster.launch(replica, ['--import', `data:text/javascript,${shift}`])
  }
  const statuses: number[] = []
  for (const number of count(150)) {
    const sent = { path: '/v1/inventory', key: 'sbx_free_default_apart', replica: number % 3 }
    statuses.push((await cluster.send(sent)).status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
})
