import type { Page } from '@playwright/test'
import { apiUrl, fetchFromPage } from './page-requests.js'

/** URL of the page of test/browser/page. */
export const pageUrl = `${process.env.PAGE_URL}/`

/** Opens the page, which starts a sandbox of its own with the options. */
export async function openPage(page: Page, options: object, query = ''): Promise<void> {
  await page.goto(`${pageUrl}?options=${encodeURIComponent(JSON.stringify(options))}${query}`)
  await page.evaluate(() => window.started)
}

/** Reads the inventory from the page. */
export async function readInventory(page: Page): Promise<unknown> {
  return JSON.parse((await fetchFromPage(page, `${apiUrl}/inventory`)).text)
}
