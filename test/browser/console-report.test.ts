import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { minimumPauseMs } from '../../src/console/report/report-view.js'
import type { CoverageCell, Report } from '../../src/report/report.js'
import { findFlaws, twoAppearances } from './support/axe.js'
import { press, save, see, show, useConsole } from './support/console.js'

const { open, openView, send, site } = useConsole()

/** Opens the view of a separate world for each test. */
async function openReport(label: string) {
  const opened = await openView('report', label)
  await opened.page.getByRole('heading', { name: 'Conduct' }).waitFor()
  return opened
}

const requestCount = 79

/** A path that is no path of the service, with markup and a character that changes the direction. */
const hostilePath = encodeURI('/pets/7/<img src=x onerror=alert(1)>\u202e?x=</script>')

/**
 * Opens the report of a client that breaks rules: it uses a deprecated operation, repeats what was
 * rejected, and does not wait when the minute is exhausted, until its key is banned.
 */
async function openBroken(label: string) {
  const apiKey = `sbx_free_default_${label}`
  const { sandbox } = site()
  const { clock } = await sandbox.worldFor(apiKey)
  clock.freeze('2026-03-01T09:00:00Z')
  const send = async (path: string, delayMs: number, init: RequestInit = {}) => {
    clock.advance(delayMs)
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'text/plain' }
    await sandbox.fetch(`https://api.petstore.example/v1${path}`, { ...init, headers })
  }
  for (let count = 0; count < 2; count += 1) await send('/pets/7', 50)
  for (let count = 0; count < 3; count += 1) await send(hostilePath, 50)
  const patch = { method: 'PATCH', body: '{"quantity":1}' }
  for (let count = 0; count < 3; count += 1) await send('/inventory/7', 50, patch)
  for (let count = 0; count < 71; count += 1) {
    await send('/inventory', count % 7 === 0 ? 1_000 : 20)
  }
  return openReport(label)
}

async function readReport(apiKey: string): Promise<Report> {
  const response = await send('/sandbox/report', apiKey)
  return (await response.json()) as Report // as the operation declares
}

const findCard = (page: Page, name: string) => page.getByRole('region', { name })

/** Opens a rule, and returns its part of the page. */
async function openRule(page: Page, title: string) {
  const rule = findCard(page, 'Conduct').locator('.conduct > li', { hasText: title })
  await rule.locator('summary').first().click()
  return rule
}

test('the summary, the grid and the plans have the figures of GET /sandbox/report', async () => {
  const { page, apiKey } = await openBroken('summary')
  const { conduct, coverage, whatIf, smallestPlan } = await readReport(apiKey)
  const count = (outcome: string) => conduct.filter((rule) => rule.outcome === outcome).length
  const text = await findCard(page, 'Integration report').textContent()
  expect(text).toContain(`${count('broken')} broken`)
  expect(text).toContain(`${count('kept')} kept, ${count('unseen')} not seen`)
  expect(text).toContain(`${coverage.met} of ${coverage.possible}`)
  expect(text).toContain('pro is the smallest plan without a rejected request')
  expect(text).toContain(`${requestCount} requests of sbx_free_def…`)

  const cells = findCard(page, 'Coverage').getByRole('table').getByRole('button')
  const labels = await cells.evaluateAll(readLabels)
  expect(labels.toSorted()).toEqual(coverage.cells.map(toLabel).toSorted())

  const plans = page.getByRole('table', { name: 'The same requests under each plan' })
  const rows = await plans.locator('tbody tr').allTextContents()
  expect(smallestPlan).toBe('pro')
  expect(rows.map((row) => row.replaceAll(/\s/g, '').toLowerCase())).toEqual(
    whatIf.map(({ plan, refused, firstRefusalAt, bans }) => {
      const mark = { free: 'thiskey', pro: 'smallestthatfits' }[plan as string] ?? ''
      return `${plan}${mark}${refused}${firstRefusalAt?.slice(11, 19) ?? '–'}${bans}`
    }),
  )
})

test('the report of a key that has sent nothing says what to do', async () => {
  const { page } = await openReport('nothing')
  await see(page, /^The key \S+ has sent no request to this world/)
  await see(page, 'There are no responses yet.')
  expect(await findCard(page, 'What if the key had another plan').count()).toBe(0)
})

