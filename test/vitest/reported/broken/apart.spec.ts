import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

test('sends a message', async ({ sandbox }) => {
  const body = JSON.stringify({ content: 'hello' })
  const headers = { 'Content-Type': 'text/plain' }
  const response = await sandbox.fetch('/messages', { method: 'POST', headers, body })
  expect(response.status).toBe(400)
})

describe('outside of the report', () => {
  test.override({ reported: false })

  test('polls', async ({ sandbox }) => {
    for (let count = 0; count < 12; count += 1) await sandbox.fetch('/store/orders')
  })
})
