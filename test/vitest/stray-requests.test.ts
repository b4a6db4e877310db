import { describe, expect } from 'vitest'
import { type TestSandbox, test } from '../../src/vitest.js'
import { messageOf } from './requests.js'

const listed = 'PATCH /inventory/1 → 200 was sent with sbx_free…, not sandbox.apiKey'

/** Sends a request with the key of a world that all tests share. */
function sendShared(sandbox: TestSandbox, headers = { Authorization: 'Bearer sbx_free' }) {
  const body = '{"quantity":5}'
  const init = {
    method: 'PATCH',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  }
  return fetch(`${sandbox.baseUrl}/inventory/1`, init)
}

describe('a request that does not use the key of its test', () => {
  test('fails each assertion that it may concern, and is listed', async ({ sandbox }) => {
    await sendShared(sandbox)
    const { requests } = sandbox.world
    for (const run of [
      () => expect(sandbox).not.toHaveReceived('updateInventory'),
      () => expect(sandbox.stagingWorld).not.toHaveReceived('updateInventory'),
      () => expect(sandbox).not.toHaveReceived({ body: { quantity: 5 } }),
      () => expect(sandbox).toHaveReceived('updateInventory', { times: 0 }),
      () => expect(sandbox).toHaveReceived('updateInventory', { atMost: 0 }),
      () => expect(sandbox).toHaveReceived('updateInventory'),
      () => expect(sandbox).not.toHaveReceivedInOrder(['updateInventory']),
      () => requests.count('updateInventory'),
    ]) {
      expect(messageOf(run)).toContain(listed)
    }
  })

  test('does not fail an assertion that it cannot concern', async ({ sandbox }) => {
    await sendShared(sandbox)
    await sandbox.fetch('/inventory')
    expect(sandbox).not.toHaveReceived('updateInventory', { status: 400 })
    expect(sandbox).not.toHaveReceived('listOrders')
    expect(sandbox).toHaveReceived('listInventory', { times: 1 })
    expect(sandbox).toHaveReceivedNothingUnmatched()
    expect(sandbox.world.requests.find('updateInventory')).toEqual([])
  })

  test('is also one without a valid key', async ({ sandbox }) => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      await fetch(`${sandbox.baseUrl}/inventory`, { headers })
    }
    const message = messageOf(() => expect(sandbox).not.toHaveReceived('listInventory'))
    expect(message).toContain('GET /inventory → 401 was sent with no key')
    expect(message).toContain('GET /inventory → 401 was sent with wr…')
  })

  test('does not end a wait for a request', async ({ sandbox }) => {
    await sendShared(sandbox)
    const waited = sandbox.world.requests.waitFor('updateInventory')
    await sendShared(sandbox, sandbox.headers)
    expect(await waited).toMatchObject({ apiKey: expect.stringContaining('sbx_free_def') })
  })

  test('is not one of the test before', async ({ sandbox }) => {
    expect(sandbox).not.toHaveReceived('updateInventory')
  })
})

describe('tests that run at the same time', () => {
  /** Resolves when both tests have sent their requests. */
  let meet = () => {}
  const bothHaveSent = new Promise<void>((resolve) => {
    let count = 0
    meet = () => {
      count += 1
      if (count === 2) resolve()
    }
  })

  test.concurrent('one that sends a request without its key fails', async ({ sandbox }) => {
    await sendShared(sandbox)
    meet()
    await bothHaveSent
    expect(messageOf(() => expect(sandbox).not.toHaveReceived('updateInventory'))).toContain(listed)
  })

  test.concurrent('another one is not disturbed', async ({ sandbox }) => {
    await sandbox.fetch('/inventory')
    meet()
    await bothHaveSent
    expect(sandbox).not.toHaveReceived('updateInventory')
    expect(sandbox).toHaveReceived('listInventory', { times: 1 })
  })
})

test('an assertion on the shared world itself counts its requests', async ({
  sandbox,
  sharedSandbox,
}) => {
  await sharedSandbox.use('default')
  await sendShared(sandbox)
  expect(sharedSandbox).toHaveReceived('updateInventory', { times: 1 })
  expect(sharedSandbox).not.toHaveReceived('listOrders')
})
