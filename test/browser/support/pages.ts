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

export const apiUrl = 'https://api.petstore.example/v1'
export const controlUrl = 'https://api.petstore.example/sandbox'

/** The part of a response that a script can read. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface PageRequest {
  readonly key?: string
  readonly method?: string
  readonly json?: unknown
  /** The value of `Prefer`. */
  readonly prefer?: string
}

/** Sends a request from the page. */
export function fetchFromPage(
  page: Page,
  url: string,
  { key = 'sbx_free', method = 'GET', json, prefer }: PageRequest = {},
): Promise<PageResponse> {
  return page.evaluate(
    async ([url, method, key, body, prefer]) => {
      const type = { 'Content-Type': 'application/json' }
      const headers = { Authorization: `Bearer ${key}`, ...type, ...(prefer && { Prefer: prefer }) }
      const response = await fetch(url, { method, headers, body })
      const received = Object.fromEntries(response.headers)
      return { status: response.status, headers: received, text: await response.text() }
    },
    [url, method, key, json === undefined ? null : JSON.stringify(json), prefer] as const,
  )
}

/** Sets the stock of a pet from the page. */
export async function setQuantity(page: Page, petId: number, quantity: number, key = 'sbx_free') {
  const url = `${apiUrl}/inventory/${petId}`
  return fetchFromPage(page, url, { key, method: 'PATCH', json: { quantity } })
}

/** Returns the stock of a pet that the page reads. */
export async function readQuantity(page: Page, petId: number, key = 'sbx_free') {
  const { text } = await fetchFromPage(page, `${apiUrl}/inventory`, { key })
  const items: { petId: number; quantity: number }[] = JSON.parse(text)
  return items.find((item) => item.petId === petId)?.quantity
}

/** Reloads the page and waits for its sandbox. */
export async function reload(page: Page): Promise<void> {
  await page.reload()
  await page.evaluate(() => window.started)
}
