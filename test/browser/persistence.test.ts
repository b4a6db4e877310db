import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  apiUrl,
  controlUrl,
  fetchFromPage,
  readQuantity,
  setQuantity,
} from './support/page-requests.js'
import { reload, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

const { start } = usePages(openTestPage)

const minuteMs = 60_000

/** Returns by how many milliseconds the world's clock is ahead of the real time. */
function readLeadMs(page: Page): Promise<number> {
  return page.evaluate(() => (window.petstoreSandbox?.world.clock.now() ?? 0) - Date.now())
}

function countStored(page: Page): Promise<number> {
  return page.evaluate(() => sessionStorage.length)
}

test('data, quota and faults of all worlds are retained, also changes by a script', async () => {
  const { page } = await start({ scenario: 'low-stock' })
  await page.evaluate(() => window.petstoreSandbox?.world.db.pets.change('1', { quantity: 55 }))
  const faults = [{ type: 'status', status: 503, operation: 'listOrders' }]
  await fetchFromPage(page, `${controlUrl}/faults`, { method: 'PUT', json: faults })
  const key = 'sbx_pro_default_ci-7'
  await setQuantity(page, 2, 21, key)
  const stagingUrl = 'https://staging.api.petstore.example/v1/inventory'
  await fetchFromPage(page, `${stagingUrl}/3`, { method: 'PATCH', json: { quantity: 33 } })

  await reload(page)
  expect(await readQuantity(page, 1)).toBe(55)
  const response = await fetchFromPage(page, `${apiUrl}/store/orders`)
  expect(response.status).toBe(503)
  expect(response.headers['x-ratelimit-remaining'], 'the second request of its minute').toBe('58')
  expect(await readQuantity(page, 2, key)).toBe(21)
  const { text } = await fetchFromPage(page, stagingUrl)
  expect(JSON.parse(text)[2]).toMatchObject({ petId: 3, quantity: 33 })
})

test('a running clock advances during the reload, and a frozen one does not', async () => {
  const { page } = await start()
  await page.evaluate(() => window.petstoreSandbox?.world.clock.advance('PT10M'))
  const before = await readLeadMs(page)
  await reload(page)
  expect(Math.abs((await readLeadMs(page)) - before)).toBeLessThan(50)
  expect(before).toBeGreaterThan(9 * minuteMs)

  await page.evaluate(() => window.petstoreSandbox?.world.clock.freeze('2026-03-01T12:00:00Z'))
  await reload(page)
  const now = await page.evaluate(() => window.petstoreSandbox?.world.clock.now())
  expect(now).toBe(Date.UTC(2026, 2, 1, 12))
})

test('worlds of a scenario that the page started and named in its URL are retained', async () => {
  const { page } = await start({ scenarioFromUrl: true })
  await page.evaluate(async () => {
    await window.petstoreSandbox?.use('low-stock')
    const url = new URL(location.href)
    url.searchParams.set('scenario', 'low-stock')
    history.pushState(null, '', url)
  })
  await setQuantity(page, 1, 8)
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(8)
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(8)
  // Opened anew, the URL starts its scenario.
  await page.goto(page.url())
  await page.evaluate(() => window.started)
  expect(await readQuantity(page, 1)).toBe(1)
})

test('forget removes the stored worlds and restarts all worlds', async () => {
  const { page } = await start()
  await setQuantity(page, 1, 55)
  await page.evaluate(() => window.petstoreSandbox?.forget())
  expect(await countStored(page)).toBe(0)
  expect(await readQuantity(page, 1)).toBe(4)
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(4)
})

test('a scenario with changed content discards the stored worlds', async () => {
  const scenario = { name: 'mine', pets: [{ petId: 7, name: 'Nemo', quantity: 3 }] }
  const { page } = await start({ scenario })
  await setQuantity(page, 7, 55)
  await page.goto(page.url().replace('Nemo', 'Dory'))
  await page.evaluate(() => window.started)
  expect(await readQuantity(page, 7)).toBe(3)
})

test('nothing is stored if persist is false', async () => {
  const { page } = await start({ persist: false })
  await setQuantity(page, 1, 55)
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(4)
  expect(await countStored(page)).toBe(0)
})

test('a world that is too large for the storage is reported once and does not affect requests', async () => {
  const { page, messages } = await start()
  await page.evaluate(() => sessionStorage.setItem('other', 'x'.repeat(5 * 1024 * 1024 - 2_000)))
  for (const quantity of [10, 11, 12]) {
    expect((await setQuantity(page, 1, quantity)).status).toBe(200)
  }
  expect(await readQuantity(page, 1)).toBe(12)
  expect(messages.join()).toMatch(/petstore-sandbox: a world will be lost .*exceeded the quota/)
  expect(messages.filter((message) => message.includes('will be lost'))).toHaveLength(1)
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(4)
})

test('a world whose stored state is damaged starts anew with a warning', async () => {
  const { page, messages } = await start()
  await setQuantity(page, 1, 55)
  await page.evaluate(() =>
    addEventListener('pagehide', () => {
      for (const key of Object.keys(sessionStorage)) {
        if (!key.includes('!meta!')) sessionStorage.setItem(key, '{"a":1}')
      }
    }),
  )
  await reload(page)
  expect(await readQuantity(page, 1)).toBe(4)
  expect(messages.join()).toContain('the stored state of this world could not be read')
  const { text } = await fetchFromPage(page, `${controlUrl}/requests`)
  expect(text).toContain('the stored state of this world could not be read; it has started anew')
})

test('a page from the back/forward cache restores the stored worlds', async () => {
  const { page } = await start()
  await setQuantity(page, 1, 55)
  await page.evaluate(() => {
    for (const [key, text] of Object.entries(sessionStorage)) {
      sessionStorage.setItem(key, text.replaceAll('"quantity":55', '"quantity":66'))
    }
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect.poll(() => readQuantity(page, 1)).toBe(66)
})

test('a world with 5,000 pets is retained', async () => {
  const { page, messages } = await start({ scenario: 'large-catalogue' })
  await setQuantity(page, 4_321, 1_234)
  await reload(page)
  expect(await readQuantity(page, 4_321)).toBe(1_234)
  expect(messages).toEqual([])
})

test('two tabs are isolated, and closing one does not affect the other', async () => {
  const { page: first } = await start({ scenario: 'low-stock' })
  const { page: second } = await start()
  expect(await readQuantity(first, 1)).toBe(1)
  await setQuantity(first, 1, 11)
  await setQuantity(second, 1, 22)
  await reload(first)
  expect(await readQuantity(first, 1)).toBe(11)
  await first.close()
  expect(await readQuantity(second, 1)).toBe(22)
})

test('a world opens no BroadcastChannel', async () => {
  const { page } = await start()
  const heard = page.evaluate(async () => {
    const opened: string[] = []
    const original = window.BroadcastChannel
    window.BroadcastChannel = class extends original {
      constructor(name: string) {
        super(name)
        opened.push(name)
      }
    }
    await window.petstoreSandbox?.worldFor('sbx_free_default_other')
    return { opened, isBack: new BroadcastChannel('mine').name }
  })
  expect(await heard).toEqual({ opened: ['mine'], isBack: 'mine' })
})

describe('the scenario of the URL', () => {
  const scenario = (page: Page) => page.evaluate(() => window.petstoreSandbox?.world.scenario)

  /** Opens the page with another query. */
  const visit = async (page: Page, query: string, options: object = { scenarioFromUrl: true }) => {
    const url = new URL(page.url())
    url.search = `?options=${encodeURIComponent(JSON.stringify(options))}${query}`
    await page.goto(url.href)
    await page.evaluate(() => window.started)
  }

  test.each([true, false])(
    'stays active in the tab when the URL does not name it, with persist: %s',
    async (persist) => {
      const options = { scenarioFromUrl: true, persist }
      const { page } = await start(options, '&scenario=low-stock')
      // The navigation of an application.
      await page.evaluate(() => {
        const url = new URL(location.href)
        url.searchParams.delete('scenario')
        history.pushState(null, '', url)
      })
      await reload(page)
      expect(await scenario(page)).toBe('low-stock')
      await visit(page, '&page=2', options)
      expect(await scenario(page)).toBe('low-stock')
      await visit(page, '&scenario=sunset-soon', options)
      expect(await scenario(page)).toBe('sunset-soon')
      await visit(page, '', options)
      expect(await scenario(page)).toBe('sunset-soon')
    },
  )

  test('does not apply to a page without scenarioFromUrl', async () => {
    const { page } = await start({ scenarioFromUrl: true }, '&scenario=low-stock')
    await visit(page, '', {})
    expect(await scenario(page)).toBe('default')
    await reload(page)
    expect(await scenario(page)).toBe('default')
  })

  test('replaces the scenario of sandbox.use when it is opened, but not when it is reloaded', async () => {
    const { page } = await start({ scenarioFromUrl: true }, '&scenario=low-stock')
    await page.evaluate(() => window.petstoreSandbox?.use('sunset-soon'))
    await reload(page)
    expect(await scenario(page)).toBe('sunset-soon')
    await visit(page, '')
    expect(await scenario(page)).toBe('sunset-soon')
    await visit(page, '&scenario=low-stock')
    expect(await scenario(page)).toBe('low-stock')
  })

  test('is forgotten with forget and with an empty parameter', async () => {
    const { page } = await start({ scenarioFromUrl: true }, '&scenario=low-stock')
    await visit(page, '&scenario=')
    expect(await scenario(page)).toBe('default')
    await visit(page, '&scenario=low-stock')
    await page.evaluate(() => window.petstoreSandbox?.forget())
    expect(await countStored(page)).toBe(0)
    await visit(page, '')
    expect(await scenario(page)).toBe('default')
  })

  test('is ignored with a warning when it is no longer known', async () => {
    const options = { scenarioFromUrl: true, scenarios: [{ name: 'mine' }] }
    const { page, messages } = await start(options, '&scenario=mine')
    expect(await scenario(page)).toBe('mine')
    await visit(page, '')
    expect(await scenario(page)).toBe('default')
    expect(messages.join()).toContain('the scenario "mine" of this tab is unknown now')
  })
})
