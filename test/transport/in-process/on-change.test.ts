import { expect, test } from 'vitest'
import { createSandbox, type InProcessSandbox, type World } from '../../../src/index.js'
import { createSleep } from '../../support/sleep.js'

const inventoryUrl = 'https://api.petstore.example/v1/inventory'
const controlUrl = 'https://api.petstore.example/sandbox'
const authorization = { Authorization: 'Bearer sbx_free' }
const jsonHeaders = { ...authorization, 'Content-Type': 'application/json' }

/** Lets the microtasks run that are queued now. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Records the calls of a listener: the world, and the kinds of changes as a string. */
function listen(sandbox: InProcessSandbox) {
  const calls: [World, string][] = []
  const stop = sandbox.onChange((world, kinds) => calls.push([world, [...kinds].sort().join()]))
  return { calls, stop }
}

const direct: [call: string, kinds: string, act: (world: World) => unknown][] = [
  ['addPet', 'data', (world) => world.db.pets.add({ petId: '900', name: 'Rex', status: 'sold' })],
  ['changePet', 'data', (world) => world.db.pets.change('1', { quantity: 3 })],
  ['removePet', 'data', (world) => world.db.pets.remove('1')],
  ['addOrder', 'data', (world) => world.db.orders.add({ id: '900', petId: '1', quantity: 1 })],
  ['clock.advance', 'clock', (world) => world.clock.advance('PT1M')],
  ['clock.set', 'clock', (world) => world.clock.set('2030-01-01T00:00:00Z')],
  ['clock.freeze', 'clock', (world) => world.clock.freeze()],
  ['clock.run', 'clock', (world) => world.clock.run()],
  ['advanceToNextEvent', 'clock', (world) => world.advanceToNextEvent()],
  ['faults.add', 'faults', (world) => world.faults.add({ type: 'status', status: 503 })],
  ['faults.set', 'faults', (world) => world.faults.set([{ type: 'status', status: 503 }])],
  ['faults.clear', 'faults', (world) => world.faults.clear()],
  ['quota.set', 'quota', (world) => world.quota.account('free').set({ minute: { used: 59 } })],
  ['requests.clear', 'requests', (world) => world.requests.clear()],
  ['use', 'start', (world) => world.use('low-stock')],
  ['reset', 'start', (world) => world.reset()],
]

test.each(direct)('onChange reports the direct call %s as %s', async (_call, kinds, act) => {
  const sandbox = await createSandbox({ now: () => Date.UTC(2026, 0, 15) })
  const { world } = sandbox
  world.clock.freeze()
  // Opens the windows, so that there is a next event.
  await sandbox.fetch(inventoryUrl, { headers: authorization })
  await turn()
  const { calls, stop } = listen(sandbox)
  await act(world)
  await turn()
  expect(calls).toEqual([[world, kinds]])
  stop()
  await act(await sandbox.worldFor('sbx_free_default_other'))
  expect(calls).toHaveLength(1)
})

const requests: [sent: string, kinds: string, path: string, init: RequestInit][] = [
  ['GET /inventory', 'requests', inventoryUrl, {}],
  [
    'PATCH /inventory/1',
    'data,requests',
    `${inventoryUrl}/1`,
    { method: 'PATCH', body: '{"quantity":3}' },
  ],
  ['an unknown path', 'requests', `${inventoryUrl}/1/2`, {}],
  ['GET /sandbox/clock', '', `${controlUrl}/clock`, {}],
  [
    'PATCH /sandbox/clock',
    'clock',
    `${controlUrl}/clock`,
    { method: 'PATCH', body: '{"frozen":true}' },
  ],
  [
    'PATCH /sandbox/quota',
    'quota',
    `${controlUrl}/quota`,
    { method: 'PATCH', body: '{"ban":null}' },
  ],
  [
    'POST /sandbox/faults',
    'faults',
    `${controlUrl}/faults`,
    { method: 'POST', body: '{"type":"status","status":503}' },
  ],
  ['DELETE /sandbox/requests', 'requests', `${controlUrl}/requests`, { method: 'DELETE' }],
]

test.each(requests)('onChange reports the request %s as %s', async (_sent, kinds, url, init) => {
  const sandbox = await createSandbox()
  const { calls } = listen(sandbox)
  const { ok, status } = await sandbox.fetch(url, { ...init, headers: jsonHeaders })
  expect(ok || status === 404).toBe(true)
  await turn()
  expect(calls).toEqual(kinds === '' ? [] : [[sandbox.world, kinds]])
})

test('onChange calls a listener once per turn and world, after the code that changed it', async () => {
  const sandbox = await createSandbox()
  const { world } = sandbox
  const other = await sandbox.worldFor('sbx_free_default_other')
  const { calls } = listen(sandbox)
  world.clock.advance(1)
  world.clock.advance(1)
  world.db.pets.remove('1')
  other.db.pets.remove('1')
  expect(calls).toEqual([])
  await turn()
  expect(calls).toEqual([
    [world, 'clock,data'],
    [other, 'data'],
  ])
})

test('onChange reports a delayed request when it was charged and when it is answered', async () => {
  const { sleep, wake } = createSleep()
  const sandbox = await createSandbox({ sleep })
  sandbox.world.faults.add({ type: 'delay', delayMs: 1_000 })
  await turn()
  const { calls } = listen(sandbox)
  const response = sandbox.fetch(inventoryUrl, { headers: authorization })
  await turn()
  expect(calls).toEqual([[sandbox.world, 'requests']])
  wake()
  await response
  await turn()
  expect(calls).toHaveLength(2)
})
