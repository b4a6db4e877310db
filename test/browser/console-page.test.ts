import { describe, expect, onTestFinished, test } from 'vitest'
import { viewIds } from '../../src/console/routing/route.js'
import { appearances, findWithAxe, setAppearance } from './support/axe.js'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { usePages } from './support/pages.js'
import { findFaint, findNameless, measureOverflow } from './support/readable.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

const looks = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

test.each(looks)(
  'each view at $width px in the $colorScheme scheme fits, has enough contrast, and has named controls',
  async ({ width, colorScheme }) => {
    const { page, messages } = await open()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
    await site.send('/v1/pets/404', 'sbx_free')
    for (const view of viewIds) {
      await page.evaluate((hash) => location.assign(hash), `#${view}`)
      await page.locator(`.page[data-view="${view}"]`).waitFor()
      const found = {
        overflow: await measureOverflow(page),
        nameless: await findNameless(page),
        faint: await findFaint(page),
      }
      expect({ view, ...found }).toEqual({ view, overflow: 0, nameless: [], faint: [] })
    }
    expect(messages).toEqual([])
  },
)

// In a page of its own: reading the accessibility tree from outside changes how Chromium works.
test.each(appearances)('axe finds nothing in any view: %s, %s', async (...appearance) => {
  const { page } = await open()
  await setAppearance(page, appearance)
  await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
  await site.send('/v1/pets/404', 'sbx_free')
  const found: Record<string, string[]> = {}
  for (const view of viewIds) {
    await page.evaluate((hash) => location.assign(hash), `#${view}`)
    await page.locator(`.page[data-view="${view}"]`).waitFor()
    found[view] = await findWithAxe(page)
  }
  expect(found).toEqual(Object.fromEntries(viewIds.map((view) => [view, []])))
})

test('axe finds low contrast and controls without a name', async () => {
  const { page } = await open()
  await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--text-soft', 'rgb(190, 190, 190)')
    document.body.append(document.createElement('button'))
  })
  const found = (await findWithAxe(page)).join()
  expect(found).toContain('color-contrast')
  expect(found).toContain('button-name')
})

test('the page checks find overflow, low contrast and controls without a name', async () => {
  const { page } = await open()
  await page.getByRole('heading', { name: 'Scenario', exact: true }).waitFor()
  await page.evaluate(() => {
    const style = document.documentElement.style
    style.setProperty('--text-soft', 'rgb(190, 190, 190)')
    document.body.append(document.createElement('button'))
    document.body.style.width = '3000px'
  })
  expect(await measureOverflow(page)).toBeGreaterThan(0)
  expect(await findNameless(page)).toEqual(['button'])
  expect(await findFaint(page)).not.toEqual([])
})

describe('the key', () => {
  test('is removed from the address bar, and is still used after a reload', async () => {
    const { page } = await open('/#key=sbx_pro_low-stock_mine&environment=staging')
    const key = page.getByLabel('API key')
    await expect.poll(() => key.inputValue()).toBe('sbx_pro_low-stock_mine')
    await expect.poll(() => page.url()).toBe(`${site.url}/`)
    await page.reload()
    expect(await key.inputValue()).toBe('sbx_pro_low-stock_mine')
    expect(await page.getByRole('radio', { name: 'Staging' }).isChecked()).toBe(true)
  })

  test('of a link is stored before the page removes it from the address bar', async () => {
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

  test('can be replaced by the default key if it is invalid', async () => {
    const { page } = await open('/#key=sbx_free_nonsense')
    // Each part of the page reports the failure until the page as a whole does.
    await page.getByText('names the unknown scenario "nonsense"').first().waitFor()
    await page.getByRole('button', { name: 'Use sbx_free', exact: true }).click()
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
  })

  test('can be created with a plan, a scenario and a random label', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'New key…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Plan' }).selectOption('pro')
    await dialog.getByRole('combobox', { name: 'Scenario' }).selectOption('low-stock')
    await dialog.getByRole('button', { name: 'Create a private key' }).click()
    const key = page.getByLabel('API key')
    await expect.poll(() => key.inputValue()).toMatch(/^sbx_pro_low-stock_[A-Za-z0-9]{20,}$/)
    await page.locator('.card-head .mark', { hasText: 'low-stock' }).waitFor()
  })

  test('selects another world in staging', async () => {
    const { page } = await open('/#key=sbx_free_default_apart')
    await page.getByRole('radio', { name: 'Staging' }).check()
    await page.getByRole('button', { name: 'Exhaust the minute' }).click()
    await page
      .getByText(/\b0 of 60 left/)
      .first()
      .waitFor()
    await page.getByRole('radio', { name: 'Production' }).check()
    await page.getByText('60 of 60 left').first().waitFor()
  })
})

