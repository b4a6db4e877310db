import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { startMs } from '../../support/suite.js'
import type { ControlSuite } from '../suite.js'

const at = (ms: number) => new Date(startMs + ms).toISOString()

/** What each control operation does when all is well. */
export function describeOperations({ open }: ControlSuite): void {
  describe('getOverview', () => {
    test('shows world, scenario, plan, clock, quota, ban, counts and links', async () => {
      const { call, steer } = await open()
      await call({ operation: 'listInventory' })
      const { json } = await steer({ operation: 'getOverview' })
      expect(json).toEqual({
        world: { environment: 'production', scenario: 'default', label: '' },
        scenario: 'default',
        apiKey: 'sbx_free…',
        clock: {
          now: at(0),
          frozen: false,
          nextEvent: { event: 'minute window resets', at: at(60_000) },
        },
        quota: {
          plan: 'free',
          minute: { limit: 60, used: 1, remaining: 59, rejected: 0, resetsAt: at(60_000) },
          day: { limit: 1000, used: 1, remaining: 999, rejected: 0, resetsAt: at(86_400_000) },
          ban: null,
        },
        deprecation: {
          deprecatedAt: expect.stringMatching(/T00:00:00.000Z$/),
          sunsetAt: expect.stringMatching(/T00:00:00.000Z$/),
          afterSunset: 'gone',
        },
        counts: { pets: 12, orders: 5, messages: 0, faults: 0, requests: 1 },
        links: expect.any(Object),
      })
    })

    test('links to addresses that all have a control operation', async () => {
      const { steer } = await open()
      const { json } = await steer({ operation: 'getOverview' })
      const { links } = json as { links: Record<string, string> } // its shape is checked
      expect(Object.keys(links).length).toBeGreaterThan(10)
      for (const path of Object.values(links)) {
        const answer = await steer({ method: 'OPTIONS', path })
        expect(answer.headers.get('Allow'), path).toContain('OPTIONS')
      }
    })
  })

  describe('listScenarios', () => {
    test('lists each scenario that is known by name with its description and source', async () => {
      const { steer } = await open()
      const { json } = await steer({ operation: 'listScenarios' })
      const lowStock = { name: 'low-stock', description: expect.any(String), source: 'built-in' }
      expect(json).toContainEqual(lowStock)
    })
  })

  describe('putScenario', () => {
    test.each([
      ['a name', 'empty-store', 'empty-store', 0],
      ['several names', ['empty-store', 'rate-limited'], 'empty-store+rate-limited', 0],
      ['a scenario', { name: 'mine', pets: [{ petId: 5, name: 'Rex' }] }, 'mine', 1],
      ['names and a scenario', ['empty-store', { name: 'mine', seed: 9 }], 'empty-store+mine', 0],
    ])('starts the world anew from %s', async (_, json, scenario, pets) => {
      const { call, steer, sandbox } = await open()
      await call({ operation: 'sendMessage' })
      const answer = await steer({ operation: 'putScenario', json })
      expect(answer.json).toMatchObject({
        scenario,
        world: { scenario: 'default' },
        counts: { pets, messages: 0, requests: 0 },
      })
      expect(sandbox.world.scenario).toBe(scenario)
    })

    test('works for a key that the next scenario lists too', async () => {
      const apiKeys: Scenario['apiKeys'] = [{ key: 'acme-live-key-0001', plan: 'pro' }]
      const { steer } = await open({ scenario: { name: 'acme', apiKeys } })
      const key = 'acme-live-key-0001'
      const json = { name: 'next', apiKeys }
      const answer = await steer({ operation: 'putScenario', key, json })
      expect(answer.json).toMatchObject({ scenario: 'next', quota: { plan: 'pro' } })
    })
  })

  describe('resetWorld', () => {
    test('puts data, quota, ban, faults, clock and journal back to the start', async () => {
      const { call, steer, sandbox } = await open()
      const before = sandbox.world.snapshot()
      await call({ operation: 'updateInventory', json: { quantity: 0 } })
      await call({ operation: 'sendMessage' })
      await steer({ operation: 'replaceFaults', json: [{ type: 'delay', delayMs: 5 }] })
      await steer({ operation: 'changeQuota', json: { ban: { seconds: 60 } } })
      await steer({ operation: 'changeClock', json: { advance: 'PT1H', frozen: true } })
      await steer({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
      expect(sandbox.world.snapshot()).not.toEqual(before)
      const { json } = await steer({ operation: 'resetWorld' })
      expect(json).toMatchObject({ counts: { messages: 0, faults: 0, requests: 0 } })
      expect(sandbox.world.snapshot()).toEqual(before)
    })

    test('stays in the scenario that runs', async () => {
      const { steer } = await open()
      await steer({ operation: 'putScenario', json: 'low-stock' })
      expect((await steer({ operation: 'resetWorld' })).json).toMatchObject({
        scenario: 'low-stock',
      })
    })
  })

  describe('getSnapshot', () => {
    test('writes the world down under the given name, and putScenario takes it', async () => {
      const { call, steer, sandbox } = await open()
      await call({ operation: 'updateInventory', json: { quantity: 0 } })
      const { json } = await steer({ path: '/snapshot?name=seen-today' })
      expect(json).toMatchObject({ name: 'seen-today' })
      const before = sandbox.world.snapshot()
      await steer({ operation: 'resetWorld' })
      await steer({ operation: 'putScenario', json })
      expect({ ...sandbox.world.snapshot(), description: '' }).toEqual({
        ...before,
        description: '',
      })
    })
  })

  describe('changeClock', () => {
    test.each([
      ['sets it', { now: '2030-01-01T00:00:00Z' }, '2030-01-01T00:00:00.000Z', false],
      ['advances it by milliseconds', { advance: 1_500 }, at(1_500), false],
      ['turns it back', { advance: -1_500 }, at(-1_500), false],
      ['advances it by an ISO 8601 duration', { advance: 'P1DT2H' }, at(93_600_000), false],
      ['freezes it where it stands', { frozen: true }, at(0), true],
      ['advances and freezes it', { advance: 'PT1S', frozen: true }, at(1_000), true],
      ['advances it to the next event', { advanceTo: 'next-event' }, at(60_000), false],
      ['leaves it when nothing is given', {}, at(0), false],
    ])('%s', async (_, json, now, frozen) => {
      const { call, steer } = await open()
      await call({ operation: 'listInventory' })
      const answer = await steer({ operation: 'changeClock', json })
      expect(answer.json).toMatchObject({ now, frozen })
      expect((await steer({ operation: 'getClock' })).json).toEqual(answer.json)
    })

    test('frozen: the clock stands still while real time passes, and runs on from there', async () => {
      const { steer, pass } = await open()
      await steer({ operation: 'changeClock', json: { frozen: true } })
      pass(5_000)
      expect((await steer({ operation: 'getClock' })).json).toMatchObject({ now: at(0) })
      await steer({ operation: 'changeClock', json: { frozen: false } })
      pass(250)
      expect((await steer({ operation: 'getClock' })).json).toMatchObject({ now: at(250) })
    })

    test('advances to the next event: window reset, end of ban, day reset, sunset, none', async () => {
      const { steer, call } = await open()
      const expectNext = async (event: string, moment: string) => {
        const { json } = await steer({ operation: 'getClock' })
        expect(json).toMatchObject({ nextEvent: { event, at: moment } })
        const moved = await steer({ operation: 'changeClock', json: { advanceTo: 'next-event' } })
        expect(moved.json).toMatchObject({ now: moment })
      }
      await call({ operation: 'listInventory' })
      await expectNext('minute window resets', at(60_000))
      await call({ operation: 'listInventory' })
      await steer({ operation: 'changeQuota', json: { ban: { seconds: 300 } } })
      await expectNext('ban ends', at(360_000))
      await steer({ operation: 'changeQuota', json: { day: { remaining: 0 } } })
      await expectNext('day window resets', at(86_400_000))
      await expectNext('sunset', '2026-04-15T00:00:00.000Z')
      const last = await steer({ operation: 'changeClock', json: { advanceTo: 'next-event' } })
      expect(last.json).toMatchObject({ now: '2026-04-15T00:00:00.000Z', nextEvent: null })
    })

    test('a window that the clock has left backwards is no event ahead', async () => {
      const { steer, call } = await open()
      await call({ operation: 'listInventory' })
      const { json } = await steer({ operation: 'changeClock', json: { advance: '-P2D' } })
      expect(json).toMatchObject({ nextEvent: { event: 'sunset' } })
    })

    test('all that depends on time follows: windows, bans, sunset and timestamps', async () => {
      const { steer, call } = await open()
      const quota = { minute: { remaining: 0 }, ban: { seconds: 30 } }
      await steer({ operation: 'changeQuota', json: quota })
      const banned = await call({ operation: 'getPet' })
      expect(banned).toMatchObject({ code: 'api_key_banned', retryAfter: 60 })
      await steer({ operation: 'changeClock', json: { advance: 'PT30S' } })
      expect(await call({ operation: 'getPet' })).toMatchObject({
        code: 'rate_limit_exceeded',
        retryAfter: 30,
      })
      await steer({ operation: 'changeClock', json: { advance: 'PT30S' } })
      expect((await call({ operation: 'getPet' })).status).toBe(200)
      await steer({ operation: 'changeClock', json: { now: '2026-04-15T00:00:00Z' } })
      expect((await call({ operation: 'getPet' })).code).toBe('operation_gone')
      const { json } = await call({ operation: 'sendMessage' })
      expect(json).toMatchObject({ createdAt: '2026-04-15T00:00:00.000Z' })
    })
  })

  describe('changeQuota', () => {
    test('one request left: one more is answered, the next is 429', async () => {
      const { call, steer } = await open()
      const json = { minute: { remaining: 1 } }
      const answer = await steer({ operation: 'changeQuota', json })
      expect(answer.json).toMatchObject({ minute: { used: 59, remaining: 1 } })
      expect((await call({ operation: 'listInventory' })).rateLimit.remaining).toBe(0)
      expect((await call({ operation: 'listInventory' })).code).toBe('rate_limit_exceeded')
    })

    test('day spent: 429 until the day window resets', async () => {
      const { call, steer } = await open()
      await steer({ operation: 'changeQuota', json: { day: { remaining: 0 } } })
      const answer = await call({ operation: 'listInventory' })
      expect(answer).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 86_400 })
      expect(answer.rateLimit.limit).toBe(1_000)
    })

    test('used and resetsAt: the window stands as it is set', async () => {
      const { call, steer } = await open()
      const json = { minute: { used: 60, resetsAt: at(10_000) } }
      const answer = await steer({ operation: 'changeQuota', json })
      expect(answer.json).toMatchObject({ minute: { used: 60, resetsAt: at(10_000) } })
      expect((await call({ operation: 'listInventory' })).retryAfter).toBe(10)
    })

    test('rejected: the next rejection brings the ban', async () => {
      const { call, steer } = await open()
      const json = { minute: { remaining: 0, rejected: 9 } }
      await steer({ operation: 'changeQuota', json })
      expect((await call({ operation: 'listInventory' })).code).toBe('api_key_banned')
    })

    test.each([
      [{ seconds: 90 }, at(90_000)],
      [{ until: at(45_000) }, at(45_000)],
    ])('ban %j: the key is banned; null lifts the ban', async (ban, until) => {
      const { call, steer } = await open()
      const banned = await steer({ operation: 'changeQuota', json: { ban } })
      expect(banned.json).toMatchObject({ ban: { until } })
      expect((await call({ operation: 'listInventory' })).code).toBe('api_key_banned')
      const lifted = await steer({ operation: 'changeQuota', json: { ban: null } })
      expect(lifted.json).toMatchObject({ ban: null })
      expect((await call({ operation: 'listInventory' })).status).toBe(200)
    })

    test('is per key: another key of the same world keeps its quota', async () => {
      const { call, steer } = await open()
      await steer({ operation: 'changeQuota', json: { ban: { seconds: 60 } } })
      expect((await call({ operation: 'listInventory', key: 'sbx_pro' })).status).toBe(200)
      const { json } = await steer({ operation: 'getQuota', key: 'sbx_pro' })
      expect(json).toMatchObject({ plan: 'pro', minute: { limit: 300, used: 1 }, ban: null })
    })

    test('is per environment: the key on staging keeps its quota', async () => {
      const { call, steer } = await open()
      await steer({ operation: 'changeQuota', json: { minute: { remaining: 0 } } })
      const { json } = await steer({ operation: 'getQuota', environment: 'staging' })
      expect(json).toMatchObject({ minute: { used: 0 } })
      const answer = await call({ operation: 'listInventory', address: 'staging' })
      expect(answer.status).toBe(200)
    })
  })

  describe('replaceFaults', () => {
    test('makes faults strike, each kind of a scenario file, and lists what is left', async () => {
      const { call, steer } = await open()
      const json = [
        { type: 'status', status: 503, operation: 'listOrders', times: 2 },
        { type: 'delay', delayMs: 10, rate: 0.5 },
        { type: 'reset', operation: 'getPet' },
        { type: 'truncate', operation: 'sendMessage' },
      ]
      const answer = await steer({ operation: 'replaceFaults', json })
      expect(answer.json).toEqual([...json.slice(0, 3), { ...json[3], share: 0.5 }])
      expect((await call({ operation: 'listOrders', isStruck: true })).status).toBe(503)
      await expect(call({ operation: 'getPet', isStruck: true })).rejects.toThrow()
      const listed = await steer({ operation: 'listFaults' })
      expect(listed.json).toMatchObject([{ type: 'status', times: 1 }, {}, {}, {}])
    })

    test('an empty list, like clearFaults, removes all', async () => {
      const { call, steer } = await open()
      for (const operation of ['replaceFaults', 'clearFaults'] as const) {
        await steer({ operation: 'replaceFaults', json: [{ type: 'status', status: 500 }] })
        const json = operation === 'replaceFaults' ? [] : undefined
        expect((await steer({ operation, json })).json).toEqual([])
        expect((await steer({ operation: 'listFaults' })).json).toEqual([])
        expect((await call({ operation: 'listInventory' })).status).toBe(200)
      }
    })
  })

  describe('listMessages', () => {
    test('lists what was queued, the oldest first', async () => {
      const { call, steer } = await open()
      const first = await call({ operation: 'sendMessage', json: { message: 'one' } })
      const second = await call({ operation: 'sendMessage', json: { message: 'two' } })
      const { json } = await steer({ operation: 'listMessages' })
      expect(json).toEqual([first.json, second.json])
    })
  })

  describe('addPet, changePet, removePet and listPets', () => {
    test('a pet that is added is served, changed, and gone once it is removed', async () => {
      const { call, steer } = await open()
      const pet = { petId: 77, name: 'Rex', quantity: 3, weightKg: 2.5 }
      const added = await steer({ operation: 'addPet', json: pet })
      expect(added).toMatchObject({ status: 201, json: { ...pet, status: 'available', tags: [] } })
      const served = await call({ operation: 'getPet', petId: '77' })
      expect(served.json).toMatchObject({ petId: 77, weightKg: 2.5 })

      const change = { method: 'PATCH', path: '/pets/77', json: { status: 'sold', weightKg: 3 } }
      const changed = await steer(change)
      expect(changed.json).toEqual({ ...Object(added.json), status: 'sold', weightKg: 3 })
      const inventory = await call({ operation: 'listInventory' })
      expect(inventory.json).toContainEqual({ petId: 77, quantity: 3, status: 'sold' })
      expect((await steer({ operation: 'listPets' })).json).toContainEqual(changed.json)

      const removed = await steer({ method: 'DELETE', path: '/pets/77' })
      expect(removed.json).toEqual(changed.json)
      expect((await call({ operation: 'getPet', petId: '77' })).code).toBe('pet_not_found')
      expect((await steer({ operation: 'listPets' })).json).not.toContainEqual(changed.json)
    })

    test('an id past 2^53-1 is text in the answer and exact in the path', async () => {
      const { steer } = await open()
      const petId = '9223372036854775807'
      const { json } = await steer({ operation: 'addPet', json: { petId, name: 'Max' } })
      expect(json).toMatchObject({ petId })
      expect((await steer({ method: 'DELETE', path: `/pets/${petId}` })).status).toBe(200)
    })

    test('changePet takes a whole record back as listPets gave it', async () => {
      const { steer, sandbox } = await open()
      const before = sandbox.world.snapshot()
      const { json } = await steer({ operation: 'listPets' })
      const [first] = json as [object] // its shape is checked
      const answer = await steer({ method: 'PATCH', path: '/pets/1', json: first })
      expect(answer.json).toEqual(first)
      expect(sandbox.world.snapshot()).toEqual(before)
    })
  })

  describe('listPets', () => {
    test('shows a negative quantity that rules.quantity allows, and a snapshot can be loaded', async () => {
      const rules = { quantity: { minimum: -10 } }
      const scenario = { name: 'backorders', extends: 'default', rules }
      const { call, steer, sandbox } = await open({ scenario })
      await call({ operation: 'updateInventory', petId: '1', json: { quantity: -1 } })
      const { status, json } = await steer({ operation: 'listPets' })
      expect(status).toBe(200)
      expect(json).toContainEqual(expect.objectContaining({ petId: 1, quantity: -1 }))
      await sandbox.world.use(JSON.parse(JSON.stringify(sandbox.world.snapshot())))
      expect(sandbox.world.db.findItem('1')?.quantity).toBe(-1)
    })
  })

  describe('addOrder, changeOrder, removeOrder and listOrders', () => {
    test('an order that is added is served, changed, and gone once it is removed', async () => {
      const { call, steer } = await open()
      const order = { id: 900, petId: 1, quantity: 2, note: 'gift' }
      const added = await steer({ operation: 'addOrder', json: order })
      expect(added).toMatchObject({ status: 201, json: { ...order, status: 'placed' } })
      const served = await call({ operation: 'listOrders' })
      expect(served.json).toContainEqual(added.json)

      const change = { method: 'PATCH', path: '/orders/900', json: { status: 'delivered' } }
      const changed = await steer(change)
      expect(changed.json).toEqual({ ...Object(added.json), status: 'delivered' })
      expect((await steer({ operation: 'listOrders' })).json).toContainEqual(changed.json)

      const removed = await steer({ method: 'DELETE', path: '/orders/900' })
      expect(removed.json).toEqual(changed.json)
      expect((await call({ operation: 'listOrders' })).json).not.toContainEqual(changed.json)
    })
  })

  describe('createKey', () => {
    test('answers 201 with a key whose world is its own, on the plan and scenario', async () => {
      const { call, steer } = await open()
      const made = await steer({
        operation: 'createKey',
        json: { plan: 'pro', scenario: 'low-stock' },
      })
      expect(made.status).toBe(201)
      const { apiKey: key } = made.json as { apiKey: string } // its shape is checked
      expect(key).toMatch(/^sbx_pro_low-stock_[A-Za-z0-9-]{22,64}$/)
      const { json } = await steer({ operation: 'getOverview', key })
      expect(json).toMatchObject({
        world: { scenario: 'low-stock', label: key.split('_')[3] },
        quota: { plan: 'pro' },
      })
      await call({ operation: 'updateInventory', key, json: { quantity: 99 } })
      const own = await call({ operation: 'listInventory' })
      expect(own.json).not.toContainEqual(expect.objectContaining({ quantity: 99 }))
    })

    test('without a plan and scenario, free and the sandbox’s own', async () => {
      const { steer } = await open({ scenario: 'empty-store' })
      const { json } = await steer({ operation: 'createKey', json: {} })
      expect(json).toEqual({ apiKey: expect.stringMatching(/^sbx_free_empty-store_/) })
    })

    test('gives each key another label of 128 bits or more', async () => {
      const { steer } = await open()
      const labels = new Set<string>()
      for (let made = 0; made < 50; made++) {
        const { json } = await steer({ operation: 'createKey', json: {} })
        labels.add((json as { apiKey: string }).apiKey.split('_')[3] ?? '') // its shape is checked
      }
      expect(labels.size).toBe(50)
      // 32 hexadecimal digits hold 128 bits, 6 of which a UUID fixes: so more of them.
      for (const label of labels) expect(label).toMatch(/^[0-9a-f]{34,64}$/)
    })
  })

  describe('staging', () => {
    test('a staging world is steered below its own address and no other world moves', async () => {
      const { call, steer, sandbox } = await open()
      const before = sandbox.world.snapshot()
      const environment = 'staging'
      const used = await steer({ operation: 'putScenario', environment, json: 'empty-store' })
      expect(used.json).toMatchObject({ world: { environment }, counts: { pets: 0 } })
      await steer({ operation: 'changeClock', environment, json: { advance: 'P1D' } })
      expect(sandbox.world.snapshot()).toEqual(before)
      const staged = await call({ operation: 'listInventory', address: 'staging' })
      expect(staged.json).toEqual([])
      const { json } = await steer({ operation: 'listRequests', environment })
      expect(json).toMatchObject([{ environment, operation: 'listInventory' }])
      expect((await steer({ operation: 'listRequests' })).json).toEqual([])
    })
  })
}
