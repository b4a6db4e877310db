import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test.override({ onUnhandledRequest: 'error' })

test('a correct path on a wrong host', async ({ sandbox }) => {
  expect(sandbox.baseUrl).toBeDefined()
  const url = 'https://api.petstore.test/v1/inventory?page=2'
  await expect(fetch(url)).rejects.toThrow('Failed to fetch')
  await expect(fetch('https://provided.test/inventory')).rejects.toThrow('Failed to fetch')
  expect.fail('to see the report')
})
