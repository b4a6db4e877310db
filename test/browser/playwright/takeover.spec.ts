import { expect, test } from 'petstore-sandbox/playwright'
import { apiUrl } from '../support/page-requests.js'
import { openPage, readInventory } from '../support/test-page.js'

const headers = { Authorization: 'Bearer sbx_free' }

test.describe('page.request and request', () => {
  test('reach the sandbox of the test', async ({ page, request, sandbox }) => {
    const options = { headers, data: { quantity: 5 } }
    const changed = await page.request.patch(`${apiUrl}/inventory/1`, options)
    await expect(changed).toBeOK()
    expect(changed.url()).toBe(`${apiUrl}/inventory/1`)
    expect(await changed.json()).toEqual({ petId: 1, quantity: 5, status: 'available' })
    const read = await request.get(`${apiUrl}/inventory`, { headers, params: { page: 2 } })
    expect(read.headers()['x-ratelimit-remaining']).toBe('58')
    expect(sandbox.world.requests.find().map(({ query }) => query)).toEqual(['', 'page=2'])
  })

  test('fail if a fault resets the connection', async ({ request, sandbox }) => {
    sandbox.world.faults.set([{ type: 'reset', atMost: 1 }])
    await expect(request.get(`${apiUrl}/inventory`, { headers })).rejects.toThrow('socket hang up')
    expect((await request.get(`${apiUrl}/inventory`, { headers })).status()).toBe(200)
  })

  test.describe('with a base URL', () => {
    test.use({
      baseURL: 'https://shop.test/',
      sandboxOptions: { baseUrl: '/v1', scenario: 'empty-store' },
    })
    test('resolve a path', async ({ request }) => {
      expect(await (await request.get('/v1/inventory', { headers })).json()).toEqual([])
    })
  })
})

test.describe('page.clock', () => {
  test('moves the clocks of the worlds', async ({ page, sandbox }) => {
    const { clock } = sandbox.world
    await page.clock.install({ time: '2026-03-01T09:00:00Z' })
    expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 2, 1, 9))
    expect(clock.now()).toBeLessThan(Date.UTC(2026, 2, 1, 9, 1))
    await page.clock.pauseAt('2026-03-01T10:00:00Z')
    await page.clock.fastForward('01:30')
    await page.clock.runFor(500)
    expect(clock.now()).toBe(Date.UTC(2026, 2, 1, 10, 1, 30, 500))
    expect((await sandbox.worldFor('sbx_pro_default_later')).clock.now()).toBe(clock.now())
    await page.clock.setFixedTime('2027-01-01T00:00:00Z')
    expect(clock.now()).toBe(Date.UTC(2027, 0, 1))
  })

  test('ends the minute window of a key', async ({ page, sandbox, request }) => {
    await sandbox.use('nearly-limited')
    const read = async () => (await request.get(`${apiUrl}/inventory`, { headers })).status()
    const before = [await read(), await read()]
    await page.clock.fastForward('01:00')
    expect([...before, await read()]).toEqual([200, 429, 200])
  })
})

test.describe('a page that starts a sandbox of its own', () => {
  test.use({ sandboxOptions: { scenario: 'empty-store' } })

  test('meets the sandbox of the test', async ({ page, sandbox }) => {
    await openPage(page, {})
    expect(await readInventory(page)).toEqual([])
    expect(sandbox.world.requests.count('listInventory')).toBe(1)
  })

  test('starts the scenario of its URL, once', async ({ page, sandbox }) => {
    const options = { scenarioFromUrl: true }
    await openPage(page, options)
    expect(sandbox.world.scenario).toBe('empty-store')
    await openPage(page, options, '&scenario=low-stock+flaky')
    expect(sandbox.world.scenario).toBe('low-stock+flaky')

    sandbox.world.faults.clear()
    sandbox.world.db.pets.change('1', { quantity: 31 })
    await openPage(page, options, '&scenario=low-stock+flaky')
    expect(await readInventory(page)).toContainEqual(expect.objectContaining({ quantity: 31 }))

    await sandbox.use('empty-store')
    await page.reload()
    await page.evaluate(() => window.started)
    expect(await readInventory(page)).toEqual([])
  })

  test('says that it has no panel', async ({ page }) => {
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await openPage(page, { panel: true })
    expect(messages).toEqual([
      'petstore-sandbox: the sandbox of a Playwright test takes the place of this one: it has no panel',
    ])
  })
})

test('a fault that no request triggered is printed', ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'status', status: 500, operation: 'getPet' }])
})
