import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { apiUrl, fetchFromPage, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

const { start } = usePages(() => openTestPage())

test('screens', async () => {
  const { page, messages } = await start({ panel: true })
  await page.getByRole('button', { name: 'Sandbox panel' }).click()
  await page.getByText('rate-limited').first().waitFor()
  await fetchFromPage(page, `${apiUrl}/inventory`)
  await page.screenshot({ path: '/tmp/p1.png' })
  await page.getByRole('button', { name: 'Fail the next request' }).click()
  await page.waitForTimeout(500)
  await page.locator('.tab-content').evaluate((e) => e.scrollTo(0, 400))
  await page.screenshot({ path: '/tmp/p2.png' })
  console.log(messages)
  console.log((await fetchFromPage(page, `${apiUrl}/inventory`)).status)
  await page.getByRole('tab', { name: 'Journal' }).click()
  await page.locator('summary').first().click()
  await page.screenshot({ path: '/tmp/p3.png' })
  await page.setViewportSize({ width: 360, height: 700 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.screenshot({ path: '/tmp/p4.png' })
})