test('the page works below a path prefix', async () => {
  const { page, messages } = await open(`${site.proxyUrl}#key=sbx_free_default_prefix`)
  await page.locator('.mark.live').waitFor()
  await page.getByText(`curl -i '${site.proxyUrl}v1/inventory'`).waitFor()
  await page.getByRole('button', { name: 'Send it from here' }).click()
  await page.getByText('200 It is request 1 in the journal.').waitFor()
  await page.getByRole('radio', { name: 'Staging' }).check()
  await page.getByRole('button', { name: 'Exhaust the minute' }).click()
  await page
    .getByText(/\b0 of 60 left/)
    .first()
    .waitFor()
  const link = page.getByRole('link', { name: 'OpenAPI' })
  expect(await link.getAttribute('href')).toBe(`${site.proxyUrl}openapi.json`)
  expect(page.url()).toBe(site.proxyUrl)
  expect(messages).toEqual([])
  site.failProxy({ path: '/staging/v1', status: 502 })
  onTestFinished(() => site.failProxy(undefined))
  await page.getByRole('button', { name: 'Send it from here' }).click()
  await page.getByText('502 The sandbox did not send it. Check the reverse proxy.').waitFor()
})

test('the page reports that the sandbox does not respond, and reconnects', async () => {
  const { page } = await open()
  await page.locator('.mark.live').waitFor()
  await site.stop()
  // Each part of the page reports the failure until the page as a whole does.
  const report = page.getByText('The sandbox does not respond.')
  await report.first().waitFor()
  await site.start()
  await expect.poll(() => report.count()).toBe(0)
  await page.locator('.mark.live').waitFor()
})

describe('behind a failing reverse proxy', () => {
  test.each([
    [404, '404 is not a response of the sandbox: no sandbox is served at this address.'],
    [502, '502 is not a response of the sandbox: the reverse proxy cannot reach the sandbox.'],
    [200, '200 is not a response of the sandbox: it does not have the content'],
    ['closed', 'The sandbox does not respond.'],
  ] as const)(
    'the page shows the failure %s instead of the world, keeps what is typed, and recovers',
    async (status, message) => {
      const { page } = await open(`${site.proxyUrl}#key=sbx_free_default_failing`)
      await page.locator('.mark.live').waitFor()
      await page.getByLabel('Set to (UTC)').fill('2030-01-31T09:00:30')
      site.failProxy({ path: '/sandbox', status })
      onTestFinished(() => site.failProxy(undefined))
      const card = page.getByRole('alert').filter({ hasText: 'The state of this world' })
      await card.getByText(message).waitFor()
      await page.getByText(/^Not live since .* The page tries again\.$/).waitFor()
      for (const text of ['left of', 'Not banned.', 'has not received a request', 'no faults']) {
        await expect.poll(() => page.getByText(text).filter({ visible: true }).count()).toBe(0)
      }
      site.failProxy(undefined)
      await page.getByText('60 of 60 left').first().waitFor()
      await page.locator('.mark.live').waitFor()
      await card.waitFor({ state: 'detached' })
      await page.getByText('This world has not received a request yet.').waitFor()
      expect(await page.getByLabel('Set to (UTC)').inputValue()).toBe('2030-01-31T09:00:30')
    },
  )

  test('a table shows why its rows are missing, and loads them later', async () => {
    const { page } = await open(`${site.proxyUrl}#key=sbx_free_default_tables`)
    await page.locator('.mark.live').waitFor()
    site.failProxy({ path: '/sandbox/pets', status: 502 })
    onTestFinished(() => site.failProxy(undefined))
    await page.evaluate(() => location.assign('#data'))
    await page.getByText('The pets could not be loaded: 502').waitFor()
    await page.getByText('The store has no pets.').waitFor({ state: 'detached' })
    site.failProxy(undefined)
    await page.getByLabel('Quantity of Nemo').waitFor()
    await page.getByText('The pets could not be loaded').waitFor({ state: 'detached' })
  })

  test('the page says why the OpenAPI documents are not available, and retries', async () => {
    const { page } = await open(site.proxyUrl)
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
    site.failProxy({ path: '/openapi.json', status: 502 })
    onTestFinished(() => site.failProxy(undefined))
    await page.reload()
    await page.getByText('502 is not a response of the sandbox').waitFor()
    // Such as the document of another service.
    await page.route('**/openapi.json', (route) => route.fulfill({ json: { openapi: '3.1.0' } }))
    await page.getByText('200 is not a response of the sandbox').waitFor()
    await page.unroute('**/openapi.json')
    site.failProxy(undefined)
    await page.getByRole('heading', { name: 'Send a request' }).waitFor()
  })
})
