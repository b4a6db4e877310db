import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findName, scenarios } from '../../examples/storefront/src/catalogue.js'
import { createSandbox, type ScenarioName } from '../../src/node.js'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { findFlaws } from './support/axe.js'
import { type Pages, usePages } from './support/pages.js'
import { openStorefront } from './support/storefront.js'

test.each(scenarios)('the storefront has the names of the pets of %s', async (scenario) => {
  const { world } = await createSandbox({ scenario: scenario as ScenarioName })
  const pets = world.db.pets.list()
  expect(pets.map(({ petId }) => findName(scenario, petId))).toEqual(pets.map(({ name }) => name))
})

test('the storefront numbers pets that its catalogue does not have', () => {
  expect(findName('default', '77')).toBe('Pet 77')
  expect(findName('large-catalogue', '1')).toBe('Pet 1')
  expect(findName('low-stock+slow', '1')).toBe('Bella')
  expect(findName('low-stock+int64-ids', '1')).toBe('Pet 1')
})

describe('the storefront with a sandbox in its page', () => {
  const pages = usePages(() => openStorefront())
  const visit = (path?: string) => visitStorefront(pages, path)
  testWaiting(pages, () => {})

  test('shows the stock, the remaining requests, and what the service responds to each form', async () => {
    const page = await visit()
    await stockOf(page, 'Bubbles').waitFor()
    expect(await stockOf(page, 'Nemo').inputValue()).toBe('40')
    const row = page.getByRole('row', { name: 'Luna' })
    expect(await row.textContent()).toContain('pending')
    expect(await readText(page, 'Requests left')).toContain('59 of 60')
    await save(page, 'Luna', '-4')
    await expect
      .poll(() => alertOf(page).textContent())
      .toContain('400 invalid_field quantity must be an integer from 0, found -4')
    await page.getByRole('textbox', { name: 'Message to the wholesaler' }).fill('40 goldfish')
    await page.getByRole('button', { name: 'Send' }).click()
    const status = await page.getByRole('main').getByRole('status').textContent()
    expect(status).toMatch(/Your message is queued\. msg_\w{24}/)
  })

  test('shows the sunset of the look-up, and that it has passed', async () => {
    const page = await visit('/?scenario=sunset-soon')
    await lookUp(page, '7')
    const note = await page.getByRole('note').textContent()
    expect(note).toMatch(/deprecated this look-up on \d+ \w+ \d{4} and ends it on \d+ \w+ \d{4}\./)
    await select(page, 'sunset-passed')
    await lookUp(page, '7')
    await expect.poll(() => alertOf(page).textContent()).toContain('410 operation_gone')
  })

  test('switches the scenario without loading the page, also with Back and Forward', async () => {
    const page = await visit('/?scenario=low-stock')
    await expect.poll(() => readStock(page, 'Bella')).toBe('1')
    await page.evaluate(() => Reflect.set(window, 'isLoadedOnce', true))

    await select(page, 'empty-store')
    await page.getByText('The shop is empty.').waitFor()
    expect(page.url()).toContain('?scenario=empty-store')
    await select(page, 'default')
    await expect.poll(() => readStock(page, 'Bella')).toBe('4')

    await page.goBack()
    await page.getByText('The shop is empty.').waitFor()
    await page.goBack()
    await expect.poll(() => readStock(page, 'Bella')).toBe('1')
    expect(await scenarioOf(page).inputValue()).toBe('low-stock')
    await page.goForward()
    await page.getByText('The shop is empty.').waitFor()
    expect(await scenarioOf(page).inputValue()).toBe('empty-store')
    expect(await page.evaluate(() => Reflect.get(window, 'isLoadedOnce'))).toBe(true)
  })

  test('shows another scenario only when its own data has arrived', async () => {
    const page = await visit('/?scenario=slow')
    await select(page, 'empty-store')
    await page.getByText('The shop is empty.').waitFor()
    await select(page, 'slow')
    await page.getByText('The service has not responded yet.').waitFor()
    await select(page, 'int64-ids')
    await stockOf(page, 'Max').waitFor()
    expect(await page.getByRole('row').count()).toBe(7)
  })

  test('keeps int64 ids exact', async () => {
    const page = await visit('/?scenario=int64-ids')
    await stockOf(page, 'Max').waitFor()
    expect(await readRows(page)).toEqual([
      'Atlas No. 1',
      'Edge No. 9007199254740991',
      'Tipping No. 9007199254740992',
      'Point No. 9007199254740993',
      'Almost No. 9223372036854775806',
      'Max No. 9223372036854775807',
    ])
    await save(page, 'Point', '8')
    await expect.poll(() => readText(page, 'Requests left')).toContain('58 of 60')
    expect(await readStock(page, 'Point')).toBe('8')
    expect(await readStock(page, 'Tipping')).toBe('3')
  })

  test('follows the panel to another scenario', async () => {
    const page = await visit()
    const panel = await openPanel(page)
    await panel.getByRole('button', { name: /^low-stock/ }).click()
    await expect.poll(() => readStock(page, 'Bella')).toBe('1')
    expect(await scenarioOf(page).inputValue()).toBe('low-stock')
    expect(page.url()).toContain('?scenario=low-stock')
  })

  test.each([
    ['banned-key', /^Requests leftBanned until [\d:]{8}$/],
    ['daily-quota-spent', /^Requests left0 of 1000 until \d+ \w+, [\d:]{8}$/],
    ['rate-limited', /^Requests left0 of 60 until [\d:]{8}$/],
  ])('shows no requests left in the scenario %s', async (scenario, wanted) => {
    const page = await visit(`/?scenario=${scenario}`)
    await alertOf(page).waitFor()
    expect(await readText(page, 'Requests left')).toMatch(wanted)
    expect(await readMeter(page)).toBe(0)
  })

  test.each([
    ['revoked', '401 invalid_api_key'],
    ['none', '401 missing_api_key'],
  ])('shows no meter for a key that is not valid: %s', async (plan, found) => {
    const page = await visit()
    await expect.poll(() => readText(page, 'Requests left')).toContain('59 of 60')
    expect(await readMeter(page)).toBe(59)
    await page.getByLabel('API key').selectOption(plan)
    expect(await alertOf(page).textContent()).toContain(found)
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    expect(await readText(page, 'Requests left')).toBe('Requests leftNone without a valid key')
    expect(await page.getByRole('meter').count()).toBe(0)
  })

  test('fits a window that is 360 px wide, in every scenario', async () => {
    const page = await visit()
    await page.setViewportSize({ width: 360, height: 740 })
    for (const scenario of scenarios) {
      await select(page, scenario)
      await settle(page)
      // The page may still show the previous scenario.
      await expect.poll(() => findWide(page), { message: scenario }).toEqual([])
    }
  })

  test('has no flaws', async () => {
    const page = await visit()
    const found: Record<string, string[]> = {}
    for (const show of states) {
      await show(page)
      found[show.name] = await findFlaws(page)
    }
    expect(found).toEqual(Object.fromEntries(states.map(({ name }) => [name, []])))
    const readGround = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await readGround()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await readGround()).not.toBe(light)
  })
})

