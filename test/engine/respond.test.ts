import { describe, expect, test, vi } from 'vitest'
import type { ApiRequest } from '../../src/engine/exchange.js'
import { respond } from '../../src/engine/respond.js'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { Problem } from '../../src/service/errors.js'
import { StoreError } from '../../src/store/store.js'
import { MemoryStore } from '../support/memory-store.js'
import { listRequest } from './support.js'

const base = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

/** Sends a request, and returns the steps after its charge. */
async function explain(sandbox: InProcessSandbox, path: string, init: RequestInit = {}) {
  const all = { ...headers, ...(init.headers as Record<string, string>) }
  await sandbox.fetch(`${base}${path}`, { ...init, headers: all }).catch(() => {})
  return sandbox.world.requests.find().at(-1)?.explanation.slice(2)
}

const change = { method: 'PATCH', body: '{"quantity": 9}' }

const late = { type: 'delay', delayMs: 30_000, phase: 'after' } as const

describe('the explanation', () => {
  test.each([
    ['wait=10', ['preference wait: an upper bound, which does not delay']],
    ['wait=soon', ['preference ignored: wait must be whole seconds']],
    ['delay=61', ['preference ignored: delay must be seconds from 0 to 60']],
    ['handling=strictly', ['preference ignored: handling must be strict or lenient']],
    ['handling=not-strict', ['preference ignored: handling must be strict or lenient']],
    ['unknown, ,', []],
    [' ', []],
  ])('has notes about Prefer: %s', async (prefer, notes) => {
    const sandbox = await createSandbox()
    expect(await explain(sandbox, '/inventory', { headers: { Prefer: prefer } })).toEqual([
      ...notes,
      'listInventory responds with 200',
    ])
  })

  test('has the delays, which are limited together', async () => {
    const delays: number[] = []
    const sandbox = await createSandbox({ sleep: async (ms) => void delays.push(ms) })
    const wait = { type: 'delay', delayMs: 30_000, phase: 'before', clock: 'real' } as const
    sandbox.world.faults.set([wait, { ...wait, delayMs: 20_000 }, wait])
    const prefer = { ...change, headers: { Prefer: 'delay=1' } }
    expect(await explain(sandbox, '/inventory/1', prefer)).toEqual([
      'preference: delay=1',
      'fault: waits 30000 ms',
      'fault: waits 20000 ms',
      'fault: waits 30000 ms',
      'the delays are limited to 60000 ms in all',
      'updateInventory responds with 200',
    ])
    expect(delays).toEqual([60_000])
  })

  test('states that a change was applied before its response was lost', async () => {
    const sandbox = await createSandbox()
    sandbox.world.faults.add({ type: 'reset', phase: 'after' })
    const note = 'the change was applied before the fault'
    expect(await explain(sandbox, '/inventory/1', change)).toContain(note)
    expect(await explain(sandbox, '/inventory')).not.toContain(note)
    const prefer = { ...change, headers: { Prefer: 'code=200' } }
    expect(await explain(sandbox, '/inventory/1', prefer)).toHaveLength(2)
  })
})

test.each([
  ['before the operation changes nothing', [], 'delay=30', 4],
  ['before the operation and another delay changes nothing', [late], 'delay=30', 4],
  ['after the operation keeps its change', [late], '', 9],
] as const)(
  'a request that is aborted in a delay %s, and is in the journal at once',
  async (_, faults, prefer, quantity) => {
    const sandbox = await createSandbox()
    const { requests, db } = sandbox.world
    sandbox.world.faults.set(faults)
    const controller = new AbortController()
    const { signal } = controller
    const all = { ...headers, Prefer: prefer }
    const aborted = sandbox.fetch(`${base}/inventory/1`, { ...change, headers: all, signal })
    await expect.poll(() => requests.pending()).toMatchObject([{ operation: 'updateInventory' }])
    controller.abort(new Error('the page was closed'))
    await expect(aborted).rejects.toThrow('the page was closed')
    const entries = requests.find()
    expect(entries).toMatchObject([{ aborted: true, status: 0 }])
    expect(entries[0]?.explanation.at(-1)).toBe('aborted by the client before the response')
    expect(requests.pending()).toEqual([])
    expect(db.pets.find(1)?.quantity).toBe(quantity)
  },
)