describe('the timeline', () => {
  test('has the numbers of the report, with the violations marked', async () => {
    const { page, apiKey } = await openBroken('timeline')
    const { timeline, conduct } = await readReport(apiKey)
    const card = findCard(page, 'Responses over time')
    const bars = await card.getByRole('option').evaluateAll(readLabels)
    /** Adds up a number in the names of the bars. */
    const count = (name: string) =>
      bars.reduce((sum, text) => sum + Number(RegExp(`(\\d+) ${name}`).exec(text)?.[1] ?? 0), 0)
    const total = (field: keyof (typeof timeline.intervals)[number]) =>
      timeline.intervals.reduce((sum, each) => sum + each[field], 0)
    expect(bars).toHaveLength(timeline.intervals.length)
    expect(count('succeeded')).toBe(total('succeeded'))
    expect(count('4xx')).toBe(total('clientErrors'))
    expect(count('429(?=,|$)')).toBe(total('rateLimited'))
    const evidence = conduct.flatMap((rule) => (rule.outcome === 'broken' ? rule.evidence : []))
    expect(count('violations?')).toBe(evidence.length)
    const marked = bars.filter((text) => text.includes('violation')).length
    expect(await card.locator('.violation').count()).toBe(marked)
  })

  test('shows the violations of a selected time, and leads to their requests', async () => {
    const { page } = await openBroken('marks')
    const card = findCard(page, 'Responses over time')
    await card.locator('.bar:has(.violation)').last().click()
    const details = card.getByRole('status')
    await details.getByRole('heading', { name: /UTC: \d+ violations?$/ }).waitFor()
    await details
      .getByRole('link', { name: /^#\d+$/ })
      .first()
      .click()
    await page
      .getByRole('region', { name: /^Request \d+$/ })
      .locator('.detail')
      .waitFor()
    await page.goBack()
    await card.locator('.bar:has(.violation)').first().click()
    await details.getByRole('link', { name: 'Show the requests in the journal' }).click()
    await see(page, /^\d+ of 79 requests match/)
  })
})

describe('the conduct', () => {
  test('lists broken rules first; each opens with evidence, fix and source', async () => {
    const { page, apiKey } = await openBroken('conduct')
    const { conduct } = await readReport(apiKey)
    const broken = conduct.filter(({ outcome }) => outcome === 'broken')
    expect(broken.length).toBeGreaterThan(5)
    const rules = findCard(page, 'Conduct').locator('.conduct > li')
    expect(await rules.count()).toBe(conduct.length)
    const marks = await rules.locator('summary').locator('.mark').allTextContents()
    expect([...new Set(marks)]).toEqual(['error', 'warning', 'kept', 'not seen'])
    for (const { title, finding, fix, source, evidence } of broken) {
      const text = (await (await openRule(page, title)).textContent())?.toLowerCase()
      for (const part of [finding, fix, source, evidence[0]?.observation ?? '']) {
        expect(text).toContain(part.toLowerCase())
      }
    }
  })

  test('shows the requests of a finding, which others do not close', async () => {
    const { page, apiKey } = await openBroken('evidence')
    await openRule(page, 'Waits as long as Retry-After says')
    const list = page.getByRole('list', { name: 'Evidence of retry-after' })
    const items = list.locator('summary')
    await items.first().click()
    const detail = list.locator('.detail')
    await detail.getByText('2026-03-01 09:00:').waitFor()
    await detail.getByRole('button', { name: 'Copy as test' }).focus()
    await send('/v1/store/orders', apiKey)
    await see(page, new RegExp(`^${requestCount + 1} requests`))
    expect(await detail.isVisible()).toBe(true)
    expect(await page.locator(':focus').textContent()).toBe('Copy as test')
    expect(await items.count()).toBe(10)
  })
})

describe('the coverage grid', () => {
  test.each([
    ['listOrders 200 (last)', 'Leave one request'],
    ['listOrders 429 (banned)', 'Ban the key for 5 min'],
    ['getPet 410 after the sunset (fresh)', 'Move the clock to the sunset'],
  ])('prepares %s with one click, and keeps the focus', async (name, label) => {
    const { page, apiKey } = await openReport(`cell-${name.replace(/\W+/g, '')}`)
    const cell = page.getByRole('button', { name })
    await cell.focus()
    await page.keyboard.press('Enter')
    await see(page, 'Missing.')
    await press(page, label)
    await page.locator('.notice').waitFor()
    await cell.focus()
    const path = name.startsWith('getPet') ? '/v1/pets/7' : '/v1/store/orders'
    await (await send(path, apiKey)).arrayBuffer()
    await see(page, 'Met: 1 response.')
    expect(await page.locator(':focus').evaluateAll(readLabels)).toEqual([`${name}: 1 response`])
    const { coverage } = await readReport(apiKey)
    expect(coverage.cells.filter(({ count }) => count > 0).map(toLabel)).toEqual([
      `${name}: 1 response`,
    ])
  })

  test('leads to the view that can produce a combination, and keeps the selection', async () => {
    const { page } = await openReport('links')
    await page.getByRole('button', { name: 'getPet 200 after the sunset' }).click()
    await see(page, '"afterSunset":"serve"')
    await page.getByRole('link', { name: 'Open Scenarios' }).click()
    await page.locator('.page[data-view="scenarios"]').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Open getPet in Try' }).click()
    await page.locator('.page[data-view="try"]').waitFor()
  })
})

describe('a report that changes', () => {
  test('is loaded once for many requests, and not while another view is shown', async () => {
    const { page, apiKey } = await openReport('pace')
    let loads = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/sandbox/report')) loads += 1
    })
    const startMs = performance.now()
    for (let count = 0; count < 40; count += 1) await send('/v1/store/orders', apiKey)
    await see(page, /^40 requests of/)
    const elapsedMs = performance.now() - startMs
    expect(loads).toBeLessThanOrEqual(1 + Math.ceil(elapsedMs / minimumPauseMs))
    await show(page, 'try')
    const before = loads
    await send('/v1/inventory', apiKey)
    await see(page, '41 requests retained of 41 received')
    expect(loads).toBe(before)
    await show(page, 'report')
    await see(page, /^41 requests of/)
    expect(loads).toBe(before + 1)
  })

  test('remains with a message when it cannot be loaded, and is loaded again', async () => {
    const { page, apiKey } = await openReport('failure')
    await page.route('**/sandbox/report', (route) => route.abort())
    await send('/v1/inventory', apiKey)
    const failure = page.getByText('The report could not be loaded: the sandbox does not respond.')
    await failure.waitFor()
    expect(await findCard(page, 'Conduct').isVisible()).toBe(true)
    await page.unroute('**/sandbox/report')
    await see(page, /^1 request of/)
    expect(await failure.count()).toBe(0)
  })
})

