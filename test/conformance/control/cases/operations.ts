import { describe, expect, test } from 'vitest'
import { isStream } from '../../../../src/control/operation.js'
import { controlOperationIds } from '../../../../src/control/operations.js'
import { controlOperations } from '../../../support/operations.js'
import type { ControlSuite } from '../suite.js'
import { toExample } from './examples.js'

const responding = controlOperationIds.filter((id) => !isStream(controlOperations[id]))

/**
 * What the operations do to a world. Each response has the documented shape, which the client
 * validates; the golden files `control-*` have the responses themselves.
 */
export function describeOperations({ open }: ControlSuite): void {
  test.each(responding)('%s succeeds', async (operation) => {
    const { control } = await open()
    expect((await control(toExample(operation))).code).toBeUndefined()
  })

  test('getOverview links to paths that all have a control operation', async () => {
    const { control } = await open()
    const { json } = await control({ operation: 'getOverview' })
    const { links } = json as { links: Record<string, string> } // the client validates its shape
    expect(Object.keys(links).length).toBeGreaterThan(10)
    for (const path of Object.values(links)) {
      const response = await control({ method: 'OPTIONS', path })
      expect(response.headers.get('Allow'), path).toContain('OPTIONS')
    }
  })

  test('putScenario restarts the world from a scenario of more than 64 KiB', async () => {
    const { control, sandbox } = await open()
    const pets = Array.from({ length: 2_000 }, (_, petId) => ({ petId, name: `Rex “${petId}”` }))
    const json = { name: 'mine', pets, orders: [{ id: 1, petId: 5 }] }
    const response = await control({ operation: 'putScenario', json })
    expect(response.json).toMatchObject({ counts: { pets: 2_000, orders: 1 } })
    expect(sandbox.world.db.pets.find('1999')?.name).toBe('Rex “1999”')
  })

  test('resetWorld resets data, quota, ban, faults, clock and journal', async () => {
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

  test('getSnapshot exports the world under the given name, and putScenario loads it', async () => {
    const { send, control, sandbox } = await open()
    await send({ operation: 'updateInventory', json: { quantity: 0 } })
    const { json } = await control({ path: '/snapshot?name=seen-today' })
    expect(json).toMatchObject({ name: 'seen-today' })
    const before = sandbox.world.snapshot()
    await control({ operation: 'resetWorld' })
    await control({ operation: 'putScenario', json })
    expect({ ...sandbox.world.snapshot(), description: '' }).toEqual({ ...before, description: '' })
  })

  test('changeClock changes everything that depends on time', async () => {
    const { control, send } = await open()
    const quota = { minute: { remaining: 0 }, ban: { seconds: 30 } }
    await control({ operation: 'changeQuota', json: quota })
    expect((await send({ operation: 'getPet' })).code).toBe('api_key_banned')
    await control({ operation: 'changeClock', json: { advance: 'PT30S' } })
    expect((await send({ operation: 'getPet' })).code).toBe('rate_limit_exceeded')
    await control({ operation: 'changeClock', json: { advance: 'PT30S' } })
    expect((await send({ operation: 'getPet' })).status).toBe(200)
    await control({ operation: 'changeClock', json: { now: '2026-04-15T00:00:00Z' } })
    expect((await send({ operation: 'getPet' })).code).toBe('operation_gone')
    const { json } = await send({ operation: 'sendMessage' })
    expect(json).toMatchObject({ createdAt: '2026-04-15T00:00:00.000Z' })
  })

  test('addFault keeps every fault of concurrent additions', async () => {
    const { control } = await open()
    const fault = (status: number) => ({ type: 'status', status, operation: 'listOrders' })
    const statuses = Array.from({ length: 20 }, (_, index) => 500 + index)
    const responses = await Promise.all(
      statuses.map((status) => control({ operation: 'addFault', json: fault(status) })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201))
    const { json } = await control({ operation: 'listFaults' })
    expect(json).toHaveLength(20)
    expect(json).toEqual(expect.arrayContaining(statuses.map(fault)))
  })

  test.each([
    ['pet', 'pets', { petId: 77, name: 'Rex', weightKg: 2.5 }, { status: 'sold', weightKg: 3 }],
    ['order', 'orders', { id: 77, petId: 1, note: 'gift' }, { status: 'delivered', note: null }],
  ])('a %s is added, changed and removed', async (_, list, record, change) => {
    const { control } = await open()
    const listed = async () => (await control({ path: `/${list}` })).json
    const added = await control({ method: 'POST', path: `/${list}`, json: record })
    expect(added).toMatchObject({ status: 201, json: record })
    const path = `/${list}/77`
    const changed = await control({ method: 'PATCH', path, json: change })
    const merged = Object.entries({ ...Object(added.json), ...change })
    expect(changed.json).toEqual(Object.fromEntries(merged.filter(([, value]) => value !== null)))
    expect(await listed()).toContainEqual(changed.json)
    expect((await control({ method: 'DELETE', path })).json).toEqual(changed.json)
    expect(await listed()).not.toContainEqual(changed.json)
  })

  describe('createKey', () => {
    test('responds with a key for a private world with the plan and scenario', async () => {
      const { send, control } = await open()
      const json = { plan: 'pro', scenario: 'low-stock' }
      const { json: made } = await control({ operation: 'createKey', json })
      const { apiKey: key } = made as { apiKey: string } // the client validates its shape
      const overview = await control({ operation: 'getOverview', key })
      expect(overview.json).toMatchObject({
        world: { scenario: 'low-stock', label: key.split('_')[3] },
        quota: { plan: 'pro' },
      })
      await send({ operation: 'updateInventory', key, json: { quantity: 99 } })
      const own = await send({ operation: 'listInventory' })
      expect(own.json).not.toContainEqual(expect.objectContaining({ quantity: 99 }))
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
}
