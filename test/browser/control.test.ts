import { expect, test } from 'vitest'
import { apiUrl, controlUrl, fetchFromPage, usePages } from './support/pages.js'
import { openTestPage } from './support/site.js'

const { start } = usePages(openTestPage)

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

test('expose makes the sandbox available in the developer tools', async () => {
  const { page } = await start({ expose: true })
  await page.evaluate(() => window.petstoreSandbox?.use('empty-store'))
  expect((await fetchFromPage(page, `${apiUrl}/inventory`)).text).toBe('[]')
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
