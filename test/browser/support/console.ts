import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterEach } from 'vitest'
import type { World } from '../../../src/index.js'
import { type ConsoleSite, openConsoleSite } from './console-site.js'
import { type Pages, usePages, type Visit } from './pages.js'

/** A view of the console, which controls a world of its own. */
export interface OpenView extends Visit {
  readonly apiKey: string
  readonly world: World
}

/** The console of a test file, and the server of its sandbox. */
export interface Console extends Pages {
  site(): ConsoleSite
  /** Sends a request from outside the page. */
  readonly send: ConsoleSite['send']
  /** Opens a view with a key that has the label of the test. */
  openView(view: string, label: string, key?: string): Promise<OpenView>
}

/** Starts one server and one browser for a test file. */
export function useConsole(...settings: Parameters<typeof openConsoleSite>): Console {
  let site: ConsoleSite
  const pages = usePages(async () => {
    site = await openConsoleSite(...settings)
    return site
  })
  afterEach(() => site.failProxy(undefined))
  return {
    ...pages,
    site: () => site,
    send: (...parts) => site.send(...parts),
    async openView(view, label, key = 'sbx_free_default') {
      const apiKey = `${key}_${label}`
      const world = await site.sandbox.worldFor(apiKey)
      const visit = await pages.open(`/#key=${apiKey}`)
      await show(visit.page, view)
      return { ...visit, apiKey, world }
    },
  }
}

/** Opens a view of the console. */
export async function show(page: Page, view: string): Promise<void> {
  await page.evaluate((hash) => location.assign(hash), `#${view}`)
  await page.locator(`.page[data-view="${view}"]`).waitFor()
}

/** Presses a button by its name, which a string states as a whole. */
export function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name, exact: typeof name === 'string' }).click()
}

/** Presses a button that copies, waits for the message, and returns what is copied. */
export async function copy(page: Page, name: string, message: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(page, name)
  await see(page, message)
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Presses a button that saves a file. Returns its name, its path and its content. */
export async function save(page: Page, button: string) {
  const started = page.waitForEvent('download')
  await press(page, button)
  const download = await started
  const path = await download.path()
  return { name: download.suggestedFilename(), path, content: await readFile(path, 'utf8') }
}

/** Waits for a text. */
export function see(page: Page, text: string | RegExp): Promise<void> {
  return page.getByText(text).first().waitFor()
}
