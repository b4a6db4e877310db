import { describe, expect, test } from 'vitest'
import { press, see, useConsole } from './support/console.js'

const { openView, send, site } = useConsole()

describe('the overview', () => {
  test('sends a request with one click, and the journal shows it', async () => {
    const { page } = await openView('overview', 'first')
    await press(page, 'Send it from here')
    await see(page, '200 It is request 1 in the journal.')
    await page.locator('.entries summary', { hasText: 'GET /inventory' }).waitFor()
    await see(page, '59 of 60 left')
  })

  test('freezes, sets and advances the clock', async () => {
    const { page, apiKey } = await openView('overview', 'clock')
    await press(page, 'Freeze')
    await see(page, 'frozen')
    await page.getByLabel('Set to (UTC)').fill('2030-01-31T09:00:00')
    await press(page, 'Set')
    await see(page, '2030-01-31 09:00:00')
    await press(page, '+1 day')
    await see(page, '2030-02-01 09:00:00')
    await see(page, '(past)')
    expect((await send('/v1/pets/7', apiKey)).status).toBe(410)
  })
})

describe('trying an operation', () => {
  /** Opens an operation, which is a target of links. */
  const openOperation = async (operation: string, key?: string) => {
    const opened = await openView('overview', operation, key)
    await opened.page.evaluate((hash) => location.assign(hash), `#${operation}`)
    await opened.page.locator(`article#${operation}`).waitFor()
    return opened
  }

  test('shows that an operation is deprecated, and the headers that say so', async () => {
    const { page } = await openOperation('getPet')
    await see(page, 'deprecated')
    await press(page, 'Send')
    await page.locator('.outcome .documented dt', { hasText: 'sunset' }).waitFor()
  })

  test('sends the typed body, shows why it is invalid, and offers each documented status', async () => {
    const { page } = await openOperation('updateInventory')
    await page.getByLabel('Body', { exact: true }).fill('{"quantity":-1}')
    await press(page, 'Send')
    await page.locator('.outcome', { hasText: 'invalid_field' }).waitFor()
    // The button keeps the focus while the request is sent.
    expect(await page.locator(':focus').textContent()).toBe('Send')

    const menu = page.getByLabel('Preferred status')
    expect(await menu.locator('option').allTextContents()).toContain('401 invalid_api_key')
    await menu.selectOption('404 pet_not_found')
    await press(page, 'Send')
    await page.locator('.outcome .status', { hasText: '404' }).waitFor()
    await page.locator('.outcome .documented dt', { hasText: 'preference-applied' }).waitFor()
  })

  test('shows an exact int64', async () => {
    const { page } = await openOperation('listInventory', 'sbx_free_int64-ids')
    await press(page, 'Send')
    await page.locator('.outcome pre', { hasText: '9223372036854775807' }).waitFor()
  })

  test('copies the curl command', async () => {
    const { page, apiKey } = await openOperation('listOrders')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Copy the curl command')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(
      `curl -i '${site().url}/v1/store/orders' -H 'Authorization: Bearer ${apiKey}'`,
    )
  })
})
