import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test.override({ scenario: 'low-stock' })

test('has its own scenario and the default plan', async ({ sandbox }) => {
  expect(sandbox.world.db.pets.find('1')?.quantity).toBe(1)
  expect(sandbox.apiKey).toMatch(/^sbx_free_/)
})
