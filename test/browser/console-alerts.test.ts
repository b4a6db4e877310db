import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { viewIds } from '../../src/console/routing/route.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { press, see, show } from './support/console-view.js'
import { usePages } from './support/pages.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

async function openWorld(label: string) {
  const apiKey = `sbx_free_default_${label}`
  const { page } = await open(`/#key=${apiKey}`)
  const bar = page.getByRole('region', { name: 'State of this world' })
  await page.locator('.mark.live').waitFor()
  const press = (name: string) => bar.getByRole('button', { name, exact: true }).click()
  const seesNothing = () => bar.locator('.banner').waitFor({ state: 'detached' })
  return { page, apiKey, bar, press, seesNothing }
}

async function sendMany(apiKey: string, count: number): Promise<number> {
  let status = 0
  for (let sent = 0; sent < count; sent++) ({ status } = await site.send('/v1/inventory', apiKey))
  return status
}

const put = (apiKey: string, path: string, body: unknown, method = 'PUT') =>
  site.send(`/sandbox${path}`, apiKey, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the page says in one sentence, in every view,', () => {
  test('which request banned the key, until when, and lifts the ban', async () => {
    const { page, apiKey, bar, press, seesNothing } = await openWorld('banned')
    expect(await sendMany(apiKey, 70)).toBe(429)
    await bar.getByText(/^The key is banned until \d\d:\d\d:\d\d:$/).waitFor()
    await bar.getByText(/The cause is GET \/inventory at \d\d:\d\d:\d\d, rejection 10/).waitFor()
    const until = await bar.locator('.banner time').first().getAttribute('datetime')
    await bar.locator('.glance', { hasText: /Quota\s*banned/ }).waitFor()
    expect(await page.getByRole('meter').allTextContents()).toHaveLength(2)
    expect(await page.getByText(/\d of \d+ left/).count()).toBe(0)
    const { quota } = await (await site.send('/sandbox', apiKey)).json()
    expect(until).toBe(quota.ban.until)
    await page.evaluate(() => location.assign('#reference'))
    await bar.getByRole('link', { name: 'Show the request' }).click()
    await page.locator('.page[data-view="journal"]').waitFor()
    const entry = page.getByRole('region', { name: 'Request 70' })
    await entry
      .getByText('The key is banned')
      .or(entry.getByText('api_key_banned'))
      .first()
      .waitFor()
    await expect.poll(() => entry.evaluate((part) => part === document.activeElement)).toBe(true)
    await entry.getByRole('button', { name: 'Close request 70' }).click()
    await entry.waitFor({ state: 'detached' })
    await press('Lift the ban')
    await seesNothing()
    expect((await site.send('/sandbox/quota', apiKey).then((res) => res.json())).ban).toBeNull()
  })

  test('that a ban was not caused by a request', async () => {
    const { apiKey, bar } = await openWorld('by-control')
    await sendMany(apiKey, 1)
    await put(apiKey, '/quota', { ban: { seconds: 300 } }, 'PATCH')
    await sendMany(apiKey, 2)
    await bar.getByText('it was set with the control API').waitFor()
  })

  test('that the key is about to be banned, and resets the count', async () => {
    const { apiKey, bar, press, seesNothing } = await openWorld('near')
    await sendMany(apiKey, 64)
    await seesNothing()
    await sendMany(apiKey, 5)
    await bar.getByText('9 of 10 rejections; the next one bans the key for 300 s').waitFor()
    await press('Reset the count')
    await seesNothing()
    expect(await sendMany(apiKey, 1)).toBe(429)
  })

  test('that the day window is exhausted, and resets it', async () => {
    const { apiKey, bar, press, seesNothing } = await openWorld('day')
    await put(apiKey, '/quota', { day: { remaining: 1 } }, 'PATCH')
    expect(await sendMany(apiKey, 1)).toBe(200)
    await bar.getByText('The day window is exhausted').waitFor()
    await press('Reset the day')
    await seesNothing()
    expect(await sendMany(apiKey, 1)).toBe(200)
  })

  test('that another client restarted the world, but not that the page did', async () => {
    const { page, apiKey, bar, press, seesNothing } = await openWorld('restarted')
    await page.getByRole('button', { name: 'Reset this world' }).click()
    await page.getByText('Reset to the start of default.').waitFor()
    await seesNothing()
    await put(apiKey, '/scenario', 'low-stock')
    await bar
      .getByText(/^This world was restarted at \d\d:\d\d:\d\d, but not by this page\.$/)
      .waitFor()
    await bar.getByText(/started again from low-stock/).waitFor()
    await press('Dismiss')
    await seesNothing()
  })

  test('nothing while the page restarts the world, even if the response is late', async () => {
    const { page, bar } = await openWorld('late')
    let shown: number | undefined
    await page.route('**/sandbox/reset', async (route) => {
      const response = await route.fetch()
      await page.waitForResponse(/\/sandbox$/)
      await page.waitForResponse(/\/sandbox$/)
      shown = await bar.locator('.banner').count()
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Reset this world' }).click()
    await page.getByText('Reset to the start of default.').waitFor()
    expect([shown, await bar.locator('.banner').count()]).toEqual([0, 0])
  })

  test('that a shared world was restarted, until the page has another key', async () => {
    const { page } = await open('/#key=sbx_pro_empty-store')
    const bar = page.getByRole('region', { name: 'State of this world' })
    await bar.getByText('empty-store').waitFor()
    await put('sbx_pro_empty-store', '/reset', undefined, 'POST')
    await bar.getByText(/but not by this page/).waitFor()
    await page.getByRole('button', { name: 'New key…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a private key' }).click()
    await expect.poll(() => page.getByLabel('API key').inputValue()).toMatch(/^sbx_free_default_./)
    await bar.locator('.banner').waitFor({ state: 'detached' })
  })

  test('that the store cannot be reached, until it can', async () => {
    const { page, bar, seesNothing } = await openWorld('store')
    const body = JSON.stringify({
      code: 'sandbox_unavailable',
      message: 'the redis store cannot be reached',
    })
    await page.route('**/sandbox', (route) =>
      route.fulfill({ status: 503, contentType: 'application/json', body }),
    )
    await bar.getByRole('alert').getByText('The redis store cannot be reached.').waitFor()
    await page.unroute('**/sandbox')
    await seesNothing()
  })

  test.each([
    ['sbx_gold', 'it must be sbx_<plan>[_<scenario>[_<label>]], where <plan> is free, pro,'],
    ['sbx_revoked', 'it is revoked'],
    ['sbx_free_low-stok', 'it names the unknown scenario "low-stok"; did you mean "low-stock"'],
  ])('what is wrong with the key %s', async (apiKey, reason) => {
    const { page } = await open(`/#key=${apiKey}`)
    const bar = page.getByRole('region', { name: 'State of this world' })
    await bar.getByRole('alert').getByText(reason).waitFor()
    await page.evaluate(() => location.assign('#try'))
    await page.getByRole('button', { name: 'New key…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Scenario').selectOption('low-stock')
    await dialog.getByRole('button', { name: 'Create a private key' }).click()
    await bar.locator('.glance', { hasText: 'low-stock' }).waitFor()
  })
})

describe('what the page says', () => {
  const readTop = (page: Page) =>
    page.evaluate(() => document.querySelector<HTMLElement>('.columns')?.offsetTop ?? NaN)

  test('does not move the content of a wide window', async () => {
    const { page, apiKey, bar, press, seesNothing } = await openWorld('still')
    await page.setViewportSize({ width: 1440, height: 800 })
    await seesNothing()
    const top = await readTop(page)
    await sendMany(apiKey, 70)
    await bar.getByText('The key is banned').waitFor()
    expect(Math.abs((await readTop(page)) - top)).toBeLessThanOrEqual(4)
    await press('Lift the ban')
    await seesNothing()
    expect(await readTop(page)).toBe(top)
  })

  test('is visible wherever the user is on the page, and covers nothing', async () => {
    const { page, apiKey, bar } = await openWorld('scrolled')
    await page.evaluate(() => scrollTo(0, 600))
    await put(apiKey, '/quota', { ban: { seconds: 300 } }, 'PATCH')
    await bar.getByText('The key is banned').waitFor()
    const box = await bar.boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(box?.y).toBeLessThan(150)
  })
})

describe('a notice', () => {
  test('of a failure stays until it is dismissed; one of a success disappears', async () => {
    const apiKey = 'sbx_free_default_notices'
    const { page } = await open(`${site.proxyUrl}#key=${apiKey}`)
    await page.locator('.mark.live').waitFor()
    site.failProxy({ path: '/sandbox/quota', status: 502 })
    onTestFinished(() => site.failProxy(undefined))
    await page.clock.install()
    await page.getByRole('button', { name: 'Exhaust the minute' }).click()
    const failure = page.locator('.notice.error', { hasText: '502 is not a response of' })
    await failure.waitFor()
    site.failProxy(undefined)
    await page.getByRole('button', { name: 'Exhaust the minute' }).click()
    const success = page.locator('.notice.done')
    await success.waitFor()
    await page.clock.runFor(60_000)
    await success.waitFor({ state: 'detached' })
    await failure.getByRole('button', { name: 'Dismiss' }).click()
    await failure.waitFor({ state: 'detached' })
  })

  test('with a repeated text is another element, so that it is announced again', async () => {
    const { page } = await openWorld('repeated')
    await press(page, '+1 min')
    const notice = await page.locator('.notice').elementHandle()
    await press(page, '+1 min')
    // Before its time has passed.
    await expect
      .poll(() => notice?.evaluate((element) => element.isConnected), { timeout: 2_000 })
      .toBe(false)
  })

  test.each([320, 390, 1280])('covers no control at %i px, also with others', async (width) => {
    const { page } = await openWorld(`covered-${width}`)
    await page.setViewportSize({ width, height: 740 })
    await show(page, 'data')
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
