import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { fetchFromPage, readQuantity } from './support/page-requests.js'
import { usePages } from './support/pages.js'
import { openTestPage, workerFolder } from './support/site.js'

/** Has msw's worker script at the root and in the folder app. */
const nestedFolder = await mkdtemp(join(tmpdir(), 'petstore-nested-'))
await cp(workerFolder, nestedFolder, { recursive: true })
await cp(workerFolder, join(nestedFolder, 'app'), { recursive: true })
beforeAll(() => () => rm(nestedFolder, { recursive: true }))

describe('a page that Vite has built with the base /shop/', () => {
  const { open, url } = usePages(() => openTestPage({ base: '/shop/' }))

  test('finds the worker script below its base, from any path', async () => {
    const { page } = await open('/shop/products/1?options={}')
    await page.evaluate(() => window.started)
    expect(await readQuantity(page, 1)).toBe(4)
    const script = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return registration.active?.scriptURL
    })
    expect(script).toBe(`${url()}/shop/mockServiceWorker.js`)
  })

  test('responds to a relative base URL', async () => {
    const options = { baseUrl: '/shop/api/v1' }
    const { page } = await open(`/shop/?options=${JSON.stringify(options)}`)
    await page.evaluate(() => window.started)
    expect((await fetchFromPage(page, '/shop/api/v1/inventory')).status).toBe(200)
  })
})

describe('a page of a bundler that defines no base', () => {
  const { open, url } = usePages(() => openTestPage({ hidesBase: true, publicDir: nestedFolder }))

  const readScript = async (path: string, hasBaseElement: boolean) => {
    const { page } = await open(path)
    return page.evaluate(async (hasBaseElement) => {
      if (hasBaseElement) {
        const base = document.createElement('base')
        base.href = '/app/'
        document.head.append(base)
      }
      await window.startSandbox({ quiet: true })
      const [registration] = await navigator.serviceWorker.getRegistrations()
      return registration?.active?.scriptURL ?? registration?.installing?.scriptURL
    }, hasBaseElement)
  }

  test('finds the worker script below its <base> element', async () => {
    expect(await readScript('/app/list/1', true)).toBe(`${url()}/app/mockServiceWorker.js`)
  })

  test('finds the worker script at the root without a <base> element', async () => {
    expect(await readScript('/list/1', false)).toBe(`${url()}/mockServiceWorker.js`)
  })
})
