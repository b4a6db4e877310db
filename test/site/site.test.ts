import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findWithAxe } from '../browser/support/axe.js'
import { usePages } from '../browser/support/pages.js'
import { serveSite } from '../browser/support/site.js'

const folder = fileURLToPath(new URL('../../site', import.meta.url))
const names = await readdir(`${folder}/dist`, { recursive: true })
const paths = names.filter((name) => name.endsWith('.html') && !name.startsWith('storefront/'))

/** As at GitHub Pages. `pretest:site` builds the site for it. */
const base = '/petstore-sandbox/'

const pages = usePages(async () => {
  const site = await serveSite({ root: folder, base, configFile: false, appType: 'mpa' })
  return { ...site, url: `${site.url}${base}` }
})

/** The statuses of the responses to the examples of each page. */
const examples: Readonly<Record<string, readonly (readonly number[])[]>> = {
  'index.html': [[200]],
  'README.html': [[200], [429, 200], [200]],
  'docs/partners.html': [[201], [200, 200, 200, 200, 200], [429, 200]],
  'docs/front-end.html': [[200]],
  'docs/control-api.html': [[200, 200, 200, 200, 503, 429, 200, 200, 200]],
  'docs/faults.html': [
    [201, 502],
    [201, 503, 200, 200, 200, 200],
  ],
}

test.each(Object.entries(examples))('each "Send" of %s shows its responses', async (path, all) => {
  const { page, messages } = await pages.open(path)
  const sections = page.locator('.send-example')
  expect(await sections.count()).toBe(all.length)
  for (const [index, statuses] of all.entries()) {
    const example = sections.nth(index)
    await example.getByRole('button', { name: 'Send' }).click()
    const shown = example.locator('.exchange')
    await expect.poll(() => shown.count()).toBe(statuses.length)
    const titles = await shown.locator('strong').allTextContents()
    expect(titles.map((title) => Number.parseInt(title, 10))).toEqual(statuses)
    await expect.poll(() => example.locator('[aria-disabled="true"]').count()).toBe(0)
  }
  expect(await findWithAxe(page)).toEqual([])
  expect(messages).toEqual([])
})

test('only the pages with examples have a "Send"', async () => {
  const found: string[] = []
  for (const path of paths) {
    const html = await readFile(`${folder}/dist/${path}`, 'utf8')
    if (html.includes('class="send-example"')) found.push(path)
  }
  expect(found.toSorted()).toEqual(Object.keys(examples).toSorted())
})

test('a "Send" shows why the response was sent, and changes the world of the page', async () => {
  const { page } = await pages.open('docs/partners.html')
  const example = page.locator('.send-example').nth(1)
  await example.getByRole('button', { name: 'Send' }).click()
  const [list, update] = [0, 1].map((index) => example.locator('.exchange').nth(index))
  await expect.poll(() => list?.textContent()).toContain('"quantity": 4')
  await expect.poll(() => update?.textContent()).toContain('"quantity": 5')
  expect(await update?.getByRole('listitem').allTextContents()).toEqual([
    'key sbx_free… is on plan Free, world production/default',
    expect.stringMatching(/^minute window: 2nd of 60, resets /),
    'updateInventory responds with 200',
  ])

  await example.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => list?.textContent()).toMatch(/"petId": 1,\s*"quantity": 5/)
})

test('no page has a broken link or a finding of axe', async () => {
  const { page } = await pages.open('')
  const ids = new Map<string, readonly string[]>()
  const links = new Map<string, string>()
  const flaws: string[] = []
  for (const [index, path] of paths.filter((name) => name !== '404.html').entries()) {
    const url = `${pages.url()}${path}`
    await page.goto(url)
    // The scripts of the page name its switches.
    await page.locator('[role="switch"][title*=" "]').first().waitFor({ state: 'attached' })
    // Pages alternate between two appearances, because all of them have the same styles.
    const isDark = index % 2 === 1
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width: isDark ? 1280 : 360, height: 800 })
    flaws.push(...(await findWithAxe(page)).map((flaw) => `${path}: ${flaw}`))
    ids.set(url, await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id)))
    for (const link of await readLinks(page)) links.set(link, path)
  }
  expect(flaws).toEqual([])
  const broken: string[] = []
  for (const [link, path] of links) {
    const { origin, pathname, hash } = new URL(link)
    if (origin !== new URL(pages.url()).origin) continue
    const target = `${origin}${pathname.endsWith('/') ? `${pathname}index.html` : pathname}`
    const isFound =
      ids
        .get(target)
        ?.concat('')
        .includes(decodeURIComponent(hash.slice(1))) ?? (await fetch(target)).ok
    if (!isFound) broken.push(`${path}: ${link}`)
  }
  expect(broken).toEqual([])
})

test('search finds a word of a guide, and the theme can be switched', async () => {
  const { page } = await pages.open('')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('retryAfterFormat')
  await page.getByRole('option', { name: 'Faults' }).first().click()
  await page.getByRole('heading', { name: 'Faults', level: 1 }).waitFor()

  await page.getByRole('switch').first().click()
  expect(await page.locator('html.dark').count()).toBe(1)
  await page.reload()
  expect(await page.locator('html.dark').count()).toBe(1)
})

test('the storefront has a panel and a sandbox', async () => {
  const { page } = await pages.open('storefront.html')
  const shop = page.frameLocator('iframe.storefront')
  await shop.getByText('59 of 60').waitFor()
  // At once: while the page scrolls after a key, a click can miss the panel.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await shop.getByRole('button', { name: /default/ }).click()
  await shop.getByRole('button', { name: 'Fail the next request' }).waitFor()
})

async function readLinks(page: Page): Promise<string[]> {
  const links = page.locator('a[href], img[src], iframe[src]')
  return links.evaluateAll((all) =>
    all.map((element) => {
      const link = element.getAttribute('href') ?? element.getAttribute('src') ?? ''
      return new URL(link, document.baseURI).href
    }),
  )
}
