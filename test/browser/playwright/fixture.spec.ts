import type { Page } from '@playwright/test'
import { expect, routeSandbox, test } from 'petstore-sandbox/playwright'

const api = 'https://api.petstore.example/v1'
const headers = { Authorization: 'Bearer sbx_free' }

test.beforeEach(async ({ page }) => {
  await page.route('https://page.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>page</title>' }),
  )
  await page.goto('https://page.test/')
})

test('the fixture serves and controls the world of the test', async ({ page, sandbox }) => {
  await send(page, `${sandbox.baseUrl}/inventory`, { headers: sandbox.headers })
  expect((await sandbox.fetch('/inventory')).status).toBe(200)
  expect(sandbox.account.minute.used).toBe(2)
  sandbox.world.quota.account('pro').set({ minute: { remaining: 1 } })
  await sandbox.use('empty-store')
  sandbox.reset()
  expect([sandbox.world.db.pets.count, sandbox.stagingWorld.scenario]).toEqual([12, 'default'])
})

test('requests of pages do not get the key of the fixture', async ({ browser, page, sandbox }) => {
  expect((await send(page, `${api}/inventory`, {})).status).toBe(401)
  const context = await browser.newContext()
  await routeSandbox(context, sandbox)
  const other = await context.newPage()
  await other.goto(`${api}/inventory`)
  expect(await other.textContent('body')).toContain('missing_api_key')
  await context.close()
})

for (const run of [1, 2]) {
  test(`each test has its own world, run ${run}`, async ({ page, sandbox }) => {
    const before = sandbox.world.db.pets.find('1')?.quantity
    expect(before).toBe(4)
    const response = await send(page, `${api}/inventory/1`, {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"quantity":77}',
    })
    expect(response).toMatchObject({
      status: 200,
      body: '{"petId":1,"quantity":77,"status":"available"}',
    })
    expect(sandbox.world.db.pets.find('1')?.quantity).toBe(77)
  })
}

test('a page of another origin reads every documented header', async ({ page, sandbox }) => {
  await sandbox.use('rate-limited')
  const response = await send(page, `${api}/pets/1`, { headers })
  expect(response).toMatchObject({ status: 429 })
  expect(Object.keys(response.headers)).toEqual(
    expect.arrayContaining([
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'deprecation',
      'sunset',
      'link',
    ]),
  )
})

test('a reset and a truncated body fail in the page', async ({ page, sandbox }) => {
  for (const type of ['reset', 'truncate'] as const) {
    sandbox.world.faults.set([{ type, atMost: 1 }])
    expect((await send(page, `${api}/inventory`, { headers })).error).toContain('Failed to fetch')
  }
  expect((await send(page, `${api}/inventory`, { headers })).status).toBe(200)
})

interface Sent {
  status: number
  headers: Record<string, string>
  body: string
  error?: string
}

function send(page: Page, url: string, init: RequestInit): Promise<Sent> {
  return page.evaluate(
    async ([address, options]) => {
      try {
        const response = await fetch(address, options)
        const seen = Object.fromEntries(response.headers)
        return { status: response.status, headers: seen, body: await response.text() }
      } catch (error) {
        return { status: 0, headers: {}, body: '', error: String(error) }
      }
    },
    [url, init] as const,
  )
}