test('a download has the content of world report, also below a path prefix', async () => {
  const { page: prefixed } = await open(`${site().proxyUrl}#key=sbx_free_default_prefix`)
  await show(prefixed, 'report')
  expect((await save(prefixed, 'Save as HTML')).content).toContain('Integration report')

  const { page, apiKey } = await openBroken('save')
  const html = await save(page, 'Save as HTML')
  expect(html.name).toBe('integration-report.html')
  expect(html.content).toMatch(/^<!doctype html>[\s\S]*Waits as long as Retry-After says/)
  expect(html.content).not.toContain('<img')
  const junit = await save(page, 'Save as JUnit')
  expect(junit.name).toBe('integration-report.xml')
  expect(junit.content).toMatch(/^<\?xml [\s\S]*<testsuite name="conduct"/)
  const json = await save(page, 'Save as JSON')
  expect(json.name).toBe('integration-report.json')
  expect(JSON.parse(json.content)).toEqual(await readReport(apiKey))
})

test('the view of hostile requests has no flaws', async () => {
  const { page, messages } = await openBroken('hostile')
  await page.locator('.bar:has(.violation)').last().click()
  await page.getByRole('button', { name: 'getPet 404' }).click()
  const rule = await openRule(page, 'Does not repeat')
  await rule.locator('.entries summary').first().click()
  await rule.getByText('onerror=alert').first().waitFor()
  await page.locator('.detail').waitFor()
  expect(await page.locator('img[src="x"], main script').count()).toBe(0)
  expect(await findFlaws(page, twoAppearances)).toEqual([])
  expect(messages).toEqual([])
})

function readLabels(elements: readonly Element[]): string[] {
  return elements.map((element) => element.getAttribute('aria-label') ?? '')
}

function toLabel({ operation, status, sunset, limiter, count }: CoverageCell): string {
  const state = `${status}${sunset ? ` ${sunset} the sunset` : ''} (${limiter})`
  return `${operation} ${state}: ${count} ${count === 1 ? 'response' : 'responses'}`
}
