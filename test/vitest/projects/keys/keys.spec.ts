import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

const shared = { Authorization: 'Bearer sbx_free' }

test('lenient: a shared key', async ({ sandbox }) => {
  await fetch(`${sandbox.baseUrl}/inventory`, { headers: shared })
})

describe('strict', () => {
  test.override({ strictKeys: true })

  test('its own keys', async ({ sandbox }) => {
    const { Authorization } = { Authorization: `Bearer ${sandbox.apiKeyFor('pro')}` }
    for (const headers of [sandbox.headers, { Authorization }]) {
      await fetch(`${sandbox.baseUrl}/inventory`, { headers })
    }
    expect(sandbox).toHaveReceived('listInventory', { times: 2 })
  })

  test('a shared key', async ({ sandbox }) => {
    await fetch(`${sandbox.baseUrl}/inventory`, { headers: shared })
  })

  test('no key', async ({ sandbox }) => {
    await fetch(`${sandbox.stagingBaseUrl}/inventory`)
  })

  test('another failure', async ({ sandbox }) => {
    await fetch(`${sandbox.baseUrl}/inventory`)
    expect.fail('for another reason')
  })
})
