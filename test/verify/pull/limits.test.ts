import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Scenario } from '../../../src/index.js'
import { serveOther } from '../../cli/world-support.js'
import {
  apiKey,
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

test('pull states the number of requests and the quota before it requests the orders and the pets', async () => {
  const time = createTime()
  const { url } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  const { stderr } = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    `GET ${url}/inventory: 1 request, to count the others`,
    'needs 10 requests in all (1 for the inventory, 1 for the orders, 8 for the pets), 9 of them now',
    '3 of 4 are left, the limit resets in 61 s: 2 waits for the reset',
  ])
})

test('pull waits for each reset of the minute window, and is never rejected', async () => {
  const time = createTime()
  const shop = createShop({ free: { requestsPerMinute: 4 } })
  const { url, rejected } = await serveShop(shop, time)
  const { code, stderr, stdout, output, files } = await pullTo({ url, apiKey: 'sbx_free', time })
  expect({ code, files }).toEqual({ code: 0, files: ['pulled.json'] })
  expect(time.waits).toHaveLength(2)
  expect(stderr).toContain('the key has no requests left; waits 61 s, then continues\n')
  expect(rejected()).toBe(0)
  expect(stdout).toContain('every body is the same, byte for byte')
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

test('pull stops before a wait that is longer than --max-wait, and continues later', async () => {
  const time = createTime()
  const shop = createShop({ free: { requestsPerDay: 5 } })
  const { url, sandbox, rejected } = await serveShop(shop, time)
  const first = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(first.code).toBe(2)
  expect(first.message).toBe(
    `the key has no requests left, and a wait of 25 h would exceed --max-wait; 5 responses saved in ${first.output}.partial, the same command continues in 25 h or later`,
  )
  expect(first.files).toEqual(['pulled.json.partial'])
  const count = () => sandbox.world.requests.count()

  // Too early: sends nothing.
  time.nowMs += 3_600_000
  const early = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(early).toMatchObject({ code: 2, message: expect.stringContaining('a wait of 24 h') })
  expect(count()).toBe(5)

  time.nowMs += 86_400_000
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
  expect(last.stderr).toContain(`continues with 5 responses of ${first.output}.partial\n`)
  expect({ count: count(), rejected: rejected(), waits: time.waits }).toEqual({
    count: 10,
    rejected: 0,
    waits: [],
  })
  expect(last.stdout).toContain('every body is the same, byte for byte')
})

/** Serves an empty store whose orders are rejected a number of times. */
async function serveRejections(rejections: number, headers: Readonly<Record<string, string>>) {
  const requests: string[] = []
  const url = await serveOther((request, response) => {
    requests.push(request.url ?? '')
    const isRejected = request.url === '/store/orders' && requests.length <= rejections + 1
    response.writeHead(isRejected ? 429 : 200, { ...(isRejected && headers) }).end('[]')
  })
  return { url, requests }
}

test.each<[string, Record<string, string>, number]>([
  ['Retry-After in seconds', { 'Retry-After': '5' }, 5],
  ['no Retry-After', {}, 60],
  ['an invalid Retry-After', { 'Retry-After': '-1' }, 60],
  ['a Retry-After of 0', { 'Retry-After': '0' }, 1],
  [
    'a Retry-After that is a date',
    { Date: 'Thu, 15 Jan 2026 09:00:00 GMT', 'Retry-After': 'Thu, 15 Jan 2026 09:00:07 GMT' },
    7,
  ],
  [
    'a reset that is later than Retry-After',
    {
      Date: 'Thu, 15 Jan 2026 09:00:00 GMT',
      'Retry-After': '1',
      'X-RateLimit-Limit': '1',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Date.UTC(2026, 0, 15, 9, 0, 9) / 1000),
    },
    9,
  ],
])('pull waits after a 429 with %s, and retries once', async (_title, headers, seconds) => {
  const { url, requests } = await serveRejections(1, headers)
  const { code, stderr } = await pullTo({ url })
  expect(code).toBe(0)
  const value = headers['Retry-After']
  const found = value === undefined ? 'without Retry-After' : `with Retry-After: ${value}`
  expect(stderr).toContain(
    `\nGET /store/orders: 429 ${found}; waits ${seconds} s, then continues\n`,
  )
  expect(requests).toEqual(['/inventory', '/store/orders', '/store/orders'])
})

test('pull stops after the second 429 in a row', async () => {
  const { url, requests } = await serveRejections(9, { 'Retry-After': '5' })
  const { code, message, output } = await pullTo({ url })
  expect({ code, message }).toEqual({
    code: 2,
    message: `GET ${url}/store/orders: 429 with Retry-After: 5; another client uses the limit of the key; 1 response saved in ${output}.partial, the same command continues in 5 s or later`,
  })
  expect(requests).toHaveLength(3)
})

test('pull sends no further request during a ban', async () => {
  const time = createTime()
  const quota = { free: { ban: { seconds: 300 } } }
  const { url, sandbox } = await serveShop(createShop({}, { quota }), time)
  const first = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(first).toMatchObject({
    code: 2,
    message: expect.stringMatching(
      /^GET \/inventory: 429 with Retry-After: 300, and a wait of 6 min would exceed --max-wait; 0 responses saved in .+, the same command continues in 6 min or later$/,
    ),
    files: ['pulled.json.partial'],
  })
  const again = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(again).toMatchObject({ code: 2, files: first.files })
  expect(sandbox.world.requests.count()).toBe(1)

  time.nowMs += 301_000
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
})

test('pull saves its progress on Ctrl-C, and the same command continues', async () => {
  const time = createTime()
  const { url, sandbox } = await serveShop(createShop({ free: { requestsPerMinute: 4 } }), time)
  const first = await pullTo({
    url,
    apiKey: 'sbx_free',
    time,
    onWait: (interrupt) => interrupt(),
  })
  expect(first).toMatchObject({
    code: 2,
    message: expect.stringMatching(/^interrupted; 4 responses/),
  })
  const last = await pullTo({ url, apiKey: 'sbx_free', time, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
  expect(sandbox.world.requests.count()).toBe(10)
})

/** A server that breaks the connection of the third request, and of its repetition. */
async function serveLostConnection() {
  const requests: string[] = []
  const url = await serveOther((request, response) => {
    requests.push(request.url ?? '')
    if (requests.length === 3 || requests.length === 4) response.destroy()
    else if (request.url === '/inventory') response.end('[{"petId":1},{"petId":2}]')
    else if (request.url === '/store/orders') response.end('[]')
    else response.end(`{"petId":${request.url?.slice('/pets/'.length)},"name":"a"}`)
  })
  return { url, requests }
}

test('pull saves its progress when the connection is lost, and the same command continues', async () => {
  const { url, requests } = await serveLostConnection()
  const first = await pullTo({ url })
  expect(first).toMatchObject({ code: 2, files: ['pulled.json.partial'] })
  expect(first.message).toMatch(/^GET \S+\/pets\/1: ECONNRESET; 2 responses saved in /)
  expect(await readFile(`${first.output}.partial`, 'utf8')).not.toContain(apiKey)
  const last = await pullTo({ url, output: first.output })
  expect(last).toMatchObject({ code: 0, files: ['pulled.json'] })
  const lost = ['/pets/1', '/pets/1']
  expect(requests).toEqual(['/inventory', '/store/orders', ...lost, '/pets/1', '/pets/2'])
})

test.each<[string, (text: string) => string, string]>([
  ['of another deployment', (text) => text.replace('http:', 'https:'), 'is the progress of https'],
  [
    'of another key',
    (text) => text.replace('"key":"', '"key":"x'),
    'is the progress of another key',
  ],
  ['that is truncated', (text) => text.slice(0, -9), 'is not the progress of a pull'],
  ['of another form', () => '{"url":1}', 'is not the progress of a pull'],
])('pull refuses a progress file %s', async (_title, change, reason) => {
  const { url, requests } = await serveLostConnection()
  const { output } = await pullTo({ url })
  const path = `${output}.partial`
  await writeFile(path, change(await readFile(path, 'utf8')))
  const { code, message } = await pullTo({ url, output })
  expect({ code, message }).toEqual({ code: 2, message: expect.stringContaining(reason) })
  expect(message).toContain('; remove it, or set another --output')
  expect(requests).toHaveLength(4)
})

test('pull skips a pet after a server error, and says so', async () => {
  const { url } = await serveReplies({
    '/inventory': { body: [1, 2, 3].map((petId) => ({ petId, quantity: 1, status: 'sold' })) },
    '/store/orders': { body: [] },
    '/pets/2': { status: 500, body: '<html>' },
  })
  const { code, stdout, output } = await pullTo({ url })
  expect(code).toBe(0)
  expect(stdout).toContain('not the same: pets: GET /pets/{petId} responds with 500 (2)')
  const copy = await serveScenario(await readPulled(output))
  const bodies = await readBodies(url, [1, 3])
  expect(await readBodies(copy.url, [1, 3])).toEqual(bodies)
})

test('pull stops after three server errors in a row, and requests these pets again', async () => {
  const ids = [1, 2, 3, 4, 5, 6]
  let isDown = true
  const requests: string[] = []
  const url = await serveOther((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    if (path === '/inventory') response.end(JSON.stringify(ids.map((petId) => ({ petId }))))
    else if (path === '/store/orders') response.end('[]')
    else if (isDown && path !== '/pets/1') response.writeHead(503).end()
    else response.end(`{"petId":${path.slice('/pets/'.length)},"name":"a"}`)
  })
  const first = await pullTo({ url })
  expect(first.code).toBe(2)
  expect(first.message).toContain('/pets/4: 503; try again later; 3 responses saved in ')
  isDown = false
  const last = await pullTo({ url, output: first.output })
  expect(last.code).toBe(0)
  expect(requests.slice(6)).toEqual(['/pets/2', '/pets/3', '/pets/4', '/pets/5', '/pets/6'])
})

test('pull requests no further pets after the sunset of the operation', async () => {
  const time = createTime()
  const deprecation = { deprecatedAt: '2025-01-01T00:00:00Z', sunsetAt: '2025-12-31T00:00:00Z' }
  const { url, sandbox } = await serveShop(createShop({}, { deprecation }), time)
  const { stdout, stderr } = await pullTo({ url, apiKey: 'sbx_free', time })
  expect(stderr).toContain('GET /pets/{petId}: 410, no further pets are requested\n')
  expect(stdout).toContain('the names are made up (2, 3, 4, 5, 6, 7, 8)')
  expect(sandbox.world.requests.count()).toBe(3)
})