describe('the storefront with a sandbox over HTTP', () => {
  let server: SandboxServer
  let aheadMs = 0
  beforeAll(async () => {
    server = await createSandboxServer({ now: () => Date.now() + aheadMs })
  })
  afterEach(() => server.sandbox.reset())
  afterAll(() => server.close())

  const pages = usePages(async () => openStorefront(await server.listen({ port: 0 })))
  testWaiting(pages, (ms) => {
    aheadMs += ms
  })
})

/**
 * Tests that the storefront waits as long as the service asks.
 *
 * @param advance Advances the time of the sandbox.
 */
function testWaiting(pages: Pages, advance: (ms: number) => void): void {
  test('counts down after a 429 and then retries', async () => {
    const { page } = await pages.open('about:blank')
    await page.clock.install()
    await page.goto(`${pages.url()}/?scenario=rate-limited`)
    const timer = page.getByRole('timer')
    await timer.waitFor()
    expect(await alertOf(page).textContent()).toContain('429 rate_limit_exceeded')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    expect(await timer.textContent()).toMatch(/Retrying in (1 min 0|5\d) s/)

    advance(30_000)
    await page.clock.fastForward(30_000)
    expect(await timer.textContent()).toMatch(/Retrying in (30|2\d) s/)
    advance(30_000)
    await page.clock.fastForward(30_000)
    await stockOf(page, 'Bubbles').waitFor()
    expect(await alertOf(page).count()).toBe(0)
  })

  test('learns of a ban with its next request, and waits as the service asks', async () => {
    const { page } = await pages.open('about:blank')
    await page.clock.install()
    await page.goto(pages.url())
    await stockOf(page, 'Coco').waitFor()
    const panel = await openPanel(page)
    await panel.getByRole('button', { name: 'Ban for 5 min' }).click()
    await panel.getByRole('button', { name: 'Lift the ban' }).first().waitFor()
    await save(page, 'Coco', '31')
    await expect.poll(() => readText(page, 'Requests left')).toContain('Banned until')
    expect(await alertOf(page).textContent()).toContain('429 api_key_banned')
    await panel.getByRole('button', { name: 'Lift the ban' }).first().click()
    await panel.getByRole('button', { name: 'Lift the ban' }).first().waitFor({ state: 'detached' })
    expect(await page.getByRole('timer').textContent()).toMatch(/Retrying in (5 min 0|4 min 5\d) s/)
    advance(300_000)
    await page.clock.fastForward(300_000)
    await expect.poll(() => readText(page, 'Requests left')).toContain('59 of 60')
    expect(await alertOf(page).count()).toBe(0)
  })
}

