import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

test.override({ plan: 'pro' })

describe('after an override inside of describe', () => {
  test.override({ plan: 'business' })

  test('has the plan of the describe', ({ sandbox }) => {
    expect(sandbox.apiKey).toMatch(/^sbx_business_/)
  })
})

test('has its own plan and the default scenario', async ({ sandbox }) => {
  expect(sandbox.world.db.pets.find('1')?.quantity).toBe(4)
  expect(sandbox.apiKey).toMatch(/^sbx_pro_/)
  expect(sandbox.baseUrl).toBe('https://provided.test/v1')
})
