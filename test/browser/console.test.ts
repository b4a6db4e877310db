import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
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

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

describe('the overview', () => {
  test('sends a request with one click, and the journal shows it', async () => {
    const { page } = await openWorld('first')
    await press(page, 'Send it from here')
    await see(page, '12 entries; 59 requests left in the window')
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

  test('adds a fault, shows how often it may still occur, and removes it', async () => {
    const { page, apiKey } = await openWorld('faults')
    const form = page.locator('.fault-form')
    await form.getByLabel('Kind of fault').selectOption('status')
    await form.locator('[name="status"]').fill('503')
    await form.locator('[name="times"]').fill('2')
    await press(page, 'Add')
    await see(page, 'Error status 503: every operation, 2 more times')
    expect((await site.send('/v1/inventory', apiKey)).status).toBe(503)
    await see(page, 'Error status 503: every operation, once more')
    await press(page, /^Remove/)
    await see(page, 'This world has no faults.')
  })

  test('has a form with the documented fields of each kind of fault', async () => {
    const { page } = await openWorld('kinds')
    const form = page.locator('.fault-form')
    await form.getByLabel('Kind of fault').selectOption('status')
    expect(await form.locator('[name="status"]').getAttribute('max')).toBe('599')
    await form.getByLabel('Kind of fault').selectOption('delay')
    const delay = form.locator('[name="delayMs"]')
    await delay.fill('{"min":100,"max":400}')
    await form.locator('[name="phase"]').selectOption('after')
    await form.locator('[name="match"]').fill('{"petId":7}')
    await press(page, 'Add')
    await see(page, /Delay \(Milliseconds .*, Phase after\): every operation, with {"petId":7}/)
    await form.getByLabel('Kind of fault').selectOption('truncate')
    await delay.waitFor({ state: 'detached' })
    expect(await form.locator('[name="share"]').getAttribute('placeholder')).toBe('0.5')
  })

  test('starts merged scenarios, and resets the world', async () => {
    const { page, apiKey } = await openWorld('scenario')
    await page.getByRole('checkbox', { name: /^low-stock/ }).check()
    await page.getByRole('checkbox', { name: /^flaky/ }).check()
    await press(page, 'Start low-stock + flaky')
    await page.locator('.card-head .mark', { hasText: 'low-stock+flaky' }).waitFor()
    const { faults } = (await site.sandbox.worldFor(apiKey)).snapshot()
    expect(faults).not.toEqual([])
    await press(page, 'Reset this world')
    await see(page, 'Reset to the start of low-stock+flaky.')
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
  })

  test('offers each documented status as a preference', async () => {
    const { page } = await openWorld('prefer', 'updateInventory')
    const menu = page.getByLabel('Preferred status')
    const options = menu.locator('option')
    await expect
      .poll(() => options.allTextContents())
      .toEqual(expect.arrayContaining(['404 pet_not_found', '401 invalid_api_key']))
    await menu.selectOption('404')
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

describe('a snapshot', () => {
  test('is saved as a file, and a world starts from it', async () => {
    const { page, apiKey } = await openWorld('snapshot', 'snapshot')
    const world = await site.sandbox.worldFor(apiKey)
    world.removePet('7')
    await page.getByLabel('Name').fill('no-nemo')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Save as no-nemo.json'),
    ])
    expect(download.suggestedFilename()).toBe('no-nemo.json')
    const path = await download.path()
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ name: 'no-nemo' })

    await world.use('default')
    await page.getByLabel('File', { exact: true }).setInputFiles(path)
    await press(page, 'Start')
    await see(page, /^The world started from/)
    expect([world.scenario, world.db.petCount]).toEqual(['no-nemo', 11])
  })

  test('is rejected with the position of its error', async () => {
    const { page } = await openWorld('flaw', 'snapshot')
    const text = '{"name":"mine","pets":[{"petId":1,"name":"A","quantity":0.5}]}'
    const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) }
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await press(page, 'Start')
    await page.getByRole('alert').filter({ hasText: 'pets[0].quantity' }).waitFor()
  })
})