async function visitStorefront({ open }: Pages, path = '/'): Promise<Page> {
  const { page } = await open(path)
  await page.getByRole('heading', { name: 'Inventory' }).waitFor()
  return page
}

function stockOf(page: Page, name: string) {
  return page.getByLabel(`Stock of ${name}`, { exact: true })
}

/** Opens the panel of the sandbox. Returns its region. */
async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Sandbox panel' }).click()
  return page.getByRole('region', { name: 'petstore-sandbox' })
}

async function save(page: Page, name: string, quantity: string): Promise<void> {
  await stockOf(page, name).fill(quantity)
  await stockOf(page, name).press('Enter')
}

/** The error that the page shows. The sandbox shows a ban above the page too. */
function alertOf(page: Page) {
  return page.getByRole('main').getByRole('alert')
}

function scenarioOf(page: Page) {
  return page.getByRole('banner').getByLabel('Scenario')
}

function select(page: Page, scenario: string) {
  return scenarioOf(page).selectOption(scenario)
}

/** Waits until the page shows the inventory or an error. */
function settle(page: Page): Promise<void> {
  const results = 'main :is(tbody, [role="alert"], p:text("The shop is empty."))'
  return page.locator(results).first().waitFor()
}

/** Shows the states of the page that have colours of their own. */
const states = [
  async function invalidValue(page: Page) {
    await save(page, 'Luna', '-4')
    await alertOf(page).waitFor()
  },
  async function deprecated(page: Page) {
    await lookUp(page, '7')
    await page.getByRole('note').waitFor()
  },
  async function messageSent(page: Page) {
    await page.getByRole('textbox', { name: 'Message to the wholesaler' }).fill('40 goldfish')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('main').getByRole('status').waitFor()
  },
  async function banned(page: Page) {
    await select(page, 'banned-key')
    await page.getByRole('timer').waitFor()
  },
  async function withoutKey(page: Page) {
    await page.getByLabel('API key').selectOption('none')
    await page.getByText('without a valid key').waitFor()
  },
]

async function lookUp(page: Page, petId: string): Promise<void> {
  await page.getByLabel('Number of the pet').fill(petId)
  await page.getByRole('button', { name: 'Look up' }).click()
}

async function readText(page: Page, region: string): Promise<string> {
  return (await page.getByRole('region', { name: region }).textContent()) ?? ''
}

function readStock(page: Page, name: string): Promise<string> {
  return stockOf(page, name).inputValue()
}

/** Returns the value of the meter of the requests that are left. */
function readMeter(page: Page): Promise<number> {
  return page.getByRole('meter').evaluate((meter) => (meter as HTMLMeterElement).value)
}

/** Returns the name and number in each row. */
function readRows(page: Page): Promise<string[]> {
  return page.getByRole('rowheader').allTextContents()
}

/** Returns what is wider than the window or than its section. */
function findWide(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('html, header, section, .notice'))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth }) => `${tagName} ${scrollWidth}`),
  )
}
