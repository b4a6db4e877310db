import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { minimumPauseMs } from '../../src/console/report/paced-loader.js'
import type { CoverageCell, Report } from '../../src/report/report.js'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { misbehave, requestCount } from './support/misbehaving-client.js'
import { usePages } from './support/pages.js'
import { findFaint, measureOverflow } from './support/readable.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

/** Opens the view of a separate world for each test. */
async function openReport(label: string, prepare?: (apiKey: string) => Promise<unknown>) {
  const apiKey = `sbx_free_default_${label}`
  await prepare?.(apiKey)
  const { page, messages } = await open(`/#key=${apiKey}`)
  await page.evaluate(() => location.assign('#report'))
  await page.getByRole('heading', { name: 'Conduct' }).waitFor()
  return { page, messages, apiKey }
}

/** Opens the report of a client that breaks rules. */
const openBroken = (label: string) => openReport(label, (apiKey) => misbehave(site, apiKey))

async function readReport(apiKey: string): Promise<Report> {
  const response = await site.send('/sandbox/report', apiKey)
  return (await response.json()) as Report // as the operation declares
}

const findCard = (page: Page, name: string) => page.getByRole('region', { name })

/** Returns the texts of the cells of a table, by row. */
function readTable(page: Page, name: string): Promise<string[][]> {
  return page
    .getByRole('table', { name, includeHidden: true })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => Array.from(row.children, (cell) => cell.textContent?.trim() ?? '')),
    )
}

/** Counts the requests of a page for its report. */
function countLoads(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/sandbox/report')) count += 1
  })
  return () => count
}

describe('the summary', () => {
  test('has the figures of GET /sandbox/report', async () => {
    const { page, apiKey } = await openBroken('summary')
    const { conduct, coverage, smallestPlan, requests } = await readReport(apiKey)
    const count = (outcome: string) => conduct.filter((rule) => rule.outcome === outcome).length
    const text = await findCard(page, 'Integration report').textContent()
    expect(requests.assessed).toBe(requestCount)
    expect(text).toContain(`${count('broken')} broken`)
    expect(text).toContain(`${count('kept')} kept, ${count('unseen')} not seen`)
    expect(text).toContain(`${coverage.met} of ${coverage.possible}`)
    expect(text).toContain(`${smallestPlan} is the smallest plan without a rejected request`)
    expect(text).toContain(`${requestCount} requests of ${requests.assessed && 'sbx_free_def…'}`)
  })

  test('says what to do for a key that has sent nothing', async () => {
    const { page } = await openReport('nothing')
    const card = findCard(page, 'Integration report')
    await card.getByText(/^The key \S+ has sent no request to this world/).waitFor()
    expect(await findCard(page, 'What if the key had another plan').count()).toBe(0)
    await findCard(page, 'Responses over time').getByText('There are no responses yet.').waitFor()
  })
})

