import type { Page } from '@playwright/test'
import { expect, test } from 'petstore-sandbox/playwright'

const baseUrl = 'https://api.my-shop.test/v1'
test.use({ sandboxOptions: { baseUrl, scenario: 'low-stock' } })

// A page that shows the response of the service. Your page comes from your own server.
test.beforeEach(async ({ page }) => {
  await page.route('https://my-shop.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Shop</h1><output></output>' }),
  )
  await page.goto('https://my-shop.test/')
})

test('the page shows the stock', async ({ page, sandbox }) => {
  await showInventory(page)
  const first = [...sandbox.world.db.inventory()][0]
  await expect(page.locator('output')).toContainText(`200 [{"petId":${first?.petId}`)
})

test('the page reports an exceeded rate limit, and recovers after the reset', async ({
  page,
  sandbox,
}) => {
  await sandbox.use('rate-limited')
  await showInventory(page)
  await expect(page.locator('output')).toContainText('429')
  expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 1 })

  sandbox.world.clock.advance('PT60S')
  await showInventory(page)
  await expect(page.locator('output')).toContainText('200')
})

function showInventory(page: Page): Promise<void> {
  return page.evaluate(async (url) => {
    const headers = { Authorization: 'Bearer sbx_free' }
    const response = await fetch(`${url}/inventory`, { headers })
    const output = document.querySelector('output')
    if (output) output.textContent = `${response.status} ${await response.text()}`
  }, baseUrl)
}
