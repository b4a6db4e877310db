import { describe, expect, test } from 'vitest'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'

const base = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

/** Sends a request, and returns the steps after its charge. */
async function explain(sandbox: InProcessSandbox, path: string, init: RequestInit = {}) {
  const all = { ...headers, ...(init.headers as Record<string, string>) }
  await sandbox.fetch(`${base}${path}`, { ...init, headers: all }).catch(() => {})
  return sandbox.world.requests.find().at(-1)?.explanation.slice(2)
}

const change = { method: 'PATCH', body: '{"quantity": 9}' }

describe('the explanation', () => {
  const isNoStatus =
    'preference ignored: code must be one of 200, 400, 401, 408, 421, 429, 431, 500, 503 at this operation'

  test.each([
    ['wait=10', ['preference wait: an upper bound, which does not delay']],
    ['wait=soon', ['preference ignored: wait must be whole seconds']],
    ['code=418', [isNoStatus]],
    ['delay=61', ['preference ignored: delay must be seconds from 0 to 60']],
    ['handling=strictly', ['preference ignored: handling must be strict or lenient']],
    ['handling=not-strict', ['preference ignored: handling must be strict or lenient']],
    [
      'code=200, wait=3',
      ['preference: code=200', 'preference wait: an upper bound, which does not delay'],
    ],
    ['unknown, ,', []],
    [' ', []],
  ])('has notes about Prefer: %s', async (prefer, notes) => {
    const sandbox = await createSandbox()
    expect(await explain(sandbox, '/inventory', { headers: { Prefer: prefer } })).toEqual([
      ...notes,
      'listInventory responds with 200',
    ])
  })

  test('states that a change was applied before its response was lost', async () => {
    const sandbox = await createSandbox()
    sandbox.world.faults.add({ type: 'reset', phase: 'after' })
    const note = 'the change was applied before the fault'
    expect(await explain(sandbox, '/inventory/1', change)).toContain(note)
    expect(await explain(sandbox, '/inventory')).not.toContain(note)
  })
})

test('an aborted request is in the journal at once, waits no longer, and changes nothing', async () => {
  const sandbox = await createSandbox()
  const { requests, db } = sandbox.world
  const controller = new AbortController()
  const aborted = sandbox.fetch(`${base}/inventory/1`, {
    ...change,
    headers: { ...headers, Prefer: 'delay=30' },
    signal: controller.signal,
  })
  await expect.poll(() => requests.pending()).toMatchObject([{ operation: 'updateInventory' }])
  controller.abort(new Error('the page was closed'))
  await expect(aborted).rejects.toThrow('the page was closed')
  const [entry] = requests.find()
  expect(entry).toMatchObject({ aborted: true, status: 0 })
  expect(entry?.explanation.at(-1)).toBe('aborted by the client before the response')
  expect(requests.pending()).toEqual([])
  expect(db.pets.find(1)?.quantity).toBe(4)
})

test('a fault replaces headers, and sends Retry-After as the date at which the seconds have passed', async () => {
  const clock = { now: '2026-01-01T00:00:00.500Z', frozen: true }
  const sandbox = await createSandbox({ scenario: { name: 'frozen', clock } })
  sandbox.world.faults.add({
    type: 'status',
    status: 503,
    retryAfterSeconds: 2,
    retryAfterFormat: 'date',
    headers: {
      'cache-control': 'max-age=1',
      Via: ['1.1 edge', '1.1 cache'],
      'X-RateLimit-Limit': [],
    },
  })
  const response = await sandbox.fetch(`${base}/inventory`, { headers })
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('Thu, 01 Jan 2026 00:00:03 GMT')
  expect(response.headers.get('Cache-Control')).toBe('max-age=1')
  expect(response.headers.get('Via')).toBe('1.1 edge, 1.1 cache')
  expect(response.headers.has('X-RateLimit-Limit')).toBe(false)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('X-RateLimit-Remaining')).toBe('59')
})
