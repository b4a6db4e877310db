import { expect, test } from 'vitest'
import type { World } from '../../src/control/world.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { MemoryStore } from '../support/memory-store.js'
import { startMs } from '../support/suite.js'

interface Request {
  readonly body?: unknown
  readonly key?: string
  readonly prefer?: string
  readonly times?: number
}

type Replicas = [InProcessSandbox, InProcessSandbox, InProcessSandbox]

const list = ['GET', '/v1/inventory'] as const
const faults = [
  { sequence: ['pass', { status: 503 }, 'pass'], operation: 'updateInventory' },
  { type: 'status', status: 500, rate: 0.5 },
]
const own = { name: 'own', apiKeys: [{ key: 'own-key-1', plan: 'pro' }], seed: 7, faults }

const requests: readonly (readonly [method: string, path: string, request?: Request])[] = [
  list,
  ['PATCH', '/v1/inventory/1', { body: { quantity: 5 } }],
  ['GET', '/v1/pets/1', { key: 'sbx_pro' }],
  ['GET', '/v1/inventory', { prefer: 'code=429' }],
  ['PATCH', '/sandbox/clock', { body: { frozen: true } }],
  ['PATCH', '/sandbox/clock', { body: { advance: 90_000 } }],
  ['PATCH', '/sandbox/quota', { body: { minute: { used: 3 } } }],
  ['PUT', '/sandbox/faults', { body: faults }],
  list,
  ['PATCH', '/v1/inventory/2', { body: { quantity: 6 } }],
  ['PATCH', '/sandbox/pets/1', { body: { name: 'Changed' } }],
  ['DELETE', '/sandbox/requests'],
  ['GET', '/v1/inventory', { key: 'sbx_enterprise', times: 100 }],
  list,
  ['PATCH', '/sandbox/clock', { body: { frozen: false } }],
  ['PATCH', '/sandbox/quota', { body: { minute: { remaining: 0 } } }],
  list,
  ['PATCH', '/sandbox/clock', { body: { advance: -600_000 } }],
  ['POST', '/sandbox/reset'],
  list,
  ['PUT', '/sandbox/scenario', { body: own }],
  list,
  list,
  ['GET', '/v1/inventory', { key: 'own-key-1' }],
]

/** Everything that requests can observe of a world, without real times. */
function describeWorld(world: World): unknown {
  const { db, journal, quota, seedBytes } = world
  db.dropLists()
  return {
    snapshot: world.snapshot(),
    entries: world.requests.find().map((entry) => ({ ...entry, durationMs: 0 })),
    facts: journal.facts.items.map((fact) => ({ ...fact, waitedMs: 0 })),
    received: [...journal.facts.received],
    sizes: [world.size, seedBytes, journal.dropped],
    counts: { ...db.changeCounts },
    earliestMs: quota.earliestMs,
  }
}

test.each([
  { copies: 'replicas that take turns', isLoaded: false },
  { copies: 'sandboxes that load it', isLoaded: true },
])('a stored world is the same as in memory in $copies', async ({ isLoaded }) => {
  let nowMs = startMs
  const options = { now: () => nowMs, journalCapacity: 5 }
  const store = new MemoryStore(false)
  const open = () => createSandbox({ ...options, store })
  const alone = await createSandbox(options)
  let replicas: Replicas = [await open(), await open(), await open()]
  for (const [method, path, { body, key = 'sbx_free', prefer = '', times = 1 } = {}] of requests) {
    const [replica, next, other] = replicas
    replicas = [next, other, replica]
    nowMs += 250
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Prefer: prefer,
    }
    const init = { method, headers, body: JSON.stringify(body) }
    const send = async ({ fetch }: InProcessSandbox) => {
      const response = await fetch(`https://api.petstore.example${path}`, init)
      return [response.status, response.headers.get('X-RateLimit-Remaining'), await response.text()]
    }
    for (let sent = 0; sent < times; sent++) expect(await send(replica)).toEqual(await send(alone))
    // The replica of the next request has not read this one, and expects no steps of others.
    const copy = isLoaded ? await open() : other
    for (let read = 0; read < 2; read++) await copy.save()
    expect(describeWorld(copy.world), path).toEqual(describeWorld(alone.world))
  }
})
