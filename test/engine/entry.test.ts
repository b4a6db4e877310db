import { expect, test, vi } from 'vitest'
import { respond } from '../../src/engine/respond.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { passTurns } from '../../src/service/timers.js'
import { MemoryStore } from '../support/memory-store.js'
import { listRequest } from './support.js'

const base = 'https://api.petstore.example/v1'
const startMs = Date.parse('2026-01-15T09:00:00.000Z')

/** Sends a request with a key of Free. Resolves also if it fails. */
async function send(
  { fetch }: InProcessSandbox,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
) {
  const [method = '', path] = target.split(' ')
  const all = { Authorization: 'Bearer sbx_free', ...headers }
  await fetch(`${base}${path}`, { method, headers: all, ...(body && { body }) }).catch(() => {})
}

/** Returns the fact about the last request. */
const factOf = ({ world }: InProcessSandbox) => world.journal.facts.items.at(-1)

test('the fact about a request of a stored world has its change', async () => {
  const sandbox = await createSandbox({ store: new MemoryStore(false) })
  const { requests } = sandbox.world
  const pending: number[] = []
  sandbox.subscribe(() => pending.push(requests.pending().length))
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'order-7' }
  await send(sandbox, 'PATCH /inventory/1', headers, '{"quantity":9}')
  const traits = { metered: true, jsonType: true, idempotencyKey: true, changed: true }
  expect(factOf(sandbox)).toMatchObject({ id: 1, afterId: 0, revision: 1, traits })
  await send(sandbox, 'GET /inventory', { Authorization: 'none' })
  const inProcess = { connection: undefined, arrival: undefined }
  expect(factOf(sandbox)).toMatchObject({ id: 2, account: null, status: 401, ...inProcess })
  expect(pending).toEqual([0, 0])
})

const pets = ['9007199254740991', '9007199254740993', '9007199254741000', '9223372036854775807']
const metered = { metered: true }
const found = { deprecated: true, ...metered }

test.each([
  ['GET /inventory', { Authorization: 'none' }, {}],
  ['GET /inventory', { 'Idempotency-Key': '7' }, metered],
  ['GET /pets/9007199254740991', {}, found],
  ['GET /pets/9007199254740992', {}, { roundedId: true, ...found }],
  ['GET /pets/9007199254740993', {}, { longId: true, ...found }],
  ['GET /pets/9007199254740994', {}, found],
  ['GET /pets/9007199254740994', { Prefer: 'code=500' }, { simulated: true, ...found }],
  ['GET /pets/9007199254741000', { Prefer: 'code=404' }, { simulated: true, ...found }],
  ['GET /pets/9223372036854775806', {}, found],
  ['GET /pets/9223372036854775808', {}, { roundedId: true, ...found }],
  ['GET /pets/9223372036854776000', {}, { roundedId: true, ...found }],
])('the fact about %s with %j has the traits %j', async (target, headers, traits) => {
  const sandbox = await createSandbox({
    scenario: { name: 'long-ids', pets: pets.map((petId) => ({ petId, name: 'Rex' })) },
  })
  await send(sandbox, target, headers)
  expect(factOf(sandbox)?.traits).toEqual(traits)
})

test('the fact about a request has times in order, also if the clock was set back', async () => {
  const sleep = async () => sandbox.world.clock.set(startMs - 1_000)
  const sandbox = await createSandbox({ now: () => startMs, sleep })
  let ms = 0
  vi.spyOn(sandbox.core.settings.platform, 'monotonic').mockImplementation(() => (ms += 1.23456))
  await send(sandbox, 'GET /inventory', { Prefer: 'delay=3' })
  expect(sandbox.world.requests.find()).toMatchObject([{ durationMs: 1.235 }])
  const times = { arrivedAtMs: startMs - 1_000, atMs: startMs - 1_000, realAtMs: startMs }
  expect(factOf(sandbox)).toMatchObject({ ...times, waitedMs: 3_000, text: 'GET api/inventory' })
})

test('the fact about a request has the beginning of a code that a fault chose', async () => {
  const sandbox = await createSandbox()
  sandbox.world.faults.set({ type: 'status', status: 503, code: 'c'.repeat(65) })
  await send(sandbox, 'GET /inventory')
  expect(factOf(sandbox)?.code).toBe('c'.repeat(64))
})

test('the fact about a request at the sunset has the trait afterSunset', async () => {
  const sandbox = await createSandbox({ now: () => startMs })
  sandbox.world.clock.set(sandbox.world.deprecation.sunsetAtMs)
  await send(sandbox, 'GET /pets/1')
  expect(factOf(sandbox)?.traits.afterSunset).toBe(true)
})

test('the text of a fact has no values of the fields of a form', async () => {
  const sandbox = await createSandbox()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  await send(sandbox, 'PATCH /inventory/1', headers, 'token=secret&quantity=9')
  expect(factOf(sandbox)?.text).toBe('PATCH api/inventory/1 token=…&quantity=9')
})

test.each([512, 513])(
  'the text of a fact has both ends of a body of %i, masked',
  async (length) => {
    const sandbox = await createSandbox()
    const body = `${'a'.repeat(256)}${'b'.repeat(length - 256)}`
    const target = `${'X'.repeat(17)} /inventory?token=secret&key=sbx_pro_slow_secret`
    await send(sandbox, target, { Prefer: 'secret' }, body)
    const shown = length === 512 ? body : `${body.slice(0, 256)}… 513 …${'b'.repeat(256)}`
    const text = `${'X'.repeat(17)} api/inventory ?token=…&key=… ${shown}`
    expect(factOf(sandbox)).toMatchObject({
      method: 'X'.repeat(16),
      text,
      account: 'free',
      limit: 0,
    })
  },
)

test('the journal has a whole response of 4,096 characters', async () => {
  const rest = { status: 'available', category: 'pet', photoUrls: [], tags: [] }
  const toPet = (name: string) => ({ petId: 1, name, ...rest })
  const name = 'a'.repeat(4_096 - JSON.stringify(toPet('')).length)
  const sandbox = await createSandbox({ scenario: { name: 'shop', pets: [{ petId: 1, name }] } })
  await send(sandbox, 'GET /pets/1')
  const responseBody = JSON.stringify(toPet(name))
  expect(sandbox.world.requests.find()).toMatchObject([{ responseBody }])
})

test.each([
  ['with a short body', 1, false, 0],
  ['with a short body, for which a test waits', 1, true, 1],
  ['with a long body', 400, false, 1],
])('a response %s is waited for until it is sent', async (_, count, isAwaited, unsent) => {
  const pets = Array.from({ length: count }, (_, at) => ({ petId: at, name: 'Rex', quantity: 1 }))
  const { core, world } = await createSandbox({ scenario: { name: 'shop', pets } })
  const waiting = isAwaited && world.requests.waitFor('listInventory')
  const sent: (() => void)[] = []
  await respond({ ...listRequest, onSent: (listener) => sent.push(listener) }, core)
  expect(world.journal.unsent.size).toBe(unsent)
  await passTurns(5)
  for (const listener of sent) listener()
  await waiting
  expect(world.journal.unsent.size).toBe(0)
})
