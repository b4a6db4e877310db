import { describe, expect, test } from 'vitest'
import { controlLinks } from '../../../../src/control/operations.js'
import type { Scenario } from '../../../../src/index.js'
import { version } from '../../../../src/service/version.js'
import type { ControlRequest } from '../../../control/support.js'
import { startMs } from '../../../support/suite.js'
import type { ControlSuite } from '../suite.js'

const frozen: Scenario = {
  name: 'frozen',
  extends: ['default'],
  clock: { now: '2026-01-01T00:00:00Z', frozen: true },
}

const at = (ms: number) => new Date(startMs + ms).toISOString()

/** The behaviour of each control operation. */
export function describeOperations({ open }: ControlSuite): void {
  describe('getOverview', () => {
    test('shows world, scenario, plan, clock, quota, ban, counts and links', async () => {
      const { send, control } = await open()
      await send({ operation: 'listInventory' })
      const { json } = await control({ operation: 'getOverview' })
      expect(json).toEqual({
        world: { environment: 'production', scenario: 'default', label: '' },
        scenario: 'default',
        version,
        store: expect.any(String),
        startedAt: at(0),
        generation: expect.any(Number),
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
          banRule: { rejections: 10, seconds: 300 },
        },
        deprecation: {
          deprecatedAt: expect.stringMatching(/T00:00:00.000Z$/),
          sunsetAt: expect.stringMatching(/T00:00:00.000Z$/),
          afterSunset: 'gone',
        },
        counts: { pets: 12, orders: 5, messages: 0, faults: 0, requests: 1 },
        changes: { pets: 0, orders: 0, messages: 0 },
        links: controlLinks,
      })
    })

    test('counts the changes of each kind of record, until the world restarts', async () => {
      const { send, control } = await open()
      const readChanges = async () =>
        ((await control({ operation: 'getOverview' })).json as { changes: object }).changes // the client validates its shape
      await send({ operation: 'updateInventory', petId: '1', json: { quantity: 2 } })
      await control({ method: 'PATCH', path: '/pets/1', json: { name: 'Ada' } })
      await control({ method: 'PATCH', path: '/pets/1', json: { name: 5 } })
      await control({ method: 'DELETE', path: '/orders/1001' })
      await send({ operation: 'sendMessage' })
      await send({ operation: 'listInventory' })
      expect(await readChanges()).toEqual({ pets: 2, orders: 1, messages: 1 })
      await control({ operation: 'resetWorld' })
      expect(await readChanges()).toEqual({ pets: 0, orders: 0, messages: 0 })
    })

    test('links to paths that all have a control operation', async () => {
      const { control } = await open()
      const { json } = await control({ operation: 'getOverview' })
      const { links } = json as { links: Record<string, string> } // the client validates its shape
      expect(Object.keys(links).length).toBeGreaterThan(10)
      for (const path of Object.values(links)) {
        const response = await control({ method: 'OPTIONS', path })
        expect(response.headers.get('Allow'), path).toContain('OPTIONS')
      }
    })
  })

  describe('the Date header', () => {
    test('is the time of the world of the key', async () => {
      const { control } = await open({ scenario: frozen })
      const dateOf = async (request: ControlRequest) => (await control(request)).headers.get('Date')
      const start = 'Thu, 01 Jan 2026 00:00:00 GMT'
      expect(await dateOf({ operation: 'getOverview' })).toBe(start)
      expect(await dateOf({ operation: 'getOverview', key: null })).toBe(start)
      expect(await dateOf({ operation: 'createKey', json: {} })).toBe(start)
      expect(await dateOf({ path: '/nothing' })).toBe(start)
      expect(await dateOf({ method: 'PUT', path: '/clock' })).toBe(start)
      expect(await dateOf({ method: 'OPTIONS', path: '/clock' })).toBe(start)
      const advance = { operation: 'changeClock', json: { advance: 'P1D' } } as const
      expect(await dateOf(advance)).toBe('Fri, 02 Jan 2026 00:00:00 GMT')
      expect(await dateOf({ ...advance, environment: 'staging', key: 'sbx_pro' })).toBe(
        'Fri, 02 Jan 2026 00:00:00 GMT',
      )
      expect(await dateOf({ operation: 'getClock', key: 'sbx_free_default_other' })).toBe(
        'Thu, 15 Jan 2026 09:00:00 GMT',
      )
    })
  })

  describe('listScenarios', () => {
    test('lists each known scenario with its description and source', async () => {
      const { control } = await open()
      const { json } = await control({ operation: 'listScenarios' })
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
    ])('restarts the world from %s', async (_, json, scenario, pets) => {
      const { send, control, sandbox } = await open()
      await send({ operation: 'sendMessage' })
      const response = await control({ operation: 'putScenario', json })
      expect(response.json).toMatchObject({
        scenario,
        world: { scenario: 'default' },
        counts: { pets, messages: 0, requests: 0 },
      })
      expect(sandbox.world.scenario).toBe(scenario)
    })

    test('restarts the world from a scenario of more than 64 KiB', async () => {
      const { control, sandbox } = await open()
      const pets = Array.from({ length: 2_000 }, (_, petId) => ({ petId, name: `Rex “${petId}”` }))
      const json = { name: 'mine', pets, orders: [{ id: 1, petId: 5 }] }
      const response = await control({ operation: 'putScenario', json })
      expect(response.json).toMatchObject({ counts: { pets: 2_000, orders: 1 } })
      expect(sandbox.world.db.pets.find('1999')?.name).toBe('Rex “1999”')
    })

    test('accepts a scenario that lists the key of the request', async () => {
      const apiKeys: Scenario['apiKeys'] = [{ key: 'acme-live-key-0001', plan: 'pro' }]
      const { control } = await open({ scenario: { name: 'acme', apiKeys } })
      const key = 'acme-live-key-0001'
      const json = { name: 'next', apiKeys }
      const response = await control({ operation: 'putScenario', key, json })
      expect(response.json).toMatchObject({ scenario: 'next', quota: { plan: 'pro' } })
    })
  })

  describe('resetWorld', () => {
    test('resets data, quota, ban, faults, clock and journal', async () => {
      const { send, control, sandbox } = await open()
      const before = sandbox.world.snapshot()
      await send({ operation: 'updateInventory', json: { quantity: 0 } })
      await send({ operation: 'sendMessage' })
      await control({ operation: 'replaceFaults', json: [{ type: 'delay', delayMs: 5 }] })
      await control({ operation: 'changeQuota', json: { ban: { seconds: 60 } } })
      await control({ operation: 'changeClock', json: { advance: 'PT1H', frozen: true } })
      await control({ operation: 'addPet', json: { petId: 77, name: 'Rex' } })
      expect(sandbox.world.snapshot()).not.toEqual(before)
      const { json } = await control({ operation: 'resetWorld' })
      expect(json).toMatchObject({ counts: { messages: 0, faults: 0, requests: 0 } })
      expect(sandbox.world.snapshot()).toEqual(before)
    })

    test('keeps the active scenario', async () => {
      const { control } = await open()
      await control({ operation: 'putScenario', json: 'low-stock' })
      expect((await control({ operation: 'resetWorld' })).json).toMatchObject({
        scenario: 'low-stock',
      })
    })
  })

  describe('getSnapshot', () => {
    test('exports the world under the given name, and putScenario loads it', async () => {
      const { send, control, sandbox } = await open()
      await send({ operation: 'updateInventory', json: { quantity: 0 } })
      const { json } = await control({ path: '/snapshot?name=seen-today' })
      expect(json).toMatchObject({ name: 'seen-today' })
      const before = sandbox.world.snapshot()
      await control({ operation: 'resetWorld' })
      await control({ operation: 'putScenario', json })
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
      ['moves it back', { advance: -1_500 }, at(-1_500), false],
      ['advances it by an ISO 8601 duration', { advance: 'P1DT2H' }, at(93_600_000), false],
      ['freezes it at the current time', { frozen: true }, at(0), true],
      ['advances and freezes it', { advance: 'PT1S', frozen: true }, at(1_000), true],
      ['advances it to the next event', { advanceTo: 'next-event' }, at(60_000), false],
      ['does not change it without fields', {}, at(0), false],
    ])('%s', async (_, json, now, frozen) => {
      const { send, control } = await open()
      await send({ operation: 'listInventory' })
      const response = await control({ operation: 'changeClock', json })
      expect(response.json).toMatchObject({ now, frozen })
      expect((await control({ operation: 'getClock' })).json).toEqual(response.json)
    })

    test('stops the clock, and lets it run again from the same time', async () => {
      const { control, pass } = await open()
      await control({ operation: 'changeClock', json: { frozen: true } })
      pass(5_000)
      expect((await control({ operation: 'getClock' })).json).toMatchObject({ now: at(0) })
      await control({ operation: 'changeClock', json: { frozen: false } })
      pass(250)
      expect((await control({ operation: 'getClock' })).json).toMatchObject({ now: at(250) })
    })

    test('advances to the next event: window reset, end of ban, day reset, sunset, none', async () => {
      const { control, send } = await open()
      const expectNext = async (event: string, moment: string) => {
        const { json } = await control({ operation: 'getClock' })
        expect(json).toMatchObject({ nextEvent: { event, at: moment } })
        const moved = await control({ operation: 'changeClock', json: { advanceTo: 'next-event' } })
        expect(moved.json).toMatchObject({ now: moment })
      }
      await send({ operation: 'listInventory' })
      await expectNext('minute window resets', at(60_000))
      await send({ operation: 'listInventory' })
      await control({ operation: 'changeQuota', json: { ban: { seconds: 300 } } })
      await expectNext('ban ends', at(360_000))
      await control({ operation: 'changeQuota', json: { day: { remaining: 0 } } })
      await expectNext('day window resets', at(86_400_000))
      await expectNext('sunset', '2026-04-15T00:00:00.000Z')
      const last = await control({ operation: 'changeClock', json: { advanceTo: 'next-event' } })
      expect(last.json).toMatchObject({ now: '2026-04-15T00:00:00.000Z', nextEvent: null })
    })

    test('omits the events of a window that starts after the current time', async () => {
      const { control, send } = await open()
      await send({ operation: 'listInventory' })
      const { json } = await control({ operation: 'changeClock', json: { advance: '-P2D' } })
      expect(json).toMatchObject({ nextEvent: { event: 'sunset' } })
    })

    test('changes everything that depends on time: windows, bans, sunset and timestamps', async () => {
      const { control, send } = await open()
      const quota = { minute: { remaining: 0 }, ban: { seconds: 30 } }
      await control({ operation: 'changeQuota', json: quota })
      const banned = await send({ operation: 'getPet' })
      expect(banned).toMatchObject({ code: 'api_key_banned', retryAfter: 60 })
      await control({ operation: 'changeClock', json: { advance: 'PT30S' } })
      expect(await send({ operation: 'getPet' })).toMatchObject({
        code: 'rate_limit_exceeded',
        retryAfter: 30,
      })
      await control({ operation: 'changeClock', json: { advance: 'PT30S' } })
      expect((await send({ operation: 'getPet' })).status).toBe(200)
      await control({ operation: 'changeClock', json: { now: '2026-04-15T00:00:00Z' } })
      expect((await send({ operation: 'getPet' })).code).toBe('operation_gone')
      const { json } = await send({ operation: 'sendMessage' })
      expect(json).toMatchObject({ createdAt: '2026-04-15T00:00:00.000Z' })
    })
  })

  describe('changeQuota', () => {
    test('with one remaining request, the second one receives 429', async () => {
      const { send, control } = await open()
      const json = { minute: { remaining: 1 } }
      const response = await control({ operation: 'changeQuota', json })
      expect(response.json).toMatchObject({ minute: { used: 59, remaining: 1 } })
      expect((await send({ operation: 'listInventory' })).rateLimit.remaining).toBe(0)
      expect((await send({ operation: 'listInventory' })).code).toBe('rate_limit_exceeded')
    })

    test('with no requests left in the day, requests receive 429 until it resets', async () => {
      const { send, control } = await open()
      await control({ operation: 'changeQuota', json: { day: { remaining: 0 } } })
      const response = await send({ operation: 'listInventory' })
      expect(response).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 86_400 })
      expect(response.rateLimit.limit).toBe(1_000)
    })

    test('used and resetsAt set the window', async () => {
      const { send, control } = await open()
      const json = { minute: { used: 60, resetsAt: at(10_000) } }
      const response = await control({ operation: 'changeQuota', json })
      expect(response.json).toMatchObject({ minute: { used: 60, resetsAt: at(10_000) } })
      expect((await send({ operation: 'listInventory' })).retryAfter).toBe(10)
    })

    test('rejected: the next rejection bans the key', async () => {
      const { send, control } = await open()
      const json = { minute: { remaining: 0, rejected: 9 } }
      await control({ operation: 'changeQuota', json })
      expect((await send({ operation: 'listInventory' })).code).toBe('api_key_banned')
    })

    test.each([
      [{ seconds: 90 }, at(90_000)],
      [{ until: at(45_000) }, at(45_000)],
    ])('ban %j bans the key; null lifts the ban', async (ban, until) => {
      const { send, control } = await open()
      const banned = await control({ operation: 'changeQuota', json: { ban } })
      expect(banned.json).toMatchObject({ ban: { until } })
      expect((await send({ operation: 'listInventory' })).code).toBe('api_key_banned')
      const lifted = await control({ operation: 'changeQuota', json: { ban: null } })
      expect(lifted.json).toMatchObject({ ban: null })
      expect((await send({ operation: 'listInventory' })).status).toBe(200)
    })

    test('does not affect another key of the same world', async () => {
      const { send, control } = await open()
      await control({ operation: 'changeQuota', json: { ban: { seconds: 60 } } })
      expect((await send({ operation: 'listInventory', key: 'sbx_pro' })).status).toBe(200)
      const { json } = await control({ operation: 'getQuota', key: 'sbx_pro' })
      expect(json).toMatchObject({ plan: 'pro', minute: { limit: 300, used: 1 }, ban: null })
    })

    test('does not affect the same key in staging', async () => {
      const { send, control } = await open()
      await control({ operation: 'changeQuota', json: { minute: { remaining: 0 } } })
      const { json } = await control({ operation: 'getQuota', environment: 'staging' })
      expect(json).toMatchObject({ minute: { used: 0 } })
      const response = await send({ operation: 'listInventory', address: 'staging' })
      expect(response.status).toBe(200)
    })
  })

  describe('addFault', () => {
    const fault = (status: number) => ({ type: 'status', status, operation: 'listOrders' })

    test('responds with 201 and all faults, the new one last', async () => {
      const { send, control } = await open()
      const delay = { type: 'delay', delayMs: 10, rate: 0.5 }
      await control({ operation: 'replaceFaults', json: [delay] })
      const response = await control({ operation: 'addFault', json: { ...fault(503), atMost: 1 } })
      expect(response.status).toBe(201)
      expect(response.json).toEqual([delay, { ...fault(503), atMost: 1 }])
      expect((await control({ operation: 'listFaults' })).json).toEqual(response.json)
      expect((await send({ operation: 'listOrders', expectsFault: true })).status).toBe(503)
      expect((await control({ operation: 'listFaults' })).json).toMatchObject([delay])
    })

    test('fills in the default of a field', async () => {
      const { control } = await open()
      const response = await control({ operation: 'addFault', json: { type: 'truncate' } })
      expect(response.json).toEqual([{ type: 'truncate', share: 0.5 }])
    })

    test('keeps every fault of concurrent additions', async () => {
      const { control } = await open()
      const statuses = Array.from({ length: 20 }, (_, index) => 500 + index)
      const responses = await Promise.all(
        statuses.map((status) => control({ operation: 'addFault', json: fault(status) })),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
      const { json } = await control({ operation: 'listFaults' })
      expect(json).toHaveLength(20)
      expect(json).toEqual(expect.arrayContaining(statuses.map(fault)))
    })
  })

  describe('replaceFaults', () => {
    test('applies faults of each kind and lists their remaining uses', async () => {
      const { send, control } = await open()
      const json = [
        { type: 'status', status: 503, operation: 'listOrders', atMost: 2 },
        { type: 'delay', delayMs: 10, rate: 0.5 },
        { type: 'reset', operation: 'getPet' },
        { type: 'truncate', operation: 'sendMessage' },
      ]
      const response = await control({ operation: 'replaceFaults', json })
      expect(response.json).toEqual([...json.slice(0, 3), { ...json[3], share: 0.5 }])
      expect((await send({ operation: 'listOrders', expectsFault: true })).status).toBe(503)
      await expect(send({ operation: 'getPet', expectsFault: true })).rejects.toThrow()
      const listed = await control({ operation: 'listFaults' })
      expect(listed.json).toMatchObject([{ type: 'status', atMost: 1 }, {}, {}, {}])
    })

    test('removes all with an empty list, as clearFaults does', async () => {
      const { send, control } = await open()
      for (const operation of ['replaceFaults', 'clearFaults'] as const) {
        await control({ operation: 'replaceFaults', json: [{ type: 'status', status: 500 }] })
        const json = operation === 'replaceFaults' ? [] : undefined
        expect((await control({ operation, json })).json).toEqual([])
        expect((await control({ operation: 'listFaults' })).json).toEqual([])
        expect((await send({ operation: 'listInventory' })).status).toBe(200)
      }
    })
  })

  describe('listMessages', () => {
    test('lists the queued messages, oldest first', async () => {
      const { send, control } = await open()
      const first = await send({ operation: 'sendMessage', json: { message: 'one' } })
      const second = await send({ operation: 'sendMessage', json: { message: 'two' } })
      const { json } = await control({ operation: 'listMessages' })
      expect(json).toEqual([first.json, second.json])
    })
  })

  describe('addPet, changePet, removePet and listPets', () => {
    test('a pet is added, served, changed and removed', async () => {
      const { send, control } = await open()
      const pet = { petId: 77, name: 'Rex', quantity: 3, weightKg: 2.5 }
      const added = await control({ operation: 'addPet', json: pet })
      expect(added).toMatchObject({ status: 201, json: { ...pet, status: 'available', tags: [] } })
      const served = await send({ operation: 'getPet', petId: '77' })
      expect(served.json).toMatchObject({ petId: 77, weightKg: 2.5 })

      const change = { method: 'PATCH', path: '/pets/77', json: { status: 'sold', weightKg: 3 } }
      const changed = await control(change)
      expect(changed.json).toEqual({ ...Object(added.json), status: 'sold', weightKg: 3 })
      const inventory = await send({ operation: 'listInventory' })
      expect(inventory.json).toContainEqual({ petId: 77, quantity: 3, status: 'sold' })
      expect((await control({ operation: 'listPets' })).json).toContainEqual(changed.json)

      const removed = await control({ method: 'DELETE', path: '/pets/77' })
      expect(removed.json).toEqual(changed.json)
      expect((await send({ operation: 'getPet', petId: '77' })).code).toBe('pet_not_found')
      expect((await control({ operation: 'listPets' })).json).not.toContainEqual(changed.json)
    })

    test('an id beyond 2^53-1 is a string in the response and exact in the path', async () => {
      const { control } = await open()
      const petId = '9223372036854775807'
      const { json } = await control({ operation: 'addPet', json: { petId, name: 'Max' } })
      expect(json).toMatchObject({ petId })
      expect((await control({ method: 'DELETE', path: `/pets/${petId}` })).status).toBe(200)
    })

    test('changePet and changeOrder remove an additional field that is null', async () => {
      const { control } = await open()
      const json = { note: 'new', chip: { id: null } }
      const pet = await control({ method: 'PATCH', path: '/pets/1', json })
      const order = await control({ method: 'PATCH', path: '/orders/1001', json })
      expect([pet.json, order.json]).toMatchObject([json, json])
      const { note: _, ...rest } = json
      const removed = { json: { note: null } }
      const changed = [
        await control({ method: 'PATCH', path: '/pets/1', ...removed }),
        await control({ method: 'PATCH', path: '/orders/1001', ...removed }),
      ]
      for (const { json: record } of changed) {
        expect(record).toMatchObject(rest)
        expect(record).not.toHaveProperty('note')
      }
    })

    test('changePet accepts a whole record from listPets', async () => {
      const { control, sandbox } = await open()
      const before = sandbox.world.snapshot()
      const { json } = await control({ operation: 'listPets' })
      const [first] = json as [object] // the client validates its shape
      const response = await control({ method: 'PATCH', path: '/pets/1', json: first })
      expect(response.json).toEqual(first)
      expect(sandbox.world.snapshot()).toEqual(before)
    })
  })

  describe('listPets', () => {
    test('shows a negative quantity that rules.quantity allows, and a snapshot can be loaded', async () => {
      const rules = { quantity: { minimum: -10 } }
      const scenario = { name: 'backorders', extends: 'default', rules }
      const { send, control, sandbox } = await open({ scenario })
      await send({ operation: 'updateInventory', petId: '1', json: { quantity: -1 } })
      const { status, json } = await control({ operation: 'listPets' })
      expect(status).toBe(200)
      expect(json).toContainEqual(expect.objectContaining({ petId: 1, quantity: -1 }))
      await sandbox.world.use(JSON.parse(JSON.stringify(sandbox.world.snapshot())))
      expect(sandbox.world.db.pets.find('1')?.quantity).toBe(-1)
    })
  })

  describe('addOrder, changeOrder, removeOrder and listOrders', () => {
    test('an order is added, served, changed and removed', async () => {
      const { send, control } = await open()
      const order = { id: 900, petId: 1, quantity: 2, note: 'gift' }
      const added = await control({ operation: 'addOrder', json: order })
      expect(added).toMatchObject({ status: 201, json: { ...order, status: 'placed' } })
      const served = await send({ operation: 'listOrders' })
      expect(served.json).toContainEqual(added.json)

      const change = { method: 'PATCH', path: '/orders/900', json: { status: 'delivered' } }
      const changed = await control(change)
      expect(changed.json).toEqual({ ...Object(added.json), status: 'delivered' })
      expect((await control({ operation: 'listOrders' })).json).toContainEqual(changed.json)

      const removed = await control({ method: 'DELETE', path: '/orders/900' })
      expect(removed.json).toEqual(changed.json)
      expect((await send({ operation: 'listOrders' })).json).not.toContainEqual(changed.json)
    })
  })

  describe('createKey', () => {
    test('responds with 201 and a key for a private world with the plan and scenario', async () => {
      const { send, control } = await open()
      const made = await control({
        operation: 'createKey',
        json: { plan: 'pro', scenario: 'low-stock' },
      })
      expect(made.status).toBe(201)
      const { apiKey: key } = made.json as { apiKey: string } // the client validates its shape
      expect(key).toMatch(/^sbx_pro_low-stock_[A-Za-z0-9-]{22,64}$/)
      const { json } = await control({ operation: 'getOverview', key })
      expect(json).toMatchObject({
        world: { scenario: 'low-stock', label: key.split('_')[3] },
        quota: { plan: 'pro' },
      })
      await send({ operation: 'updateInventory', key, json: { quantity: 99 } })
      const own = await send({ operation: 'listInventory' })
      expect(own.json).not.toContainEqual(expect.objectContaining({ quantity: 99 }))
    })

    test('creates a key for up to three joined scenarios', async () => {
      const { control } = await open()
      const create = (scenario: string) => control({ operation: 'createKey', json: { scenario } })
      const { json } = await create('low-stock+slow+flaky')
      const { apiKey: key } = json as { apiKey: string } // the client validates its shape
      const overview = await control({ operation: 'getOverview', key })
      expect(overview.json).toMatchObject({ world: { scenario: 'low-stock+slow+flaky' } })
      expect(await create('low-stock+slow+flaky+default')).toMatchObject({
        status: 400,
        code: 'invalid_scenario',
        message: 'scenario must be at most 3 names joined with +, found 4',
      })
      expect(await create('slow+low-stok')).toMatchObject({ code: 'invalid_scenario' })
    })

    test('uses plan free and the scenario of the sandbox by default', async () => {
      const { control } = await open({ scenario: 'empty-store' })
      const { json } = await control({ operation: 'createKey', json: {} })
      expect(json).toEqual({ apiKey: expect.stringMatching(/^sbx_free_empty-store_/) })
    })

    test('gives each key a random label of at least 128 bits', async () => {
      const { control } = await open()
      const labels = new Set<string>()
      for (let made = 0; made < 50; made++) {
        const { json } = await control({ operation: 'createKey', json: {} })
        labels.add((json as { apiKey: string }).apiKey.split('_')[3] ?? '') // the client validates its shape
      }
      expect(labels.size).toBe(50)
      // A UUID has 122 random bits in 32 hexadecimal digits, so a label has more digits.
      for (const label of labels) expect(label).toMatch(/^[0-9a-f]{34,64}$/)
    })
  })

  describe('staging', () => {
    test('a staging world is controlled below its own address; no other world changes', async () => {
      const { send, control, sandbox } = await open()
      const before = sandbox.world.snapshot()
      const environment = 'staging'
      const used = await control({ operation: 'putScenario', environment, json: 'empty-store' })
      expect(used.json).toMatchObject({ world: { environment }, counts: { pets: 0 } })
      await control({ operation: 'changeClock', environment, json: { advance: 'P1D' } })
      expect(sandbox.world.snapshot()).toEqual(before)
      const staged = await send({ operation: 'listInventory', address: 'staging' })
      expect(staged.json).toEqual([])
      const { json } = await control({ operation: 'listRequests', environment })
      expect(json).toMatchObject([{ environment, operation: 'listInventory' }])
      expect((await control({ operation: 'listRequests' })).json).toEqual([])
    })
  })
}
