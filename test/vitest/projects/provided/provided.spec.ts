import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('has the address that the config provides', async ({ sandbox }) => {
  expect(sandbox.baseUrl).toBe('https://provided.test/v1')
  const response = await fetch('https://provided.test/v1/inventory', { headers: sandbox.headers })
  expect(response.status).toBe(200)
})
