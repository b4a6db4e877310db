import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { viewIds } from '../../src/console/routing/route.js'
import { press, see, show, useConsole } from './support/console.js'

const { open, openView, send, site } = useConsole()

async function openBar(label: string) {
  const opened = await openView('overview', label)
  const bar = findBar(opened.page)
  await opened.page.locator('.mark.live').waitFor()
  const press = (name: string) => bar.getByRole('button', { name, exact: true }).click()
  const seesNothing = () => bar.locator('.banner').waitFor({ state: 'detached' })
  return { ...opened, bar, press, seesNothing }
}

const findBar = (page: Page) => page.getByRole('region', { name: 'State of this world' })

async function sendMany(apiKey: string, count: number): Promise<number> {
  let status = 0
  for (let sent = 0; sent < count; sent++) ({ status } = await send('/v1/inventory', apiKey))
  return status
}

describe('the page says in one sentence, in every view,', () => {
  test('which request banned the key, until when, and lifts the ban', async () => {
    const { page, apiKey, bar, press, seesNothing } = await openBar('banned')
    await page.setViewportSize({ width: 1440, height: 800 })
    const readTop = () =>
      page.evaluate(() => document.querySelector<HTMLElement>('.columns')?.offsetTop ?? NaN)
    const top = await readTop()
    expect(await sendMany(apiKey, 70)).toBe(429)
    await bar.getByText(/^The key is banned until \d\d:\d\d:\d\d:$/).waitFor()
    await bar.getByText(/The cause is GET \/inventory at \d\d:\d\d:\d\d, rejection 10/).waitFor()
    await bar.locator('.glance', { hasText: /Quota\s*banned/ }).waitFor()
    // The sentence does not move the content of a wide window.
    expect(Math.abs((await readTop()) - top)).toBeLessThanOrEqual(4)
    expect(await page.getByText(/\d of \d+ left/).count()).toBe(0)
    await page.evaluate(() => location.assign('#reference'))
    await bar.getByRole('link', { name: 'Show the request' }).click()
    const entry = page.getByRole('region', { name: 'Request 70' })
    await entry.getByText('api_key_banned').first().waitFor()
    await expect.poll(() => entry.evaluate((part) => part === document.activeElement)).toBe(true)
    await entry.getByRole('button', { name: 'Close request 70' }).click()
    await entry.waitFor({ state: 'detached' })
    await press('Lift the ban')
    await seesNothing()
    const response = await send('/v1/inventory', apiKey)
    expect(await response.json()).toMatchObject({ code: 'rate_limit_exceeded' })
  })

  test('that a ban was not caused by a request, wherever the user is on the page', async () => {
    const { page, apiKey, world, bar } = await openBar('by-control')
    await sendMany(apiKey, 1)
    await page.evaluate(() => scrollTo(0, 600))
    world.quota.account('free').set({ ban: { seconds: 300 } })
    await bar.getByText('it was set with the control API').waitFor()
    const box = await bar.boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(box?.y).toBeLessThan(150)
  })

  test('that the key is about to be banned, and resets the count', async () => {
    const { apiKey, bar, press, seesNothing } = await openBar('near')
    await sendMany(apiKey, 64)
    await seesNothing()
    await sendMany(apiKey, 5)
    await bar.getByText('9 of 10 rejections; the next one bans the key for 300 s').waitFor()
    await press('Reset the count')
    await seesNothing()
    expect(await sendMany(apiKey, 1)).toBe(429)
  })

  test('that the day window is exhausted, and resets it', async () => {
    const { apiKey, world, bar, press, seesNothing } = await openBar('day')
    world.quota.account('free').set({ day: { remaining: 0 } })
    await bar.getByText('The day window is exhausted').waitFor()
    await press('Reset the day')
    await seesNothing()
    expect(await sendMany(apiKey, 1)).toBe(200)
  })

  test('that another client restarted the world, but not that the page did', async () => {
    const { page, world, bar, press, seesNothing } = await openBar('restarted')
    let shown: number | undefined
    await page.route('**/sandbox/reset', async (route) => {
      const response = await route.fetch()
      await page.waitForResponse(/\/sandbox$/)
      await page.waitForResponse(/\/sandbox$/)
      shown = await bar.locator('.banner').count()
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Reset this world' }).click()
    await see(page, 'Reset to the start of default.')
    expect(shown, 'while the response is late').toBe(0)
    await seesNothing()
    await world.use('low-stock')
    await bar
      .getByText(/^This world was restarted at \d\d:\d\d:\d\d, but not by this page\.$/)
      .waitFor()
    await bar.getByText(/started again from low-stock/).waitFor()
    await press('Dismiss')
    await seesNothing()
  })

  test('that a shared world was restarted, until the page has another key', async () => {
    const { page } = await open('/#key=sbx_pro_empty-store')
    const bar = findBar(page)
    await bar.getByText('empty-store').waitFor()
    await send('/sandbox/reset', 'sbx_pro_empty-store', { method: 'POST' })
    await bar.getByText(/but not by this page/).waitFor()
    await createKey(page)
    const key = page.getByLabel('API key')
    await expect.poll(() => key.inputValue()).toMatch(/^sbx_pro_default_[A-Za-z0-9]{20,}$/)
    await bar.locator('.banner').waitFor({ state: 'detached' })
  })

  test('that the store cannot be reached, until it can', async () => {
    const { page, bar, seesNothing } = await openBar('store')
    const json = { code: 'sandbox_unavailable', message: 'the redis store cannot be reached' }
    await page.route('**/sandbox', (route) => route.fulfill({ status: 503, json }))
    await bar.getByRole('alert').getByText('The redis store cannot be reached.').waitFor()
    await page.unroute('**/sandbox')
    await seesNothing()
  })

  test.each([
    ['sbx_gold', 'it must be sbx_<plan>[_<scenario>[_<label>]], where <plan> is free, pro,'],
    ['sbx_free_low-stok', 'it names the unknown scenario "low-stok"; did you mean "low-stock"'],
  ])('what is wrong with the key %s', async (apiKey, reason) => {
    const { page } = await open(`/#key=${apiKey}`)
    const bar = findBar(page)
    await bar.getByRole('alert').getByText(reason).waitFor()
    await page.evaluate(() => location.assign('#try'))
    await createKey(page, 'low-stock')
    await bar.locator('.glance', { hasText: 'low-stock' }).waitFor()
    await page.evaluate((hash) => location.assign(hash), `#key=${apiKey}`)
    await press(page, 'Use sbx_free')
    await bar.locator('.glance', { hasText: 'default' }).waitFor()
  })
})

async function createKey(page: Page, scenario = 'default'): Promise<void> {
  await press(page, 'New key…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Plan').selectOption('pro')
  await dialog.getByLabel('Scenario').selectOption(scenario)
  await press(page, 'Create a private key')
}

describe('a notice', () => {
  test('of a failure stays until it is dismissed; one of a success disappears', async () => {
    const { page } = await open(`${site().proxyUrl}#key=sbx_free_default_notices`)
    await page.locator('.mark.live').waitFor()
    site().failProxy({ path: '/sandbox/quota', status: 502 })
    await page.clock.install()
    await press(page, 'Exhaust the minute')
    const failure = page.locator('.notice.error', { hasText: '502 is not a response of' })
    await failure.waitFor()
    site().failProxy(undefined)
    await press(page, 'Exhaust the minute')
    const success = page.locator('.notice.done')
    await success.waitFor()
    await page.clock.runFor(60_000)
    await success.waitFor({ state: 'detached' })
    await failure.getByRole('button', { name: 'Dismiss' }).click()
    await failure.waitFor({ state: 'detached' })
  })

  test('with a repeated text is another element, so that it is announced again', async () => {
    const { page } = await openView('overview', 'repeated')
    await press(page, '+1 min')
    const notice = await page.locator('.notice').elementHandle()
    await press(page, '+1 min')
    // Before its time has passed.
    await expect
      .poll(() => notice?.evaluate((element) => element.isConnected), { timeout: 2_000 })
      .toBe(false)
  })

  test.each([320, 1280])('covers no control at %i px, also with others', async (width) => {
    const { page } = await openView('data', `covered-${width}`)
    await page.setViewportSize({ width, height: 740 })
    await press(page, 'Remove Nemo')
    await see(page, 'Removed Nemo.')
    await show(page, 'overview')
    for (const status of [502, 503, 504]) {
      await page.route('**/sandbox/quota', (route) => route.fulfill({ status, body: '<h1>' }))
      await press(page, 'Exhaust the minute')
      await see(page, `${status} is not a response of`)
    }
    const found: Record<string, string[]> = {}
    for (const view of viewIds) {
      await show(page, view)
      await page.locator('.page :is(button, a, summary):visible').nth(2).waitFor()
      found[view] = await findCovered(page)
    }
    expect(found).toEqual(Object.fromEntries(viewIds.map((view) => [view, []])))
    await page.getByRole('button', { name: 'Dismiss', exact: true }).last().click()
    const notices = page.locator('.notices')
    await expect.poll(() => notices.locator('.notice').count()).toBe(2)
    expect(await notices.evaluate((part) => part === document.activeElement)).toBe(true)
  })
})

/** Returns the controls that a message covers after they were scrolled to the end of the window. */
function findCovered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = Array.from(
      document.querySelectorAll('button, a, input, select, textarea, summary'),
    ).filter(
      (control) =>
        !control.matches(':is(.notice, .removals) *, .skip') && control.checkVisibility(),
    )
    return controls
      .filter((control) => {
        control.scrollIntoView({ block: 'end' })
        const { x, y, width, height } = control.getBoundingClientRect()
        const top = document.elementFromPoint(x + width / 2, y + height / 2)
        return top === null || top.closest('.notices, .removals') !== null
      })
      .map(({ ariaLabel, textContent }) => ariaLabel ?? textContent)
  })
}
