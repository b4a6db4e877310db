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

/** Opens the console with a key of its own for each test. */
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
  test('shows with one press that the sandbox answers, and the call in the journal', async () => {
    const { page } = await openWorld('first')
    await press(page, 'Send it from here')
    await see(page, '12 stock entries; 59 requests left in the window')
    await page.locator('.rows summary', { hasText: 'GET /inventory' }).waitFor()
    await see(page, '59 of 60 left')
  })

  test('spends the minute of the key, and fills it again', async () => {
    const { page, apiKey } = await openWorld('quota')
    await press(page, 'Minute spent')
    await see(page, '0 of 60 left')
    expect((await site.call('/v1/inventory', apiKey)).status).toBe(429)
    await press(page, 'Refill')
    await see(page, '60 of 60 left')
    expect((await site.call('/v1/inventory', apiKey)).status).toBe(200)
  })

  test('bans the key and lifts the ban', async () => {
    const { page, apiKey } = await openWorld('ban')
    await press(page, 'Ban 5 min')
    await see(page, /Banned until/)
    expect(await (await site.call('/v1/inventory', apiKey)).json()).toMatchObject({
      code: 'api_key_banned',
    })
    await press(page, 'Lift the ban')
    await see(page, 'Not banned.')
  })

  test('freezes the clock and moves it', async () => {
    const { page, apiKey } = await openWorld('clock')
    await press(page, 'Freeze')
    await see(page, 'frozen')
    await page.getByLabel('Set to (UTC)').fill('2030-01-31T09:00:00')
    await press(page, 'Set')
    await see(page, '2030-01-31 09:00:00')
    await press(page, '+1 day')
    await see(page, '2030-02-01 09:00:00')
    await see(page, '(past)')
    expect((await site.call('/v1/pets/7', apiKey)).status).toBe(410)
  })

  test('adds a fault, shows what is left of it, and removes it', async () => {
    const { page, apiKey } = await openWorld('faults')
    await page.getByRole('spinbutton', { name: 'Times' }).fill('2')
    await press(page, 'Add')
    await see(page, 'every operation answers 503, 2 more times')
    expect((await site.call('/v1/inventory', apiKey)).status).toBe(503)
    await see(page, 'every operation answers 503, once more')
    await press(page, /^Remove/)
    await see(page, 'Nothing goes wrong by itself.')
  })

  test('starts several scenarios merged, and goes back to their start', async () => {
    const { page, apiKey } = await openWorld('scenario')
    await page.getByRole('checkbox', { name: /^low-stock/ }).check()
    await page.getByRole('checkbox', { name: /^flaky/ }).check()
    await press(page, 'Start low-stock + flaky')
    await page.locator('.card-head .mark', { hasText: 'low-stock+flaky' }).waitFor()
    const { faults } = (await site.sandbox.worldFor(apiKey)).snapshot()
    expect(faults).not.toEqual([])
    await press(page, 'Reset this world')
    await see(page, 'Back at the start of low-stock+flaky.')
  })
})

describe('trying an operation', () => {
  test('is where the Link of the deprecated operation leads', async () => {
    const { page } = await openWorld('link', 'getPet')
    await page.locator('article#getPet').waitFor()
    await see(page, 'deprecated')
    await press(page, 'Send')
    await page.locator('.outcome .documented dt', { hasText: 'sunset' }).waitFor()
  })

  test('sends what is typed, and shows why it does not fit', async () => {
    const { page } = await openWorld('typed', 'updateInventory')
    await page.getByLabel('Body').fill('{"quantity":-1}')
    await press(page, 'Send')
    await page.locator('.outcome', { hasText: 'invalid_field' }).waitFor()
  })

  test('asks for each status that the operation documents', async () => {
    const { page } = await openWorld('prefer', 'updateInventory')
    const menu = page.getByLabel('Prefer a status')
    expect(await menu.locator('option').allTextContents()).toContain('404 pet_not_found')
    await menu.selectOption('404')
    await press(page, 'Send')
    await page.locator('.outcome .status', { hasText: '404' }).waitFor()
    await page.locator('.outcome .documented dt', { hasText: 'preference-applied' }).waitFor()
  })

  test('shows an int64 exactly', async () => {
    const { page } = await open('/#key=sbx_free_int64-ids_exact')
    await page.evaluate(() => location.assign('#listInventory'))
    await press(page, 'Send')
    await page.locator('.outcome pre', { hasText: '9223372036854775807' }).waitFor()
  })

  test('copies the curl line', async () => {
    const { page, apiKey } = await openWorld('curl', 'listOrders')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Copy the curl line')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(
      `curl -i '${site.url}/v1/store/orders' -H 'Authorization: Bearer ${apiKey}'`,
    )
  })
})

describe('the data', () => {
  test('of a pet is changed in its place', async () => {
    const { page, apiKey } = await openWorld('edit', 'data')
    await page.getByLabel('Quantity of Nemo').fill('3')
    await page.getByLabel('Quantity of Nemo').press('Enter')
    await see(page, 'Nemo is changed.')
    await page.getByLabel('Status of Nemo').selectOption('sold')
    await page.waitForFunction(
      () =>
        document.querySelector<HTMLSelectElement>('[aria-label="Status of Nemo"]')?.value ===
        'sold',
    )
    const { db } = await site.sandbox.worldFor(apiKey)
    await expect.poll(() => db.findPet('7')).toMatchObject({ quantity: 3, status: 'sold' })
  })

  test('follows what others do to it', async () => {
    const { page, apiKey } = await openWorld('others', 'data')
    await page.getByLabel('Quantity of Nemo').waitFor()
    await site.call('/v1/inventory/7', apiKey, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"quantity":77}',
    })
    const quantity = page.getByLabel('Quantity of Nemo')
    await expect.poll(() => quantity.inputValue()).toBe('77')
  })

  test('gets one pet more, and one less', async () => {
    const { page, apiKey } = await openWorld('more', 'data')
    const { db } = await site.sandbox.worldFor(apiKey)
    await page.getByRole('textbox', { name: 'Name' }).fill('Rex')
    await press(page, 'Add a pet')
    await page.getByLabel('Quantity of Rex').waitFor()
    expect(db.findPet('13')).toMatchObject({ name: 'Rex', quantity: 1 })
    await press(page, 'Remove Rex')
    await page.getByLabel('Quantity of Rex').waitFor({ state: 'detached' })
    expect(db.findPet('13')).toBeUndefined()
  })

  test('is shown a page at a time when there is much of it', async () => {
    const { page } = await open('/#key=sbx_free_large-catalogue_pages')
    await page.evaluate(() => location.assign('#data'))
    await see(page, '1–20 of 5,000')
    await press(page, 'Pets: next page')
    await see(page, '21–40 of 5,000')
  })
})

describe('a snapshot', () => {
  test('is saved as a file, and starts a world from it', async () => {
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
    await see(page, /^The world starts from/)
    expect([world.scenario, world.db.petCount]).toEqual(['no-nemo', 11])
  })

  test('that does not fit is refused with the place of its flaw', async () => {
    const { page } = await openWorld('flaw', 'snapshot')
    const text = '{"name":"mine","pets":[{"petId":1,"name":"A","quantity":-1}]}'
    const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(text) }
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await press(page, 'Start')
    await page.getByRole('alert').filter({ hasText: 'pets[0].quantity' }).waitFor()
  })
})
