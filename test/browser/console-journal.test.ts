import { expect, test } from 'vitest'
import { type ConsoleSite, openConsoleSite } from './support/console-site.js'
import { usePages } from './support/pages.js'

let site: ConsoleSite
const { open } = usePages(async () => {
  site = await openConsoleSite()
  return site
})

async function openJournal(label: string) {
  const apiKey = `sbx_enterprise_default_${label}`
  const { page } = await open(`/#key=${apiKey}`)
  const items = page.locator('.entries > li')
  await page.locator('.mark.live').waitFor()
  return { page, apiKey, items }
}

test('the journal shows requests as they arrive, newest first', async () => {
  const { apiKey, items } = await openJournal('live')
  await site.send('/v1/inventory', apiKey)
  await site.send('/v1/pets/404', apiKey)
  await expect.poll(() => items.count()).toBe(2)
  expect(await items.first().textContent()).toMatch(/404.*GET \/pets\/404.*pet_not_found/)
})

test('the journal lists the requests from before the page was opened', async () => {
  const apiKey = 'sbx_enterprise_default_before'
  await site.send('/v1/inventory', apiKey)
  const { page } = await open(`/#key=${apiKey}`)
  await page.locator('.entries > li').waitFor()
})

test('a journal entry shows the explanation and the changes of its request', async () => {
  const { page, apiKey, items } = await openJournal('why')
  await site.send('/v1/inventory/7', apiKey, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{"quantity":5}',
  })
  await items.first().click()
  const detail = page.locator('.detail')
  await detail.getByText(/^updateInventory responds with 200$/).waitFor()
  await detail.getByText('"type":"quantity.set"').waitFor()
  await detail.getByText('x-ratelimit-remaining', { exact: true }).waitFor()
})

test('a request without an operation shows the nearest operation', async () => {
  const { page, apiKey, items } = await openJournal('nearest')
  await site.send('/v1/inventroy', apiKey)
  await items.first().click()
  await page.locator('.detail').getByRole('link', { name: 'listInventory' }).waitFor()
})

test('the journal can be filtered, paused and cleared', async () => {
  const { page, apiKey, items } = await openJournal('filter')
  await site.send('/v1/inventory', apiKey)
  await site.send('/v1/pets/404', apiKey)
  await expect.poll(() => items.count()).toBe(2)

  await page.getByLabel('Status, such as 429 or 4xx').fill('4xx')
  await expect.poll(() => items.count()).toBe(1)
  await page.getByLabel('Status, such as 429 or 4xx').fill('')
  await page.getByLabel('Operation of the requests').selectOption('listInventory')
  await expect.poll(() => items.allTextContents()).toHaveLength(1)
  await page.getByLabel('Operation of the requests').selectOption('')

  await page.getByRole('button', { name: 'Pause' }).click()
  await site.send('/v1/inventory', apiKey)
  await site.send('/v1/inventory', apiKey)
  await page.getByText('4,997').or(page.getByText('4,996 of 5,000 left')).first().waitFor()
  expect(await items.count()).toBe(2)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(() => items.count()).toBe(4)

  await page.locator('.journal').getByRole('button', { name: 'Clear' }).click()
  await page.getByText('This world has not received a request yet.').waitFor()
  expect((await site.sandbox.worldFor(apiKey)).journal.size).toBe(0)
})

test('the page retains the 200 newest entries', async () => {
  const { apiKey, items } = await openJournal('bound')
  for (let sent = 0; sent < 230; sent++) await site.send('/v1/pets/7', apiKey)
  await expect.poll(() => items.count()).toBe(200)
  const { journal } = await site.sandbox.worldFor(apiKey)
  expect(journal.size).toBe(230)
})

test('the journal is cleared when another client resets the world', async () => {
  const { page, apiKey, items } = await openJournal('reset')
  await site.send('/v1/inventory', apiKey)
  await items.first().waitFor()
  await site.send('/sandbox/reset', apiKey, { method: 'POST' })
  await page.getByText('This world has not received a request yet.').waitFor({ timeout: 10_000 })
})
