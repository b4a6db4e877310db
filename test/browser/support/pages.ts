import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll } from 'vitest'
import type { BrowserSandboxOptions } from '../../../src/browser.js'
import { launchChromium } from './chromium.js'
import type { Site } from './site.js'

/** A page and the messages of its console. */
export interface Visit {
  readonly page: Page
  readonly messages: readonly string[]
}

/** The site and pages of a test file. */
export interface Pages {
  /** URL of the site. */
  url(): string
  /** Opens a tab. All tabs of a test share the storage of the browser. */
  open(path?: string): Promise<Visit>
  /** Opens a tab of the test page and waits until its sandbox has started. */
  start(options?: BrowserSandboxOptions, query?: string): Promise<Visit>
}

/** Starts one site and one browser for a test file. Each test has its own browser profile. */
export function usePages(openSite: () => Promise<Site>): Pages {
  let site: Site
  let browser: Browser
  let context: BrowserContext | undefined
  beforeAll(async () => {
    site = await openSite()
    return () => site.close()
  })
  beforeAll(async () => {
    browser = await launchChromium()
    return () => browser.close()
  })
  afterEach(async () => {
    await context?.close()
    context = undefined
  })

  const open = async (path = '/') => {
    context ??= await browser.newContext()
    const page = await context.newPage()
    // Below the timeout of a test, so that the error names the step that failed.
    page.setDefaultTimeout(60_000)
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', ({ message }) => messages.push(message))
    await page.goto(new URL(path, site.url).href)
    return { page, messages }
  }
  return {
    url: () => site.url,
    open,
    async start(options = {}, query = '') {
      const visit = await open(toStartPath(options, query))
      await visit.page.evaluate(() => window.started)
      return visit
    },
  }
}

/** Path of the test page that starts a sandbox with the options. */
export function toStartPath(options: BrowserSandboxOptions, query = ''): string {
  return `/?options=${encodeURIComponent(JSON.stringify(options))}${query}`
}

/** Reloads the page and waits for its sandbox. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.evaluate(() => window.started)
}
