import type { TestContext } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Starts Chromium and closes it after the test. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  t.after(() => browser.close())
  return browser
}

/** Opens the application for a visitor without cookies, or with the given ones. */
export async function visit(
  browser: Browser,
  url: string,
  cookies: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const context = await browser.newContext()
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
  const page = await context.newPage()
  page.setDefaultTimeout(120_000) // The development server compiles a page when it is opened.
  await page.goto(url)
  return page
}

/** Waits until the page shows a quantity for pet 1. */
export async function waitForStock(page: Page, quantity: number): Promise<void> {
  await page.getByRole('row', { name: `Pet 1 ${quantity} ` }).waitFor()
}

/** Clicks a button of pet 1, as soon as React has attached its listeners. */
export async function click(page: Page, name: 'Add one' | 'Sell one'): Promise<void> {
  const button = page.getByRole('row', { name: /^Pet 1 / }).getByRole('button', { name })
  await page.waitForFunction(
    (element) => Object.keys(element ?? {}).some((key) => key.startsWith('__reactProps')),
    await button.elementHandle(),
  )
  await button.click()
}
