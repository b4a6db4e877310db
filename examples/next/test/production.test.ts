import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import { connect } from 'petstore-sandbox/connect'
import { createSandboxServer } from 'petstore-sandbox/server'
import { click, startBrowser, visit, waitForStock } from './browser.ts'
import { runNext, startNext } from './next.ts'

before(() => runNext(['build']))

test('a sandbox over HTTP', async (t) => {
  // In your project: npx petstore-sandbox serve --port 4010
  const server = await createSandboxServer()
  const sandboxUrl = await server.listen({ port: 0 })
  t.after(() => server.close())

  const env = { PETSTORE_URL: `${sandboxUrl}/v1`, PETSTORE_API_KEY: 'sbx_free' }
  const url = await startNext(t, ['start'], { ...env, PETSTORE_KEY_COOKIE: 'sandbox-key' })
  const browser = await startBrowser(t)

  await t.test('the server and the browser use the same world', async () => {
    const page = await visit(browser, url)
    const sentByBrowser: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sentByBrowser.push(request.url())
    })
    await waitForStock(page, 4)
    await click(page, 'Add one')
    await waitForStock(page, 5)
    await click(page, 'Sell one')
    await waitForStock(page, 4)

    const world = await connect({ url: sandboxUrl, apiKey: 'sbx_free' })
    assert.equal(await world.requests.count('updateInventory'), 2)
    assert.deepEqual(sentByBrowser, [`${sandboxUrl}/v1/inventory/1`])
    world.close()
  })

  await t.test('a cookie selects the world of a visitor', async () => {
    // #region cookie
    const context = await browser.newContext()
    const cookie = { name: 'sandbox-key', value: 'sbx_free_low-stock_checkout-7', url }
    await context.addCookies([cookie])
    const page = await context.newPage()
    await page.goto(url)
    // #endregion
    await waitForStock(page, 1)
    await click(page, 'Add one')
    await waitForStock(page, 2)

    const other = await visit(browser, url, { 'sandbox-key': 'sbx_free_low-stock_checkout-8' })
    await waitForStock(other, 1)
    await click(other, 'Sell one')
    await waitForStock(other, 0)
    await page.reload()
    await waitForStock(page, 2)

    // #region connect
    const world = await connect({ url: sandboxUrl, apiKey: cookie.value })
    assert.equal(await world.requests.count('updateInventory'), 1)
    await world.db.pets.change('1', { quantity: 100 })
    await page.reload()
    // #endregion
    await waitForStock(page, 100)
    world.close()
  })

  await t.test('a cookie has no effect without PETSTORE_KEY_COOKIE', async (t) => {
    const url = await startNext(t, ['start'], env)
    const page = await visit(browser, url, { 'sandbox-key': 'sbx_free_low-stock_checkout-7' })
    await waitForStock(page, 4)
  })
})

test('a sandbox in the process', async (t) => {
  const url = await startNext(t, ['start'], {
    PETSTORE_MOCK: '1',
    PETSTORE_SCENARIO: 'low-stock',
    PETSTORE_URL: 'http://127.0.0.1:0/v1',
    PETSTORE_API_KEY: 'sbx_free',
  })
  const page = await visit(await startBrowser(t), url)
  await waitForStock(page, 1)
  await click(page, 'Add one')
  await waitForStock(page, 2)
  await click(page, 'Sell one')
  await waitForStock(page, 1)
})
