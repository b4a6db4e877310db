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
  const lines = page.locator('.rows > li')
  await page.locator('.mark.live').waitFor()
  return { page, apiKey, lines }
}

test('the journal shows calls as they come, the newest first', async () => {
  const { apiKey, lines } = await openJournal('live')
  await site.call('/v1/inventory', apiKey)
  await site.call('/v1/pets/404', apiKey)
  await expect.poll(() => lines.count()).toBe(2)
  expect(await lines.first().textContent()).toMatch(/404.*GET \/pets\/404.*pet_not_found/)
})

test('the journal lists what came before the page', async () => {
  const apiKey = 'sbx_enterprise_default_before'
  await site.call('/v1/inventory', apiKey)
  const { page } = await open(`/#key=${apiKey}`)
  await page.locator('.rows > li').waitFor()
})

test('a call tells why it was answered as it was, and what it changed', async () => {
  const { page, apiKey, lines } = await openJournal('why')
  await site.call('/v1/inventory/7', apiKey, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: '{"quantity":5}',
  })
  await lines.first().click()
  const detail = page.locator('.detail')
  await detail.getByText('updateInventory answers 200').waitFor()
  await detail.getByText('"type":"quantity.set"').waitFor()
  await detail.getByText('x-ratelimit-remaining', { exact: true }).waitFor()
})

test('a call of no operation tells which one was probably meant', async () => {
  const { page, apiKey, lines } = await openJournal('nearest')
  await site.call('/v1/inventroy', apiKey)
  await lines.first().click()
  await page.locator('.detail').getByRole('link', { name: 'listInventory' }).waitFor()
})

test('the journal is filtered, paused and cleared', async () => {
  const { page, apiKey, lines } = await openJournal('filter')
  await site.call('/v1/inventory', apiKey)
  await site.call('/v1/pets/404', apiKey)
  await expect.poll(() => lines.count()).toBe(2)

  await page.getByLabel('Status, such as 429 or 4xx').fill('4xx')
  await expect.poll(() => lines.count()).toBe(1)
  await page.getByLabel('Status, such as 429 or 4xx').fill('')
  await page.getByLabel('Calls of').selectOption('listInventory')
  await expect.poll(() => lines.allTextContents()).toHaveLength(1)
  await page.getByLabel('Calls of').selectOption('')

  await page.getByRole('button', { name: 'Pause' }).click()
  await site.call('/v1/inventory', apiKey)
  await site.call('/v1/inventory', apiKey)
  await page.getByText('4,997').or(page.getByText('4,996 of 5,000 left')).first().waitFor()
  expect(await lines.count()).toBe(2)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(() => lines.count()).toBe(4)

  await page.locator('.journal').getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No call has reached this world yet.').waitFor()
  expect((await site.sandbox.worldFor(apiKey)).journal.size).toBe(0)
})

test('the page keeps the newest 200 calls', async () => {
  const { apiKey, lines } = await openJournal('bound')
  for (let sent = 0; sent < 230; sent++) await site.call('/v1/pets/7', apiKey)
  await expect.poll(() => lines.count()).toBe(200)
  const { journal } = await site.sandbox.worldFor(apiKey)
  expect(journal.size).toBe(230)
})

test('the journal empties when someone else starts the world anew', async () => {
  const { page, apiKey, lines } = await openJournal('anew')
  await site.call('/v1/inventory', apiKey)
  await lines.first().waitFor()
  await site.call('/sandbox/reset', apiKey, { method: 'POST' })
  await page.getByText('No call has reached this world yet.').waitFor({ timeout: 10_000 })
})
