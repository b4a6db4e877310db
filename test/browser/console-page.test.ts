import { describe, expect, test } from 'vitest'
import { viewIds } from '../../src/console/routing/route.js'
import { findFlaws } from './support/axe.js'
import { copy, press, see, show, useConsole } from './support/console.js'

const { open, openView, send, site } = useConsole()

test('no view has flaws', async () => {
  const { page, messages } = await open()
  await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
  await send('/v1/pets/404', 'sbx_free')
  const found: Record<string, string[]> = {}
  for (const view of viewIds) {
    await show(page, view)
    found[view] = await findFlaws(page)
  }
  expect(found).toEqual(Object.fromEntries(viewIds.map((view) => [view, []])))
  expect(messages).toEqual([])
})

test('the checks find overflow, low contrast and controls without a name', async () => {
  const { page } = await open()
  await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
  await page.evaluate(() => {
    const style = document.documentElement.style
    style.setProperty('--text-soft', 'rgb(190, 190, 190)')
    for (const name of ['button', 'input', 'select']) {
      document.body.append(document.createElement(name))
    }
    document.body.style.width = '3000px'
  })
  const found = (await findFlaws(page)).join('\n')
  for (const flaw of ['px wider than', 'color-contrast', 'button-name', 'label', 'select-name']) {
    expect(found).toContain(flaw)
  }
})

describe('the key', () => {
  test('is removed from the address bar, and is still used after a reload', async () => {
    const { page } = await open('/#key=sbx_pro_low-stock_mine&environment=staging')
    const key = page.getByLabel('API key')
    await expect.poll(() => key.inputValue()).toBe('sbx_pro_low-stock_mine')
    await expect.poll(() => page.url()).toBe(`${site().url}/`)
    await page.reload()
    expect(await key.inputValue()).toBe('sbx_pro_low-stock_mine')
    expect(await page.getByRole('radio', { name: 'Staging' }).isChecked()).toBe(true)
  })

  test('of a link is stored before it is removed from the address bar', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
    const seen = await page.evaluate(
      () =>
        new Promise((resolve) => {
          // Called after the listener of the page.
          addEventListener('hashchange', () =>
            resolve([location.hash, sessionStorage.getItem('petstore-sandbox.access')]),
          )
          location.hash = 'key=sbx_pro_low-stock_link'
        }),
    )
    expect(seen).toEqual(['', expect.stringContaining('sbx_pro_low-stock_link')])
  })
})

test('the page sends a request below a path prefix, shows it, and has another world in staging', async () => {
  const { page, messages } = await open(`${site().proxyUrl}#key=sbx_free_default_prefix`)
  await page.locator('.mark.live').waitFor()
  await page.getByText(`curl -i '${site().proxyUrl}v1/inventory'`).waitFor()
  await press(page, 'Send it from here')
  await see(page, '200 It is request 1 in the journal.')
  await page.locator('.entries summary', { hasText: 'GET /inventory' }).waitFor()
  await see(page, '59 of 60 left')
  await page.getByRole('radio', { name: 'Staging' }).check()
  await press(page, 'Exhaust the minute')
  await see(page, /\b0 of 60 left/)
  await page.getByRole('radio', { name: 'Production' }).check()
  await see(page, '59 of 60 left')
  await page.getByRole('radio', { name: 'Staging' }).check()
  const link = page.getByRole('link', { name: 'OpenAPI' })
  expect(await link.getAttribute('href')).toBe(`${site().proxyUrl}openapi.json`)
  expect(page.url()).toBe(site().proxyUrl)
  expect(messages).toEqual([])
  site().failProxy({ path: '/staging/v1', status: 502 })
  await press(page, 'Send it from here')
  await see(page, '502 The sandbox did not send it. Check the reverse proxy.')
})

describe('behind a failing reverse proxy', () => {
  test.each([
    [502, '502 is not a response of the sandbox: the reverse proxy cannot reach the sandbox.'],
    ['closed', 'The sandbox does not respond.'],
  ] as const)(
    'the page shows the failure %s instead of the world, keeps what is typed, and recovers',
    async (status, message) => {
      const { page } = await open(`${site().proxyUrl}#key=sbx_free_default_failing`)
      await page.locator('.mark.live').waitFor()
      await page.getByLabel('Set to (UTC)').fill('2030-01-31T09:00:30')
      site().failProxy({ path: '/sandbox', status })
      const card = page.getByRole('alert').filter({ hasText: 'The state of this world' })
      await card.getByText(message).waitFor()
      await see(page, /^Not live since .* The page tries again\.$/)
      for (const text of ['left of', 'Not banned.', 'has not received a request', 'no faults']) {
        await expect.poll(() => page.getByText(text).filter({ visible: true }).count()).toBe(0)
      }
      site().failProxy(undefined)
      await see(page, '60 of 60 left')
      await page.locator('.mark.live').waitFor()
      await card.waitFor({ state: 'detached' })
      await see(page, 'This world has not received a request yet.')
      expect(await page.getByLabel('Set to (UTC)').inputValue()).toBe('2030-01-31T09:00:30')
    },
  )

  test('a table shows why its rows are missing, and loads them later', async () => {
    const { page } = await open(`${site().proxyUrl}#key=sbx_free_default_tables`)
    await page.locator('.mark.live').waitFor()
    site().failProxy({ path: '/sandbox/pets', status: 502 })
    await show(page, 'data')
    await see(page, 'The pets could not be loaded: 502')
    await page.getByText('The store has no pets.').waitFor({ state: 'detached' })
    site().failProxy(undefined)
    await page.getByLabel('Quantity of Nemo').waitFor()
    await page.getByText('The pets could not be loaded').waitFor({ state: 'detached' })
  })

  test('the page says why the OpenAPI documents are not available, and retries', async () => {
    const { page } = await open(site().proxyUrl)
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
    site().failProxy({ path: '/openapi.json', status: 502 })
    await page.reload()
    await see(page, '502 is not a response of the sandbox')
    // Such as the document of another service.
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { openapi: '3.1.0' } }))
    await see(page, '200 is not a response of the sandbox')
    await page.unroute('**/openapi.json')
    site().failProxy(undefined)
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
  })
})

test('the overview freezes, sets and advances the clock', async () => {
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
    expect(await copy(page, 'Copy the curl command', 'Copied')).toBe(
      `curl -i '${site().url}/v1/store/orders' -H 'Authorization: Bearer ${apiKey}'`,
    )
  })
})
