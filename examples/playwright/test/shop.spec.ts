import { join } from 'node:path'
import { expect, test } from 'petstore-sandbox/playwright'

const baseUrl = 'https://api.my-shop.test/v1'
test.use({ sandboxOptions: { baseUrl, scenario: 'low-stock' } })

// This page comes from a folder. Yours comes from your own server: page.goto('http://localhost:5173').
test.beforeEach(async ({ page }) => {
  await page.route('https://my-shop.test/**', (route) => {
    const { pathname } = new URL(route.request().url())
    return route.fulfill({ path: join(import.meta.dirname, '../shop', toFile(pathname)) })
  })
  await page.clock.install()
  await page.goto('https://my-shop.test/')
})

test('the page shows the stock', async ({ page, sandbox }) => {
  await page.getByRole('button').click()

  const [first] = [...sandbox.world.db.pets.list()]
  await expect(page.getByRole('status')).toContainText(`Pet ${first?.petId}: ${first?.quantity}`)
  expect(sandbox).toHaveReceived('listInventory', { status: 200, times: 1 })
})

test('the page waits when the rate limit is exceeded, and recovers after the reset', async ({
  page,
  sandbox,
}) => {
  await sandbox.use('rate-limited')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Please wait for 60 seconds.')
  await expect(page.getByRole('button')).toBeDisabled()

  // Moves the timers of the page and the clock of the world.
  await page.clock.fastForward('01:00')
  await page.getByRole('button').click()

  await expect(page.getByRole('status')).toContainText('Pet 1: 4')
  expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 1 })
})

function toFile(pathname: string): string {
  return pathname === '/' ? 'index.html' : pathname.slice(1)
}
