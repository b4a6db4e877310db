import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { BrowserSandboxOptions } from '../../src/browser.js'
import { apiUrl, callFromPage, readQuantity, toStartPath, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

describe('startSandbox', () => {
  const { start } = usePages(openTestPage)

  test('answers requests of the page to another origin', async () => {
    const { page } = await start()
    const { status, text } = await callFromPage(page, `${apiUrl}/inventory`)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveLength(12)
  })

  test('answers at the base URL that it is given', async () => {
    const { page } = await start({ baseUrl: '/shop/v1' })
    const answer = await callFromPage(page, '/shop/v1/inventory')
    expect(answer.status).toBe(200)
  })

  test('lets all other requests pass, without a word', async () => {
    const { page, messages } = await start()
    expect((await callFromPage(page, '/index.html')).text).toContain('A page with a sandbox')
    expect(messages).toEqual([])
  })

  test('answers everything below the base URL, so that a typing mistake is seen', async () => {
    const { page } = await start()
    const answer = await callFromPage(page, `${apiUrl}/inventroy`)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'route_not_found', status: 404 })
  })

  test('lets requests go to the network again once it is stopped', async () => {
    const { page } = await start({ baseUrl: '/v1' })
    await page.evaluate(() => window.petstoreSandbox?.stop())
    // The server of the page answers each path that it does not know with the page.
    const answer = await callFromPage(page, '/v1/inventory')
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined()
    expect(await page.evaluate(() => 'petstoreSandbox' in window)).toBe(false)
  })

  test('can be started again with another scenario after it was stopped', async () => {
    const { page } = await start()
    await page.evaluate(async () => {
      await window.petstoreSandbox?.stop()
      await window.startSandbox({ scenario: 'empty-store', quiet: true })
    })
    expect((await callFromPage(page, `${apiUrl}/inventory`)).text).toBe('[]')
  })

  test('lets a handler of the page stand in front', async () => {
    const { page } = await start()
    await page.evaluate(() => {
      const { http, HttpResponse } = window.msw
      const handler = http.get('*/inventory', () => HttpResponse.text('mine'))
      window.petstoreSandbox?.worker.use(handler)
    })
    expect((await callFromPage(page, `${apiUrl}/inventory`)).text).toBe('mine')
    expect((await callFromPage(page, `${apiUrl}/store/orders`)).status).toBe(200)
  })

  test('stays off the window unless it is asked to be there', async () => {
    const { page } = await start({ expose: false })
    expect(await page.evaluate(() => 'petstoreSandbox' in window)).toBe(false)
  })
})

describe('the scenario of startSandbox', () => {
  const { open, start } = usePages(openTestPage)

  test('is taken from the address of the page when that is asked for', async () => {
    const options = { scenario: 'low-stock', scenarioFromUrl: true }
    const asked = await start(options, '&scenario=empty-store')
    expect((await callFromPage(asked.page, `${apiUrl}/inventory`)).text).toBe('[]')

    for (const none of ['', '&scenario=']) {
      const silent = await start(options, none)
      expect(await readQuantity(silent.page, 1)).toBe(1)
    }
  })

  test('is not taken from the address of the page unless that is asked for', async () => {
    const { page } = await start({}, '&scenario=empty-store')
    expect(await readQuantity(page, 1)).toBe(4)
  })

  test('is taken from another parameter when one is named', async () => {
    const { page } = await start({ scenarioFromUrl: 'mock' }, '&mock=empty-store')
    expect((await callFromPage(page, `${apiUrl}/inventory`)).text).toBe('[]')
  })

  test('is merged from all that the address names', async () => {
    const { page } = await start({ scenarioFromUrl: true }, '&scenario=empty-store+rate-limited')
    expect((await callFromPage(page, `${apiUrl}/inventory`)).status).toBe(429)
  })

  test('may be one of the page', async () => {
    const mine = { name: 'mine', pets: [{ petId: 7, name: 'Nemo', quantity: 3 }] }
    const { page } = await start({ scenarios: [mine], scenarioFromUrl: true }, '&scenario=mine')
    expect(await readQuantity(page, 7)).toBe(3)
    expect(await readQuantity(page, 7, 'sbx_pro_mine_other')).toBe(3)
  })

  test('is refused when nobody knows it, with the name that was probably meant', async () => {
    const { page } = await open(toStartPath({ scenarioFromUrl: true }, '&scenario=low-stok'))
    const failure = page.evaluate(() => window.started)
    await expect(failure).rejects.toThrow(/found "low-stok".*low-stock/)
  })
})

describe('without the worker script', () => {
  const withStartPage = usePages(() => openTestPage({ hasWorkerScript: false }))
  const without = usePages(() => openTestPage({ hasWorkerScript: false, appType: 'mpa' }))

  test('startSandbox says what to run, where the server answers with its start page', async () => {
    const { page } = await withStartPage.open()
    const message = await startAndFail(page)
    expect(message).toContain('npx msw init public --save')
    const url = `${new URL(page.url()).origin}/mockServiceWorker.js`
    expect(message).toContain(`${url} answers with text/html, not a script`)
  })

  test('startSandbox says what to run, where the server answers 404', async () => {
    const { page } = await without.open()
    const message = await startAndFail(page, { serviceWorker: { url: '/assets/none.js' } })
    expect(message).toContain('npx msw init public --save')
    expect(message).toContain(`${new URL(page.url()).origin}/assets/none.js answers 404`)
    expect(message).toContain('serviceWorker: { url:')
  })
})

function startAndFail(page: Page, options: BrowserSandboxOptions = {}): Promise<string> {
  return page.evaluate(async (given) => {
    try {
      await window.startSandbox(given)
      return 'started'
    } catch (error) {
      return String(error)
    }
  }, options)
}
