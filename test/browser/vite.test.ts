import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { expect, test } from 'vitest'
import { usePages } from './support/pages.js'

const root = fileURLToPath(new URL('../../examples/vite', import.meta.url))

let server: ViteDevServer

/** The development server of the example, with the plugin of the built package. */
const pages = usePages(async () => {
  const address = { port: 0, host: '127.0.0.1', ws: false } as const
  server = await createServer({ root, logLevel: 'silent', server: address })
  await server.listen()
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
})

const headers = { Authorization: 'Bearer sbx_free', 'Content-Type': 'application/json' }

test('the page, its panel, the console and other clients share one world', async () => {
  const { page } = await pages.open()
  const item = page.locator('#inventory li').first()
  await item.waitFor()
  expect(await item.textContent()).toBe('1: 1')
  const body = '{"quantity":7}'
  await fetch(`${pages.url()}petstore/v1/inventory/1`, { method: 'PATCH', headers, body })
  await page.reload()
  await item.waitFor()
  expect(await item.textContent()).toBe('1: 7')

  await page.getByRole('button', { name: /^Sandbox panel/ }).click()
  await page.getByText('/petstore/v1').first().waitFor()
  await page.getByRole('button', { name: 'Exhaust the minute' }).click()
  await page
    .getByText(/\b0 of 60 left/)
    .first()
    .waitFor()
  const rejected = await fetch(`${pages.url()}petstore/v1/inventory`, { headers })
  expect(rejected.status).toBe(429)

  const { page: console } = await pages.open('/petstore/')
  await console.getByText('low-stock').first().waitFor()
})
