import { expect, test } from 'petstore-sandbox/playwright'
import { apiUrl } from '../support/page-requests.js'
import { openPage, pageUrl, readInventory } from '../support/test-page.js'

// These tests fail by design: test/browser/playwright.test.ts reads their output.

test('a page whose sandbox has other addresses', async ({ page }) => {
  await openPage(page, { baseUrl: 'https://api.my-shop.test/v1' }).catch(() => {})
})

test('a page with another service worker', async ({ page }) => {
  await page.goto(pageUrl)
  await page.evaluate(async (url) => {
    const { http, HttpResponse, setupWorker } = window.msw
    const handler = http.get(url, () => HttpResponse.json(['from the page']))
    await setupWorker(handler).start({ quiet: true, onUnhandledRequest: 'bypass' })
  }, `${apiUrl}/inventory`)
  expect(await readInventory(page)).toEqual(['from the page'])
})

test.describe('strict', () => {
  test.use({ strictFaults: true })
  test('an unused fault', ({ sandbox }) => {
    sandbox.world.faults.set([{ type: 'status', status: 500 }])
  })
})

test.describe('unhandled', () => {
  test.use({ onUnhandledRequest: 'error' })
  test('a wrong host', async ({ page, request }) => {
    await page.goto(pageUrl)
    const url = 'https://api.petstore.test/v1/inventory'
    const failure = page.evaluate((wrong) => fetch(wrong), url)
    await expect(failure).rejects.toThrow('Failed to fetch')
    await request.get(url)
  })
})

test('a client before a ban', async ({ page, sandbox }) => {
  await sandbox.use('rate-limited')
  await openPage(page, {})
  for (let sent = 0; sent < 9; sent++) await readInventory(page)
  throw new TypeError('thrown by the test')
})