describe('the conduct', () => {
  test('lists broken rules first, with finding, evidence, fix and source', async () => {
    const { page, apiKey } = await openBroken('conduct')
    const { conduct } = await readReport(apiKey)
    const broken = conduct.filter(({ outcome }) => outcome === 'broken')
    expect(broken.length).toBeGreaterThan(5)
    const card = findCard(page, 'Conduct')
    const titles = await card.locator('h3').allTextContents()
    expect(titles.slice(0, broken.length).toSorted()).toEqual(
      broken.map(({ severity, title, id }) => `${severity} ${title} ${id}`).toSorted(),
    )
    expect(titles.slice(broken.length).map((title) => title.split(/[ :]/)[0])).toEqual([
      'Kept',
      'Not',
    ])
    const text = ((await card.textContent()) ?? '').toLowerCase()
    for (const { finding, fix, source, evidence } of broken) {
      for (const part of [finding, fix, source, evidence[0]?.observation ?? '']) {
        expect(text).toContain(part.toLowerCase())
      }
    }
  })

  test('shows the requests of a finding, which others do not close', async () => {
    const { page, apiKey } = await openBroken('evidence')
    const { conduct } = await readReport(apiKey)
    const rule = conduct.find(({ id }) => id === 'retry-after')
    const list = page.getByRole('list', { name: 'Evidence of retry-after' })
    const loads = countLoads(page)
    expect(await list.getByRole('listitem').count()).toBe(3)
    await list.locator('..').getByRole('button', { name: 'Show 7 more' }).click()
    const items = list.locator('summary')
    expect(await items.locator('b').allTextContents()).toEqual(
      rule?.evidence.map(({ request }) => `#${request}`),
    )
    await items.first().click()
    const detail = list.locator('.detail').first()
    await detail.getByText('2026-03-01 09:00:').waitFor()
    await detail.getByRole('button', { name: 'Copy as test' }).focus()
    await site.send('/v1/store/orders', apiKey)
    await findCard(page, 'Integration report')
      .getByText(`${requestCount + 1} requests`)
      .waitFor()
    expect(loads()).toBeGreaterThan(0)
    expect(await detail.isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy as test')
    expect(await items.count()).toBe(10)
  })

  test('loads a request that the page does not have, and says if the journal has lost it', async () => {
    const { page } = await openBroken('lost')
    // The page has the entries, unless it could not load them.
    await page.route('**/sandbox/journal*', (route) => route.fulfill({ status: 502 }))
    let isLost = false
    await page.route('**/sandbox/requests*', async (route) => {
      // A response without this header is not that of a sandbox.
      const headers = { 'Sandbox-World-Generation': '1' }
      if (isLost) await route.fulfill({ headers, json: [] })
      else await route.continue()
    })
    await page.reload()
    const items = page.getByRole('list', { name: 'Evidence of content-type' }).locator('summary')
    await items.nth(0).click()
    await page.getByText('2026-03-01 09:00:00 UTC, production').waitFor()
    isLost = true
    await items.nth(1).click()
    await page.getByText('The journal no longer retains request 7.').waitFor()
  })

  test('shows hostile paths as text', async () => {
    const { page, messages } = await openBroken('hostile')
    const list = page.getByRole('list', { name: 'Evidence of no-repeat' })
    await list.locator('summary').first().click()
    await list.getByText('onerror=alert').first().waitFor()
    expect(await page.locator('img[src="x"], main script').count()).toBe(0)
    expect(messages).toEqual([])
  })
})

describe('the timeline', () => {
  test('has the numbers of the report, as a picture and as a table', async () => {
    const { page, apiKey } = await openBroken('timeline')
    const { timeline } = await readReport(apiKey)
    const filled = timeline.intervals.filter((each) => Object.values(each).some(Boolean))
    const card = findCard(page, 'Responses over time')
    await card.getByText('The timeline as a table').click()
    const rows = await readTable(page, `Responses in each ${timeline.intervalMs} ms`)
    expect(rows.map((row) => row.slice(1).map(Number))).toEqual(
      filled.map((each) => [
        each.succeeded,
        each.clientErrors,
        each.rateLimited,
        each.serverErrors,
        each.broken,
      ]),
    )
    const total = (field: 'succeeded' | 'rateLimited') =>
      filled.reduce((sum, each) => sum + each[field], 0)
    const totals = await card.getByRole('list', { name: 'Totals' }).textContent()
    expect(totals).toContain(`${total('succeeded')} succeeded`)
    expect(totals).toContain(`${total('rateLimited')} 429`)
    const parts = filled.flatMap((each) => Object.values(each).filter(Boolean))
    expect(await card.getByRole('img').locator('rect').count()).toBe(parts.length)
  })
})

describe('the coverage grid', () => {
  test('has a cell for each combination, with the number of responses', async () => {
    const { page, apiKey } = await openBroken('grid')
    const { coverage } = await readReport(apiKey)
    const cells = findCard(page, 'Coverage').getByRole('table').getByRole('button')
    expect((await cells.evaluateAll(readLabels)).toSorted()).toEqual(
      coverage.cells.map(toLabel).toSorted(),
    )
    expect(await cells.filter({ hasNotText: /^0$/ }).count()).toBe(coverage.met)
  })

  test.each([
    ['listOrders 200 (last)', 'Leave one request'],
    ['listOrders 429 (exhausted)', 'Exhaust the minute'],
    ['listOrders 429 (banned)', 'Ban the key for 5 min'],
    ['listOrders 500 (fresh)', 'Fail the next listOrders with 500'],
    ['getPet 410 after the sunset (fresh)', 'Move the clock to the sunset'],
  ])('prepares %s with one click', async (name, label) => {
    const { page, apiKey } = await openReport(`cell-${name.replace(/\W+/g, '')}`)
    const cell = page.getByRole('button', { name })
    await cell.click()
    const guide = page.getByRole('status').filter({ hasText: 'To produce it' })
    await guide.getByRole('button', { name: label }).click()
    await page.locator('.notice').waitFor()
    const path = name.startsWith('getPet') ? '/v1/pets/7' : '/v1/store/orders'
    await (await site.send(path, apiKey)).arrayBuffer()
    await expect.poll(() => cell.getAttribute('aria-label')).toBe(`${name}: 1 response`)
    await guide.getByText('Met: 1 response').waitFor()
    const { coverage } = await readReport(apiKey)
    expect(coverage.cells.filter(({ count }) => count > 0).map(toLabel)).toEqual([
      `${name}: 1 response`,
    ])
  })

  test('is used with the keyboard, and keeps the focus when a response arrives', async () => {
    const { page, apiKey } = await openReport('keyboard')
    const cell = page.getByRole('button', { name: 'listInventory 200 (fresh)' })
    await cell.focus()
    await page.keyboard.press('Enter')
    expect(await cell.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('status').getByText('Missing.').waitFor()
    await site.send('/v1/inventory', apiKey)
    await page.getByRole('status').getByText('Met: 1 response.').waitFor()
    expect(await cell.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Tab')
    const next = page.getByRole('button', { name: 'updateInventory 200 (fresh)' })
    expect(await next.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  test('leads to the view that can produce a combination, and keeps the selection', async () => {
    const { page } = await openReport('links')
    await page.getByRole('button', { name: 'getPet 200 after the sunset' }).click()
    const guide = page.getByRole('status').filter({ hasText: 'To produce it' })
    await guide.getByText('"afterSunset":"serve"').waitFor()
    await guide.getByRole('link', { name: 'Open Scenarios' }).click()
    await page.locator('.page[data-view="scenarios"]').waitFor()
    await page.goBack()
    await guide.getByRole('link', { name: 'Open getPet in Try' }).click()
    await page.locator('.page[data-view="try"]').waitFor()
  })
})

test('the plans have the forecasts of the report, and the smallest one that fits is marked', async () => {
  const { page, apiKey } = await openBroken('plans')
  const { whatIf, smallestPlan } = await readReport(apiKey)
  const rows = await readTable(page, 'The same requests under each plan')
  expect(
    rows.map(([name, refused, first, bans]) => [name?.toLowerCase(), refused, first, bans]),
  ).toEqual(
    whatIf.map(({ plan, refused, firstRefusalAt, bans }) => [
      plan +
        (plan === 'free' ? 'this key' : '') +
        (plan === smallestPlan ? 'smallest that fits' : ''),
      String(refused),
      firstRefusalAt?.slice(11, 19) ?? '–',
      String(bans),
    ]),
  )
  expect(smallestPlan).toBe('pro')
})

describe('a report that changes', () => {
  test('is loaded once for many requests, and not while another view is shown', async () => {
    const { page, apiKey } = await openReport('pace')
    const loads = countLoads(page)
    const startMs = performance.now()
    for (let count = 0; count < 40; count += 1) await site.send('/v1/store/orders', apiKey)
    await findCard(page, 'Integration report')
      .getByText(/^40 requests of/)
      .waitFor()
    const elapsedMs = performance.now() - startMs
    expect(loads()).toBeLessThanOrEqual(1 + Math.ceil(elapsedMs / minimumPauseMs))
    await page.evaluate(() => location.assign('#try'))
    await page.locator('.page[data-view="try"]').waitFor()
    const before = loads()
    await site.send('/v1/inventory', apiKey)
    await page.getByText('41 requests retained of 41 received').waitFor()
    expect(loads()).toBe(before)
    await page.evaluate(() => location.assign('#report'))
    await findCard(page, 'Integration report')
      .getByText(/^41 requests of/)
      .waitFor()
    expect(loads()).toBe(before + 1)
  })

  test('remains when it cannot be loaded, and is loaded again', async () => {
    const { page, apiKey } = await openReport('failure')
    await page.route('**/sandbox/report', (route) => route.abort())
    await site.send('/v1/inventory', apiKey)
    await page.getByText('The report could not be loaded: the sandbox does not respond.').waitFor()
    expect(await findCard(page, 'Conduct').isVisible()).toBe(true)
    await page.unroute('**/sandbox/report')
    await findCard(page, 'Integration report')
      .getByText(/^1 request of/)
      .waitFor()
    expect(await page.getByText('The report could not be loaded').count()).toBe(0)
  })

  test('is that of another key, once the page uses it', async () => {
    const { page } = await openBroken('one')
    await page.locator('#api-key').fill('sbx_free_default_another')
    await page.keyboard.press('Enter')
    await page.getByText(/^The key \S+ has sent no request/).waitFor()
  })
})

describe('a download', () => {
  test.each([
    ['HTML', 'integration-report.html', /^<!doctype html>[\s\S]*Waits as long as Retry-After says/],
    ['JUnit', 'integration-report.xml', /^<\?xml [\s\S]*<testsuite name="conduct"/],
  ])('as %s has the content of world report', async (label, name, content) => {
    const { page, messages } = await openBroken(`save-${label.toLowerCase()}`)
    const file = await save(page, label)
    expect(file.name).toBe(name)
    expect(file.content).toMatch(content)
    expect(file.content).not.toContain('<img')
    expect(messages).toEqual([])
  })

  test('as JSON is the response of GET /sandbox/report', async () => {
    const { page, apiKey } = await openBroken('save-json')
    const file = await save(page, 'JSON')
    expect(file.name).toBe('integration-report.json')
    expect(JSON.parse(file.content)).toEqual(await readReport(apiKey))
  })

  test('works below a path prefix', async () => {
    const { page } = await open(`${site.proxyUrl}#key=sbx_free_default_prefix`)
    await page.evaluate(() => location.assign('#report'))
    expect((await save(page, 'HTML')).content).toContain('Integration report')
  })
})

describe.each(appearances)('the view in %s on a %s', (scheme, device) => {
  test('has no finding of axe, is readable, and only its tables scroll sideways', async () => {
    const { page } = await openBroken(`axe-${scheme}-${device}`)
    await setAppearance(page, [scheme, device])
    await page.getByText('The timeline as a table').click()
    await page.getByRole('button', { name: 'getPet 404' }).click()
    await page.getByText('Keeps int64 ids exact').click()
    await page
      .getByRole('list', { name: 'Evidence of no-repeat' })
      .locator('summary')
      .first()
      .click()
    await page.locator('.detail').waitFor()
    expect(await findWithAxe(page)).toEqual([])
    expect(await findFaint(page)).toEqual([])
    expect(await measureOverflow(page)).toBe(0)
  })
})

async function save(page: Page, label: string): Promise<{ name: string; content: string }> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: `Save as ${label}` }).click()
  const download = await started
  const content = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), content }
}

function readLabels(elements: readonly Element[]): string[] {
  return elements.map((element) => element.getAttribute('aria-label') ?? '')
}

function toLabel({ operation, status, sunset, limiter, count }: CoverageCell): string {
  const state = `${status}${sunset ? ` ${sunset} the sunset` : ''} (${limiter})`
  return `${operation} ${state}: ${count} ${count === 1 ? 'response' : 'responses'}`
}
