import type { Page } from '@playwright/test'

export const api = 'https://api.petstore.example/v1'
export const headers = { Authorization: 'Bearer sbx_free' }

/** URL of the page of test/browser/page. */
export const pageUrl = `${process.env.PAGE_URL}/`

/** Opens the page, which starts a sandbox of its own with the options. */
export async function openPage(page: Page, options: object, query = ''): Promise<void> {
  await page.goto(`${pageUrl}?options=${encodeURIComponent(JSON.stringify(options))}${query}`)
  await page.evaluate(() => window.started)
}

/** Reads the inventory from the page. */
export function readInventory(page: Page): Promise<unknown> {
  return page.evaluate(async ([url, init]) => (await fetch(url, { headers: init })).json(), [
    `${api}/inventory`,
    headers,
  ] as const)
}
