import { expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { serve } from '../../support/server.js'
import {
  createTime,
  pullTo,
  readBodies,
  readPulled,
  serveReplies,
  serveScenario,
  type Time,
} from './support.js'

const pets = Array.from({ length: 8 }, (_, index) => ({ petId: index + 1, name: `Pet ${index}` }))

/** A shop whose pull needs 10 requests. */
function createShop(plans: Scenario['plans'], others: Partial<Scenario> = {}): Scenario {
  return { name: 'shop', pets, plans, ...others }
}

/** Serves a shop, and counts the rejected requests of the key. */
async function serveShop(scenario: Scenario, time: Time) {
  const { url, sandbox } = await serveScenario(scenario, time)
  const key = 'sbx_free'
  const rejected = () => sandbox.world.requests.count({ status: 429 })
  return { url, sandbox, key, rejected }
}

test('pull waits for each reset of the minute window, and is never rejected', async () => {
  const time = createTime()
  const shop = createShop({ free: { requestsPerMinute: 4 } })
  const { url, rejected } = await serveShop(shop, time)
  const { code, stderr, stdout, output, files } = await pullTo({ url, key: 'sbx_free', time })
  expect({ code, files }).toEqual({ code: 0, files: ['pulled.json'] })
  expect(time.waits).toHaveLength(2)
  expect(stderr).toContain('the key has 0 requests left; waits 61 s, then continues\n')
  expect(rejected()).toBe(0)
  expect(stdout).toContain('every received value is represented')
  expect((await readPulled(output)).pets).toHaveLength(8)
})

test('a pull without the waits is rejected', async () => {
  const time = createTime()
  const { url, rejected } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  for (const { petId } of pets) {
    await fetch(`${url}/pets/${petId}`, { headers: { Authorization: 'Bearer sbx_free' } })
  }
  expect(rejected()).toBe(4)
})

test('pull stops before a wait that is longer than --max-wait, and writes no file', async () => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({ free: { requestsPerDay: 5 } }), time)
  const { code, message, files } = await pullTo({ url, key: 'sbx_free', time })
  expect({ code, files }).toEqual({ code: 2, files: [] })
  expect(message).toBe('the key has 0 requests left; a wait of 86401 s would exceed --max-wait')
  expect({ count: sandbox.world.requests.count(), waits: time.waits }).toEqual({
    count: 5,
    waits: [],
  })
})

test('pull stops after a 429, and says when to run it again', async () => {
  const requests: string[] = []
  const url = await serve((request, response) => {
    requests.push(request.url ?? '')
    const isRejected = request.url === '/store/orders'
    response.writeHead(isRejected ? 429 : 200, isRejected ? { 'Retry-After': '5' } : {}).end('[]')
  })
  const { code, message, files } = await pullTo({ url })
  expect({ code, message, files }).toEqual({
    code: 2,
    message:
      'GET /store/orders received 429 with Retry-After: 5; no further requests are sent, run the command again in 5 s',
    files: [],
  })
  expect(requests).toEqual(['/inventory', '/store/orders'])
})

test('pull ends on Ctrl-C during a wait, and writes no file', async () => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  const onWait = (interrupt: () => void) => interrupt()
  const interrupted = await pullTo({ url, key: 'sbx_free', time, onWait })
  expect(interrupted).toMatchObject({ code: 2, message: 'interrupted', files: [] })
  expect(sandbox.world.requests.count()).toBe(4)
})

test('pull fails when the connection is lost, and writes no file', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/inventory') response.end('[{"petId":1}]')
    else response.destroy()
  })
  const { code, message, files } = await pullTo({ url })
  expect({ code, files }).toEqual({ code: 2, files: [] })
  expect(message).toBe(`GET ${url}/store/orders: ECONNRESET`)
})

test('pull skips a pet after a server error, and says so', async () => {
  const { url } = await serveReplies({
    '/inventory': { body: [1, 2, 3].map((petId) => ({ petId, quantity: 1, status: 'sold' })) },
    '/store/orders': { body: [] },
    '/pets/2': { status: 500, body: '<html>' },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toContain(
    'not represented: pets: status 500, the sandbox responds with a record (2)',
  )
  const copy = await serveScenario(await readPulled(output))
  const bodies = await readBodies(url, [1, 3])
  expect(await readBodies(copy.url, [1, 3])).toEqual(bodies)
})

test('pull stops after three server errors in a row', async () => {
  const url = await serve((request, response) => {
    const path = request.url ?? ''
    if (path === '/inventory') response.end('[{"petId":1},{"petId":2},{"petId":3},{"petId":4}]')
    else if (path === '/store/orders') response.end('[]')
    else response.writeHead(503).end()
  })
  const { code, message } = await pullTo({ url })
  expect({ code, message }).toEqual({
    code: 2,
    message: `GET ${url}/pets/3: status 503; try again later`,
  })
})

test('pull requests no further pets after the sunset of the operation', async () => {
  const time = createTime()
  const deprecation = { deprecatedAt: '2025-01-01T00:00:00Z', sunsetAt: '2025-12-31T00:00:00Z' }
  const { url, sandbox } = await serveShop(createShop({}, { deprecation }), time)
  const { stdout, stderr } = await pullTo({ url, key: 'sbx_free', time })
  expect(stderr).toContain('GET /pets/{petId}: 410, no further pets are requested\n')
  expect(stdout).toContain('they are made up (2, 3, 4, 5, 6, 7, 8)')
  expect(sandbox.world.requests.count()).toBe(3)
})
