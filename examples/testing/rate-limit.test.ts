import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

/** The client under test: waits for `Retry-After` after a 429, and twice as long after each retry. */
async function fetchWithBackOff(
  url: string,
  init: RequestInit,
  wait: (seconds: number) => Promise<void>,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(url, init)
    if (response.status !== 429 || attempt === 3) return response
    await wait(Number(response.headers.get('Retry-After')) * 2 ** attempt)
  }
}

// Every key has one request left in its minute window.
test.override({ scenario: 'nearly-limited' })

test('waits for the next window when the limit is used up', async ({ sandbox }) => {
  const url = `${sandbox.baseUrl}/inventory`
  const waits: number[] = []
  // The test does not sleep: the clock of its world is frozen, and waiting moves it.
  sandbox.world.clock.freeze()
  const wait = async (seconds: number) => {
    waits.push(seconds)
    sandbox.world.clock.advance(seconds * 1000)
  }

  const first = await fetchWithBackOff(url, { headers: sandbox.headers }, wait)
  const second = await fetchWithBackOff(url, { headers: sandbox.headers }, wait)

  expect([first.status, second.status]).toEqual([200, 200])
  expect(waits).toEqual([60])
  expect(sandbox).toHaveReceived('listInventory', { status: 200, times: 2 })
  expect(sandbox).toHaveReceived('listInventory', { status: 429, times: 1 })
  expect(sandbox).not.toHaveReceived('listInventory', { code: 'api_key_banned' })
})

test('is banned when it does not wait', async ({ sandbox }) => {
  const doNotWait = async () => {}

  for (let page = 1; page <= 4; page += 1) {
    const url = `${sandbox.baseUrl}/inventory`
    await fetchWithBackOff(url, { headers: sandbox.headers }, doNotWait)
  }

  expect(sandbox).toHaveReceived('listInventory', { code: 'api_key_banned' })
})
