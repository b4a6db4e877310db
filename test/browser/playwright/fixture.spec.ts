import { expect, routeSandbox, test } from 'petstore-sandbox/playwright'
import { apiUrl, fetchFromPage, setQuantity } from '../support/page-requests.js'

const url = `${apiUrl}/inventory`

test.beforeEach(async ({ page }) => {
  await page.route('https://page.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>page</title>' }),
  )
  await page.goto('https://page.test/')
})

test('the fixture serves and controls the world of the test', async ({ page, sandbox }) => {
  await fetchFromPage(page, `${sandbox.baseUrl}/inventory`, { key: sandbox.apiKey })
  expect((await sandbox.fetch('/inventory')).status).toBe(200)
  expect(sandbox.account.minute.used).toBe(2)
  sandbox.world.quota.account('pro').set({ minute: { remaining: 1 } })
  await sandbox.use('empty-store')
  sandbox.reset()
  expect([sandbox.world.db.pets.count, sandbox.stagingWorld.scenario]).toEqual([12, 'default'])
})

test('requests of pages do not get the key of the fixture', async ({ browser, page, sandbox }) => {
  const context = await browser.newContext()
  await routeSandbox(context, sandbox)
  for (const each of [page, await context.newPage()]) {
    await each.goto(url)
    expect(await each.textContent('body')).toContain('missing_api_key')
  }
  await context.close()
})

for (const run of [1, 2]) {
  test(`each test has its own world, run ${run}`, async ({ page, sandbox }) => {
    const before = sandbox.world.db.pets.find('1')?.quantity
    expect(before).toBe(4)
    expect(await setQuantity(page, 1, 77)).toMatchObject({
      status: 200,
      text: '{"petId":1,"quantity":77,"status":"available"}',
    })
    expect(sandbox.world.db.pets.find('1')?.quantity).toBe(77)
  })
}

test('a page of another origin reads every documented header', async ({ page, sandbox }) => {
  await sandbox.use('rate-limited')
  const response = await fetchFromPage(page, `${apiUrl}/pets/1`)
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
    await expect(fetchFromPage(page, url)).rejects.toThrow('Failed to fetch')
  }
  expect((await fetchFromPage(page, url)).status).toBe(200)
})
