import type { TestSandbox } from 'petstore-sandbox/vitest'
import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'
import { page } from 'vitest/browser'
import '../src/stock-list.js'

/** Shows the list with the key of a test, and therefore with the world of the test. */
function render(sandbox: TestSandbox): void {
  document.body.innerHTML = `<stock-list api-key="${sandbox.apiKey}"></stock-list>`
}

test('shows the stock', async ({ sandbox }) => {
  render(sandbox)

  await expect.element(page.getByText('Pet 1: 4')).toBeVisible()
  expect(sandbox).toHaveReceived('listInventory', { status: 200, times: 1 })
})

test('shows that the service is not available, and recovers', async ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 1 }])
  render(sandbox)
  await expect.element(page.getByRole('alert')).toHaveTextContent('The stock is not available.')

  await page.getByRole('button', { name: 'Try again' }).click()

  await expect.element(page.getByText('Pet 1: 4')).toBeVisible()
})

describe('with an exceeded rate limit', () => {
  test.override({ scenario: 'rate-limited' })

  test('shows how long to wait, and recovers after the reset', async ({ sandbox }) => {
    render(sandbox)
    await expect.element(page.getByRole('alert')).toHaveTextContent('Please wait for 60 seconds.')

    sandbox.world.clock.advance('PT60S')
    await page.getByRole('button', { name: 'Try again' }).click()

    await expect.element(page.getByText('Pet 1: 4')).toBeVisible()
    expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 1 })
  })
})
