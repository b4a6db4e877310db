import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { MemoryStore } from '../support/memory-store.js'

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

test.each([
  ['in memory', undefined],
  ['in a store', new MemoryStore(false)],
])('an entry %s has the parts of a request, and its fact what reports assess', async (_, store) => {
  const sandbox = await createSandbox({ now: () => startMs, store })
  const monotonic = vi.spyOn(performance, 'now').mockReturnValueOnce(1_000)
  monotonic.mockReturnValue(1_002.345_678)
  onTestFinished(() => monotonic.mockRestore())
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'order-7' }
  await send(sandbox, 'PATCH /inventory/1?page=2', headers, '{"quantity":9}')
  const [entry] = sandbox.world.requests.find()
  expect({ ...entry }).toEqual({
    id: 1,
    requestId: expect.stringMatching(/^\w+-1$/),
    atMs: startMs,
    durationMs: 2.346,
    environment: 'production',
    address: 'api',
    method: 'PATCH',
    path: '/inventory/1',
    query: 'page=2',
    operation: 'updateInventory',
    isUserHandled: false,
    apiKey: 'sbx_free…',
    requestHeaders: [
      ...['authorization', 'Bearer sbx_free…', 'content-type', 'application/json'],
      ...['idempotency-key', 'order-7'],
    ],
    requestBody: '{"quantity":9}',
    status: 200,
    aborted: false,
    responseHeaders: expect.arrayContaining(['X-RateLimit-Remaining', '59', entry?.requestId]),
    responseBody: '{"petId":1,"quantity":9,"status":"available"}',
    explanation: expect.arrayContaining(['updateInventory responds with 200']),
    changes: [{ type: 'quantity.set', petId: '1', from: 4, to: 9 }],
  })
  expect(factOf(sandbox)).toEqual({
    id: 1,
    afterId: 0,
    arrivedAtMs: startMs,
    atMs: startMs,
    realAtMs: startMs,
    waitedMs: 2,
    account: 'free',
    apiKey: 'sbx_free…',
    operation: 'updateInventory',
    method: 'PATCH',
    text: 'PATCH api/inventory/1 ?page=2 {"quantity":9}',
    status: 200,
    limit: 60,
    remaining: 59,
    revision: 1,
    traits: { metered: true, jsonType: true, idempotencyKey: true, changed: true },
  })
})

const pets = ['9007199254740991', '9007199254740993', '9007199254741000', '9223372036854775807']
const metered = { metered: true }
const found = { deprecated: true, ...metered }

test.each([
  ['GET /nowhere', {}, {}],
  ['GET /inventory', { Authorization: 'none' }, {}],
  ['GET /inventory', { 'Idempotency-Key': '7' }, metered],
  ['PATCH /inventory/1', { 'Content-Type': 'text/plain' }, { otherType: true, ...metered }],
  ['GET /inventory', { Prefer: 'code=500' }, { simulated: true, ...metered }],
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

test.each([
  ['reset', { type: 'reset' }, { simulated: true, lost: true, ...metered }],
  ['late reset', { type: 'reset', phase: 'after' }, { lost: true, ...metered }],
  ['truncated body', { type: 'truncate' }, { lost: true, ...metered }],
] as const)('the fact about a response with a %s says so', async (_, fault, traits) => {
  const sandbox = await createSandbox()
  sandbox.world.faults.add(fault)
  await send(sandbox, 'GET /inventory')
  expect(factOf(sandbox)?.traits).toEqual(traits)
})

test('the fact about a delayed request has its times, also if the clock was set back', async () => {
  let realMs = startMs
  const sandbox = await createSandbox({
    now: () => realMs,
    sleep: async (ms) => {
      realMs += ms
      if (ms > 2_000) sandbox.world.clock.set(startMs - 1_000)
    },
  })
  await send(sandbox, 'GET /inventory', { Prefer: 'delay=2' })
  const times = { arrivedAtMs: startMs, atMs: startMs + 2_000, realAtMs: startMs + 2_000 }
  expect(factOf(sandbox)).toMatchObject({ ...times, waitedMs: 2_000 })
  await send(sandbox, 'GET /inventory', { Prefer: 'delay=3' })
  const earlier = { arrivedAtMs: startMs - 1_000, atMs: startMs - 1_000, realAtMs: startMs + 5_000 }
  expect(factOf(sandbox)).toMatchObject({ ...earlier, waitedMs: 3_000 })
})

test.each([512, 513])('the fact about a request has both ends of a body of %i', async (length) => {
  const sandbox = await createSandbox()
  const body = `${'a'.repeat(256)}${'b'.repeat(length - 256)}`
  await send(sandbox, `${'X'.repeat(17)} /inventory?${body}`, {}, body)
  const shown = length === 512 ? body : `${body.slice(0, 256)}… 513 …${'b'.repeat(256)}`
  const text = `${'X'.repeat(17)} api/inventory ?${shown} ${shown}`
  expect(factOf(sandbox)).toMatchObject({ method: 'X'.repeat(16), text, account: 'free', limit: 0 })
})