test('a fault replaces headers, and sends Retry-After as the date at which the seconds have passed', async () => {
  const clock = { now: '2026-01-01T00:00:00.500Z', frozen: true }
  const sandbox = await createSandbox({ scenario: { name: 'frozen', clock } })
  const headersOfFault = { 'cache-control': 'max-age=1' }
  const date = { retryAfterSeconds: 2, retryAfterFormat: 'date' } as const
  sandbox.world.faults.add({ type: 'status', status: 503, ...date, headers: headersOfFault })
  const response = await sandbox.fetch(`${base}/inventory`, { headers })
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('Thu, 01 Jan 2026 00:00:03 GMT')
  expect(response.headers.get('Cache-Control')).toBe('max-age=1')
})

test('an observer receives the route, the status and the seconds of a request', async () => {
  const { core } = await createSandbox()
  vi.spyOn(core.settings.platform, 'monotonic').mockReturnValueOnce(1_000).mockReturnValue(3_500)
  // A delay of 0 seconds does not wait, and an unknown pet is no lack of capacity.
  const notCalled = vi.fn()
  core.rejections.add(notCalled)
  const sent = new Headers({ ...headers, Prefer: 'delay=0' })
  const request: ApiRequest = {
    ...listRequest,
    path: '/pets/99',
    header: (name) => sent.get(name) ?? undefined,
    onAbort: notCalled,
    beginDelay: notCalled,
  }
  const countRequest = vi.fn()
  await respond(request, core, { countRequest })
  const route = expect.objectContaining({ params: { petId: '99' } })
  expect(countRequest.mock.calls).toEqual([['GET', route, 404, 2.5]])
  expect(notCalled).not.toHaveBeenCalled()
})

test('a request for which there is no room is reported', async () => {
  const { core, fetch, world } = await createSandbox()
  const problem = new Problem('sandbox_capacity', 'no room')
  vi.spyOn(world, 'checkRoom').mockImplementation(() => {
    throw problem
  })
  const listener = vi.fn()
  core.rejections.add(listener)
  await fetch(`${base}/inventory/1`, { ...change, headers })
  expect(listener.mock.calls).toEqual([[problem]])
})

test('a condition of a fault on the body does not change how an invalid body is rejected', async () => {
  const { fetch, world } = await createSandbox()
  world.faults.add({ type: 'reset', match: { body: { quantity: 9 } } })
  const text = { ...headers, 'Content-Type': 'text/plain' }
  const response = await fetch(`${base}/inventory/1`, { ...change, body: '{', headers: text })
  expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' })
})

describe('with a store', () => {
  const store = new MemoryStore(false)
  let failing: string | undefined
  store.onAccess = (method) => {
    if (method === failing) throw new StoreError('unreachable')
  }

  test('a request has its explanation, and reports its changes once it is stored', async () => {
    const sandbox = await createSandbox({ store })
    const kinds: string[] = []
    sandbox.onChange((_, changes) => kinds.push([...changes].sort().join()))
    expect(await explain(sandbox, '/inventory/1', change)).toEqual([
      'updateInventory responds with 200',
    ])
    const prefer = { headers: { Prefer: 'delay=0.001' } }
    expect(await explain(sandbox, '/inventory', prefer)).toHaveLength(2)
    expect(kinds).toEqual(['data,requests', 'requests', 'requests', 'requests'])
    expect(sandbox.world.journal.facts.items.map(({ afterId }) => afterId)).toEqual([0, 1])
  })

  test.each([
    ['the world of a request without an operation', '/unknown', 'sbx_free_default_new', 'load'],
    ['the entry of a rejected request', '/inventory', 'none', 'append'],
    ['the end of a delayed request', '/inventory/1', 'sbx_free', 'after the delay'],
  ])('that fails for %s, the response is 503', async (_, path, key, when) => {
    const sleep = async () => {
      failing = 'append'
    }
    const sandbox = await createSandbox({
      store,
      sleep,
      scenario: { name: 'late', faults: [late] },
    })
    failing = when
    const all = { ...headers, Authorization: `Bearer ${key}` }
    const response = await sandbox.fetch(`${base}${path}`, { ...change, headers: all })
    failing = undefined
    expect(await response.json()).toMatchObject({ status: 503, code: 'sandbox_unavailable' })
    expect(response.headers.get('X-Request-Id')).toMatch(/^local-\d$/)
    expect(sandbox.world.requests.find()).toEqual([])
  })
})
