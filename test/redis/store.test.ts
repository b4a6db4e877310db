import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRedisStore } from '../../src/store/redis.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { testSharedStore } from '../store/conformance.js'
import { RedisServer } from './support/redis.js'

const at = (number: number) => ({ lineage: 'lineage', number })

/** Declares the tests of the contract for a server with additional options. */
function testServer(
  name: string,
  prepare: (server: RedisServer) => Promise<void>,
  ...options: string[]
) {
  describe(name, () => {
    let server: RedisServer
    beforeAll(async () => {
      server = await RedisServer.start(...options)
      await prepare(server)
    })
    afterAll(() => server.stop())
    testSharedStore(name, async () => ({
      open: () => createRedisStore({ url: server.url }),
      remove: async () => void (await server.command('FLUSHALL')),
    }))
  })
}

testServer('redis', async () => {})

testServer(
  'redis in cluster mode',
  async (server) => {
    await server.command('CLUSTER ADDSLOTSRANGE 0 16383')
    while (!(await server.command('CLUSTER INFO')).includes('cluster_state:ok'));
  },
  '--cluster-enabled',
  'yes',
)

describe('a redis store', () => {
  let server: RedisServer
  const stores: Store[] = []
  const open = async (options: { prefix?: string; keepMs?: number } = {}) => {
    const store = await createRedisStore({ url: server.url, ...options })
    stores.push(store)
    return store
  }
  beforeEach(async () => {
    server = await RedisServer.start()
  })
  afterEach(async () => {
    server.resume()
    await Promise.all(stores.splice(0).map((store) => store.close()))
    await server.stop()
  })

  test('does not see the worlds of another prefix', async () => {
    const one = await open({ prefix: 'a' })
    const two = await open({ prefix: 'a*' })
    const three = await open({ prefix: 'a}' })
    await one.append('b', at(0), { step: 'step' })
    await three.append('c', at(0), { step: 'step' })
    expect(await two.load('b')).toBeUndefined()
    await two.removeOthers([])
    expect((await one.load('b'))?.steps).toEqual(['step'])
    expect((await three.load('c'))?.steps).toEqual(['step'])
    await three.removeOthers(['b'])
    expect((await one.load('b'))?.steps).toEqual(['step'])
    expect(await three.load('c')).toBeUndefined()
  })

  test('rejects an address that does not respond, without its password', async () => {
    await server.kill()
    const url = server.url.replace('//', '//user:secret@')
    const error = await createRedisStore({ url }).catch((reason) => reason)
    expect(error).toBeInstanceOf(StoreError)
    expect(error.message).toBe(
      `${server.url} cannot be used: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    )
  })

  test('rejects a server with another format', async () => {
    await server.command('SET petstore-sandbox:format 999')
    await expect(open()).rejects.toThrow(
      new StoreError(
        `${server.url} has the format 999, this version of petstore-sandbox reads format 2`,
      ),
    )
    expect(await server.command('DBSIZE')).toBe(':1\r\n')
  })

  test('lets an unused world expire', async () => {
    const store = await open({ keepMs: 5000 })
    await store.append('a', at(0), { step: 'step 1', base: 'base' })
    const ttl = Number((await server.command('PTTL {petstore-sandbox!a}')).slice(1))
    expect(ttl).toBeGreaterThan(0)
    expect(ttl).toBeLessThanOrEqual(5000)
  })

  test('does not find a world that Redis has evicted', async () => {
    const store = await open()
    await store.append('a', at(0), { step: 'step 1' })
    await server.command('DEL {petstore-sandbox!a}')
    expect(await store.load('a')).toBeUndefined()
    expect(await store.append('a', at(1), { step: 'step 2' })).toBe(false)
  })

  test.each([
    ['is full', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['is a replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE'],
  ])('rejects a check while Redis %s and refuses writes', async (_, refuse, accept) => {
    const store = await open()
    await server.command(refuse)
    await expect(store.check()).rejects.toThrow(StoreError)
    await expect(store.append('a', at(0), { step: 'step' })).rejects.toThrow(StoreError)
    await server.command(accept)
    await store.check()
    expect(await store.append('a', at(0), { step: 'step' })).toBe(true)
  })

  test('continues after all scripts were removed', async () => {
    const store = await open()
    await server.command('SCRIPT FLUSH')
    expect(await store.append('a', at(0), { step: 'step' })).toBe(true)
  })

  test('does not append after Redis has lost its data', async () => {
    const store = await open()
    await store.append('a', at(0), { step: 'step' })
    await server.kill()
    await server.removeData()
    await server.restart()
    await recover(store)
    expect(await store.append('a', at(1), { step: 'step' })).toBe(false)
    expect(await store.load('a')).toBeUndefined()
    expect(await server.command('GET petstore-sandbox:format')).toBe('$1\r\n2\r\n')
  })

  test('rejects requests while Redis does not respond, and recovers', async () => {
    const store = await open()
    await store.append('a', at(0), { step: 'step' })
    server.pause()
    await expect(store.append('a', at(1), { step: 'step' })).rejects.toThrow(StoreError)
    await expect(store.load('a')).rejects.toThrow(StoreError)
    await expect(createRedisStore({ url: server.url })).rejects.toThrow(StoreError)
    server.resume()
    await recover(store)
    const { number = 0 } = (await store.load('a'))?.version ?? {}
    expect(await store.append('a', at(number), { step: 'next' })).toBe(true)
  })

  test('closes while Redis does not respond', async () => {
    const store = await open()
    store.follow?.('a', () => {})
    server.pause()
    const append = store.append('a', at(0), { step: 'step' })
    await Promise.all([expect(append).rejects.toThrow(StoreError), store.close()])
  })

  test('calls the listeners after a restart, and for later steps', async () => {
    const [one, two] = [await open(), await open()]
    let calls = 0
    two.follow?.('a', () => {
      calls += 1
    })
    while (calls === 0) await nextTurn()
    await server.kill()
    const before = calls
    await server.restart()
    while (calls === before) await nextTurn()
    await recover(one)
    await recover(two)
    // The connections of the subscription and of the commands are ready at different times.
    for (let number = 0; number < 3; number++) {
      const called = calls
      await one.append('a', at(number), { step: 'step' })
      while (calls === called) await nextTurn()
    }
  })
})

/** Waits until a store is available. */
async function recover(store: Store): Promise<void> {
  while (
    !(await store.check().then(
      () => true,
      () => false,
    ))
  )
    await nextTurn()
}

/** Lets the event loop process events. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
