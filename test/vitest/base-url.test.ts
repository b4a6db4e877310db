import { expect } from 'vitest'
import { test } from '../../src/vitest.js'

test.override({
  sandboxOptions: {
    baseUrl: 'https://shop.test/api/v1/',
    stagingBaseUrl: '/staging/v1',
    quickstartBaseUrl: '*/quickstart',
    scenario: 'low-stock',
  },
})

test('the options set the addresses', async ({ sandbox }) => {
  const { baseUrl, stagingBaseUrl, quickstartBaseUrl, headers } = sandbox
  expect({ baseUrl, stagingBaseUrl, quickstartBaseUrl }).toEqual({
    baseUrl: 'https://shop.test/api/v1',
    stagingBaseUrl: 'http://localhost/staging/v1',
    quickstartBaseUrl: 'http://localhost/quickstart',
  })
  await fetch(`${baseUrl}/inventory`, { headers })
  await fetch(`${stagingBaseUrl}/inventory`, { headers })
  await sandbox.fetch(`${quickstartBaseUrl}/messages`)
  expect(sandbox).toHaveReceived('listInventory', { status: 200 })
  expect(sandbox.stagingWorld).toHaveReceived('listInventory', { status: 200 })
  expect(sandbox.world.requests.unmatched()).toMatchObject([{ path: '/messages', status: 405 }])
})

test('each test starts with the scenario of the options', ({ sandbox }) => {
  expect(sandbox.world.scenario).toBe('low-stock')
  expect(sandbox.apiKey).toMatch(/^sbx_free_low-stock_/)
})
