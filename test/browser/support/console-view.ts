import type { Page } from 'playwright-core'

/** Opens a view of the console. */
export async function show(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => location.assign(hash), `#${view}`)
  await page.locator(`.page[data-view="${view}"]`).waitFor()
}

/** Presses a button by its name, which a string states as a whole. */
export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name, exact: typeof name === 'string' }).click()
}

/** Waits for a text. */
export function see(page: Page, text: string | RegExp): Promise<void> {
  return page.getByText(text).first().waitFor()
}
