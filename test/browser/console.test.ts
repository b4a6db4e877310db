import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { press, see } from './support/console-view.js'
import { usePages } from './support/pages.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

/** Opens the console with a separate key for each test. */
async function openWorld(label: string, view = ''): Promise<{ page: Page; apiKey: string }> {
  const apiKey = `sbx_free_default_${label}`
  const { page } = await open(`/#key=${apiKey}`)
  if (view) await page.evaluate((hash) => location.assign(hash), `#${view}`)
  return { page, apiKey }
}

describe('the overview', () => {
  test('sends a request with one click, and the journal shows it', async () => {
    const { page } = await openWorld('first')
    await press(page, 'Send it from here')
    await see(page, '200 It is request 1 in the journal.')
    await page.locator('.entries summary', { hasText: 'GET /inventory' }).waitFor()
    await see(page, '59 of 60 left')
  })

  test('exhausts the minute window of the key, and resets the quota', async () => {
    const { page, apiKey } = await openWorld('quota')
    await press(page, 'Exhaust the minute')
    await see(page, /\b0 of 60 left/)
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(429)
    await press(page, 'Reset the quota')
    await see(page, '60 of 60 left')
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(200)
  })

  test('bans the key and lifts the ban', async () => {
    const { page, apiKey } = await openWorld('ban')
    await press(page, 'Ban for 5 min')
    await see(page, /Banned until/)
    expect(await (await site.send('/v1/inventory', apiKey)).json()).toMatchObject({
      code: 'api_key_banned',
    })
    await press(page, 'Lift the ban')
    await see(page, 'Not banned.')
  })

  test('freezes, sets and advances the clock', async () => {
    const { page, apiKey } = await openWorld('clock')
    await press(page, 'Freeze')
    await see(page, 'frozen')
    await page.getByLabel('Set to (UTC)').fill('2030-01-31T09:00:00')
    await press(page, 'Set')
    await see(page, '2030-01-31 09:00:00')
    await press(page, '+1 day')
    await see(page, '2030-02-01 09:00:00')
    await see(page, '(past)')
    expect((await site.send('/v1/pets/7', apiKey)).status).toBe(410)
  })
})

describe('trying an operation', () => {
  test('is the target of the Link header of the deprecated operation', async () => {
    const { page } = await openWorld('link', 'getPet')
    await page.locator('article#getPet').waitFor()
    await see(page, 'deprecated')
    await press(page, 'Send')
    await page.locator('.outcome .documented dt', { hasText: 'sunset' }).waitFor()
  })

  test('sends the typed body, and shows why it is invalid', async () => {
    const { page } = await openWorld('typed', 'updateInventory')
    await page.getByLabel('Body', { exact: true }).fill('{"quantity":-1}')
    await press(page, 'Send')
    await page.locator('.outcome', { hasText: 'invalid_field' }).waitFor()
    // The button keeps the focus while the request is sent.
    expect(await page.locator(':focus').textContent()).toBe('Send')
  })

  test('offers each documented status as a preference', async () => {
    const { page } = await openWorld('prefer', 'updateInventory')
    const menu = page.getByLabel('Preferred status')
    const options = menu.locator('option')
    await expect
      .poll(() => options.allTextContents())
      .toEqual(expect.arrayContaining(['404 pet_not_found', '401 invalid_api_key']))
    await menu.selectOption('404 pet_not_found')
    await press(page, 'Send')
    await page.locator('.outcome .status', { hasText: '404' }).waitFor()
    await page.locator('.outcome .documented dt', { hasText: 'preference-applied' }).waitFor()
  })

  test('shows an exact int64', async () => {
    const { page } = await open('/#key=sbx_free_int64-ids_exact')
    await page.evaluate(() => location.assign('#listInventory'))
    await press(page, 'Send')
    await page.locator('.outcome pre', { hasText: '9223372036854775807' }).waitFor()
  })

  test('copies the curl command', async () => {
    const { page, apiKey } = await openWorld('curl', 'listOrders')
    await page.locator('article#listOrders').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Copy the curl command')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(
      `curl -i '${site.url}/v1/store/orders' -H 'Authorization: Bearer ${apiKey}'`,
    )
  })
})
