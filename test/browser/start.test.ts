import { beforeAll, describe, expect, test } from 'vitest'
import type { BrowserSandboxOptions, ScenarioName } from '../../src/browser.js'
import { createSandboxServer } from '../../src/server.js'
import { documentedHeaders } from '../../src/service/headers.js'
import {
  apiUrl,
  controlUrl,
  fetchFromPage,
  readQuantity,
  setQuantity,
} from './support/page-requests.js'
import { reload, toStartPath, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

const { open, start, url } = usePages(openTestPage)

describe('startSandbox', () => {
  test('responds to requests of the page to another origin, and logs nothing', async () => {
    const { page, messages } = await start()
    const { status, text } = await fetchFromPage(page, `${apiUrl}/inventory`)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toHaveLength(12)
    expect(messages).toEqual([])
  })

  test('warns of a request with a key of the sandbox that reaches the network', async () => {
    const { page, messages } = await start({ baseUrl: 'https://api.my-shop.test/v1' })
    const sent = new URL('/v1/inventory?page=2', page.url()).href
    await fetchFromPage(page, sent)
    await expect.poll(() => messages).toHaveLength(1)
    expect(messages[0]).toBe(
      `petstore-sandbox: GET ${sent} goes to the network, although it carries a key of the sandbox. ` +
        'The sandbox intercepts requests to https://api.my-shop.test/v1; its option baseUrl sets another URL.',
    )
  })

  test('is rejected while a sandbox runs in the page, which continues', async () => {
    const { page } = await start({ scenario: 'low-stock', overlay: false })
    const again = page.evaluate(() => window.startSandbox({ overlay: false }))
    await expect(again).rejects.toThrow(
      'a sandbox is running in this page already; use the one that startSandbox has returned, call its stop(), or reload the page',
    )
    expect(await readQuantity(page, 1)).toBe(1)
  })

  test('can be started after a start that failed, in another tab and in the same', async () => {
    const { page: failed } = await open()
    await failed.evaluate(async () => {
      const scenario = 'none' as ScenarioName // an unknown one
      await window.startSandbox({ scenario, overlay: false }).catch(() => {})
    })
    const { page: other } = await start()
    expect((await fetchFromPage(other, `${apiUrl}/inventory`)).status).toBe(200)
    await failed.evaluate(() => window.startSandbox({ quiet: true }).then(() => {}))
    expect((await fetchFromPage(failed, `${apiUrl}/inventory`)).status).toBe(200)
  })

  test('responds in a tab that is opened after another has stopped its sandbox', async () => {
    const { page: stopped } = await start()
    await stopped.evaluate(() => window.petstoreSandbox?.stop())
    const { page } = await open(toStartPath({}))
    // The page reloads itself.
    await page.waitForFunction(() => window.petstoreSandbox)
    expect((await fetchFromPage(page, `${apiUrl}/inventory`)).status).toBe(200)
  })

  test.each([true, false])(
    'responds at the base URL of the options until it is stopped, with worker: %s',
    async (worker) => {
      const { page } = await start({ baseUrl: '/v1', worker })
      expect((await fetchFromPage(page, '/index.html')).text).toContain('A page with a sandbox')
      const read = async () => (await fetchFromPage(page, '/v1/inventory')).headers
      expect((await read())['x-ratelimit-limit']).toBe('60')
      await page.evaluate(() => window.petstoreSandbox?.stop())
      // The server responds to unknown paths with the page.
      expect((await read())['x-ratelimit-limit']).toBeUndefined()
      expect(await page.evaluate(() => 'petstoreSandbox' in window)).toBe(false)
    },
  )

  test('lets a handler of the page take precedence', async () => {
    const { page } = await start()
    await page.evaluate(() => {
      const { http, HttpResponse } = window.msw
      const handler = http.get('*/inventory', () => HttpResponse.text('mine'))
      window.petstoreSandbox?.worker.use(handler)
    })
    expect((await fetchFromPage(page, `${apiUrl}/inventory`)).text).toBe('mine')
    expect((await fetchFromPage(page, `${apiUrl}/store/orders`)).status).toBe(200)
  })

  test('starts in a page whose clock a test has stopped, also when the page is reloaded', async () => {
    const { page } = await open()
    await page.clock.install({ time: '2026-11-21T09:00:00Z' })
    await page.clock.pauseAt('2026-11-21T10:00:00Z')
    for (const _ of ['first visit', 'installed worker']) {
      await page.goto(url() + toStartPath({}))
      await page.evaluate(() => window.started)
      expect((await fetchFromPage(page, `${apiUrl}/inventory`)).status).toBe(200)
    }
  })
})

const lowStock = { scenarioFromUrl: true, scenario: 'low-stock' } as const

test.each<[BrowserSandboxOptions, string, string]>([
  [lowStock, '&scenario=empty-store+rate-limited', 'empty-store+rate-limited'],
  [lowStock, '&scenario=', 'low-stock'],
  [{ scenarioFromUrl: true, scenarios: [{ name: 'mine' }] }, '&scenario=mine', 'mine'],
  [{ scenarioFromUrl: 'mock' }, '&mock=empty-store', 'empty-store'],
  [{}, '&scenario=empty-store', 'default'],
])('with the options %j and the query %s, the scenario is %s', async (options, query, scenario) => {
  const { page } = await start(options, query)
  expect(await page.evaluate(() => window.petstoreSandbox?.world.scenario)).toBe(scenario)
})

describe('without a service worker', () => {
  const options = { worker: false } as const

  test('startSandbox responds, and registers no worker', async () => {
    const { page, messages } = await start({ ...options, scenario: 'low-stock', expose: false })
    expect(await readQuantity(page, 1)).toBe(1)
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
    expect(await page.evaluate(() => 'petstoreSandbox' in window)).toBe(false)
    expect(messages).toEqual([])
  })

  test('a page that is no secure context has a sandbox, whose worlds last', async () => {
    const { page } = await open()
    const [own, origin] = [url(), 'http://shop.example']
    await page.route(`${origin}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(origin, own) })
      await route.fulfill({ response })
    })
    await page.goto(`${origin}${toStartPath({})}`)
    await page.evaluate(() => window.started)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await setQuantity(page, 1, 55)
    await reload(page)
    expect(await readQuantity(page, 1)).toBe(55)
  })

  test('a frame has a sandbox of its own', async () => {
    const { page } = await open()
    const html = `<iframe src="${toStartPath(options)}">`
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), html)
    const frame = await (await page.waitForSelector('iframe')).contentFrame()
    await frame?.waitForFunction(() => window.started)
    expect((await fetchFromPage(frame ?? page, `${apiUrl}/inventory`)).status).toBe(200)
  })
})

test('a script of the page can use the control API', async () => {
  const { page } = await start()
  const json = { minute: { remaining: 0 } }
  await fetchFromPage(page, `${controlUrl}/quota`, { method: 'PATCH', json })
  const rejected = await fetchFromPage(page, `${apiUrl}/inventory`)
  expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })

  const advance = { advanceTo: 'next-event' }
  await fetchFromPage(page, `${controlUrl}/clock`, { method: 'PATCH', json: advance })
  expect((await fetchFromPage(page, `${apiUrl}/inventory`)).status).toBe(200)

  const { text } = await fetchFromPage(page, `${controlUrl}/requests`)
  expect(JSON.parse(text)).toMatchObject([
    { operation: 'listInventory', response: { status: 200 } },
    { operation: 'listInventory', response: { status: 429 } },
  ])
})

test('the requests of a page are sent as server-sent events', async () => {
  const { page } = await start()
  const seen = page.evaluate(
    async ([events, inventory]) => {
      const headers = { Authorization: 'Bearer sbx_free' }
      const { body } = await fetch(events, { headers })
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      await reader?.read()
      await fetch(inventory, { headers })
      const { value } = (await reader?.read()) ?? {}
      await reader?.cancel()
      return value
    },
    [`${controlUrl}/events`, `${apiUrl}/inventory`] as const,
  )
  expect(await seen).toContain('"operation":"listInventory"')
})

describe('a page of another origin', () => {
  let serverUrl: string
  beforeAll(async () => {
    const server = await createSandboxServer()
    serverUrl = await server.listen({ port: 0 })
    return () => server.close()
  })

  test('reads every documented header of a server', async () => {
    const { page } = await open()
    const responses = [
      await fetchFromPage(page, `${serverUrl}/v1/pets/7`, { prefer: 'code=429' }),
      await fetchFromPage(page, `${serverUrl}/v1/inventory`, { key: 'nobody' }),
      await fetchFromPage(page, `${serverUrl}/v1/inventory`, { method: 'DELETE' }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([429, 401, 405])
    const readable = new Set(responses.flatMap(({ headers }) => Object.keys(headers)))
    expect(documentedHeaders.filter((name) => !readable.has(name.toLowerCase()))).toEqual([])
  })

  test('cannot use the control API over HTTP', async () => {
    const { page } = await open()
    const failure = fetchFromPage(page, `${serverUrl}/sandbox/reset`, { method: 'POST' })
    await expect(failure).rejects.toThrow('Failed to fetch')
  })
})
