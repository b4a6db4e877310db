import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSandboxServer, type SandboxServer } from '../../src/server.js'
import { usePages } from './support/pages.js'
import type { Site } from './support/site.js'
import { openStorefront } from './support/storefront.js'

describe('the storefront with a sandbox in its page', () => {
  describeStorefront(
    () => openStorefront(),
    () => {},
  )
})

describe('the storefront with a sandbox over HTTP', () => {
  let server: SandboxServer
  let aheadMs = 0
  beforeAll(async () => {
    server = await createSandboxServer({ now: () => Date.now() + aheadMs })
  })
  afterEach(() => server.sandbox.reset())
  afterAll(() => server.close())

  describeStorefront(
    async () => openStorefront(await server.listen({ port: 0 })),
    (ms) => {
      aheadMs += ms
    },
  )
})

/** @param advance Advances the time of the sandbox. */
function describeStorefront(open: () => Promise<Site>, advance: (ms: number) => void): void {
  const pages = usePages(open)
  const visit = async (path = '/') => {
    const { page } = await pages.open(path)
    await page.getByRole('heading', { name: 'Inventory' }).waitFor()
    return page
  }

  test('shows every pet with its stock, and the number of remaining requests', async () => {
    const page = await visit()
    await stockOf(page, 12).waitFor()
    expect(await stockOf(page, 7).inputValue()).toBe('40')
    const row = page.getByRole('row', { name: 'No. 3' })
    expect(await row.textContent()).toContain('pending')
    expect(await readText(page, 'Requests left')).toContain('59 of 60')
  })

  test('changes the stock of a pet, which is retained on reload', async () => {
    const page = await visit()
    await save(page, 5, '31')
    await expect.poll(() => readText(page, 'Requests left')).toContain('58 of 60')
    await page.reload()
    await stockOf(page, 5).waitFor()
    expect(await stockOf(page, 5).inputValue()).toBe('31')
  })

  test('shows why the service rejects a value', async () => {
    const page = await visit()
    await save(page, 3, '-4')
    const alert = await page.getByRole('alert').textContent()
    expect(alert).toContain('400 invalid_field quantity must be an integer from 0, found -4')
  })

  test('shows that a pet does not exist', async () => {
    const page = await visit()
    await lookUp(page, '77')
    expect(await page.getByRole('alert').textContent()).toContain('404 pet_not_found')
  })

  test('shows the sunset of the look-up, and that it has passed', async () => {
    const page = await visit('/?scenario=sunset-soon')
    await lookUp(page, '7')
    const note = await page.getByRole('note').textContent()
    expect(note).toMatch(/deprecated this look-up on \d+ \w+ \d{4} and ends it on \d+ \w+ \d{4}\./)

    const late = await visit('/?scenario=sunset-passed')
    await lookUp(late, '7')
    expect(await late.getByRole('alert').textContent()).toContain('410 operation_gone')
  })

  test('sends a message and shows that it is queued', async () => {
    const page = await visit()
    await page.getByRole('textbox', { name: 'Message to the wholesaler' }).fill('40 goldfish')
    await page.getByRole('button', { name: 'Send' }).click()
    const status = await page.getByRole('status').textContent()
    expect(status).toMatch(/Your message is queued\. msg_\w{24}/)
  })

  test.each([
    ['revoked', '401 invalid_api_key'],
    ['none', '401 missing_api_key'],
  ])('shows that the service does not accept a key: %s', async (plan, found) => {
    const page = await visit()
    await page.getByLabel('API key').selectOption(plan)
    expect(await page.getByRole('alert').textContent()).toContain(found)
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })

  test('counts down after a 429 and then retries', async () => {
    const { page } = await pages.open('about:blank')
    await page.clock.install()
    await page.goto(`${pages.url()}/?scenario=rate-limited`)
    const timer = page.getByRole('timer')
    await timer.waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('429 rate_limit_exceeded')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    expect(await timer.textContent()).toMatch(/Retrying in (1 min 0|5\d) s/)

    advance(30_000)
    await page.clock.fastForward(30_000)
    expect(await timer.textContent()).toMatch(/Retrying in (30|2\d) s/)
    advance(30_000)
    await page.clock.fastForward(30_000)
    await stockOf(page, 12).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('shows the selected scenario', async () => {
    const page = await visit()
    await page.getByLabel('Scenario').selectOption('empty-store')
    await page.getByText('The shop is empty.').waitFor()
    expect(page.url()).toContain('?scenario=empty-store')
  })
}

function stockOf(page: Page, petId: number) {
  return page.getByLabel(`Stock of pet ${petId}`, { exact: true })
}

async function save(page: Page, petId: number, quantity: string): Promise<void> {
  await stockOf(page, petId).fill(quantity)
  await stockOf(page, petId).press('Enter')
}

async function lookUp(page: Page, petId: string): Promise<void> {
  await page.getByLabel('Number of the pet').fill(petId)
  await page.getByRole('button', { name: 'Look up' }).click()
}

async function readText(page: Page, region: string): Promise<string> {
  return (await page.getByRole('region', { name: region }).textContent()) ?? ''
}
