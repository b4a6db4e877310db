import { focusManager, QueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import userEvent from '@testing-library/user-event'
import { cleanup, render, screen } from '@testing-library/vue'
import { type TestSandbox, test } from 'petstore-sandbox/vitest'
import { afterEach, describe, expect, vi } from 'vitest'
import InventoryList from '../src/inventory-list.vue'
import { createQueryClient } from '../src/query-client.js'
import { PetStore } from '../src/service.js'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

// #region render
/** Shows the inventory of the world of a test. */
function renderInventory(
  { apiKey, baseUrl }: TestSandbox,
  queryClient = createQueryClient(),
): void {
  render(InventoryList, {
    props: { store: new PetStore(apiKey, baseUrl) },
    global: { plugins: [[VueQueryPlugin, { queryClient }]] },
  })
}

test('shows the stock', async ({ sandbox }) => {
  renderInventory(sandbox)

  await screen.findByText(/Pet 1: 4/)
  expect(screen.getAllByRole('listitem')).toHaveLength(12)
})
// #endregion

test('shows a sale before the service has responded', async ({ sandbox }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderInventory(sandbox)
  const sell = await screen.findByRole('button', { name: 'Sell pet 1' })
  sandbox.world.faults.set([{ operation: 'updateInventory', type: 'delay', delayMs: 30_000 }])

  await userEvent.click(sell)

  await screen.findByText(/Pet 1: 3/)
  const { requests } = sandbox.world
  await vi.waitFor(() => expect(requests.pending()).toHaveLength(1), 10_000)
  await vi.advanceTimersByTimeAsync(30_000)
  await requests.waitFor('updateInventory', { timeoutMs: 10_000 })
  expect(sandbox).toHaveReceived('updateInventory', { body: { quantity: 3 }, times: 1 })
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

test('shows the old stock again when a sale fails', async ({ sandbox }) => {
  renderInventory(sandbox)
  const sell = await screen.findByRole('button', { name: 'Sell pet 1' })
  sandbox.world.faults.set([{ operation: 'updateInventory', type: 'status', status: 503 }])

  await userEvent.click(sell)

  await screen.findByRole('alert')
  await screen.findByText(/Pet 1: 4/)
})

test('retries a request that fails in the service', async ({ sandbox }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  sandbox.world.faults.set([{ type: 'status', status: 500, atMost: 1 }])
  renderInventory(sandbox)
  await sandbox.world.requests.waitFor({ status: 500 }, { timeoutMs: 10_000 })

  await vi.advanceTimersByTimeAsync(2_000)

  await screen.findByText(/Pet 1: 4/)
  expect(sandbox).toHaveReceived('listInventory', { times: 2 })
})

test('does not repeat a request with an invalid key', async ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'status', status: 401 }])
  renderInventory(sandbox)

  await screen.findByRole('button', { name: 'Try again' })
  expect(sandbox).toHaveReceived('listInventory', { times: 1 })
})

describe('with an exceeded rate limit', () => {
  test.override({ scenario: 'rate-limited' })

  test('counts down, sends no request until then, and recovers', async ({ sandbox }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderInventory(sandbox)
    const timer = await screen.findByRole('timer')
    expect(timer.textContent).toMatch(/Next request in (60|5\d) s/)

    await vi.advanceTimersByTimeAsync(30_000)
    focusManager.setFocused(false)
    focusManager.setFocused(true)
    expect(timer.textContent).toMatch(/Next request in (30|2\d) s/)
    expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 1 })

    await vi.advanceTimersByTimeAsync(30_000)
    await screen.findByText(/Pet 1: 4/)
    expect(sandbox).toHaveReceived('listInventory', { times: 2 })
  })

  test('with the defaults of TanStack Query, repeats the rejected request three times', async ({
    sandbox,
  }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderInventory(sandbox, new QueryClient())

    for (let repeated = 1; repeated <= 3; repeated += 1) {
      await sandbox.world.requests.waitFor('listInventory', {
        atLeast: repeated,
        timeoutMs: 10_000,
      })
      await vi.advanceTimersByTimeAsync(4_000)
    }

    await screen.findByRole('button', { name: 'Try again' })
    expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 4 })
  })
})
