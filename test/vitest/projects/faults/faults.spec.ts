import { test } from 'petstore-sandbox/vitest'
import { describe, expect } from 'vitest'

test('a fault on another operation', async ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'status', status: 503, operation: 'getPet' }])
  await sandbox.fetch('/inventory')
})

test('a fault that is replaced', async ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'reset', atMost: 2 }])
  sandbox.world.faults.clear()
})

test('a fault that is used', async ({ sandbox }) => {
  sandbox.world.faults.set([{ type: 'status', status: 503, atMost: 1 }])
  expect((await sandbox.fetch('/inventory')).status).toBe(503)
})

test('a sequence that only let requests pass', async ({ sandbox }) => {
  sandbox.world.faults.set([{ sequence: ['pass', { status: 503 }] }])
  expect((await sandbox.fetch('/inventory')).status).toBe(200)
})

test('a sequence that is used', async ({ sandbox }) => {
  sandbox.world.faults.set([{ sequence: ['pass', { status: 503 }, { status: 500 }] }])
  await sandbox.fetch('/inventory')
  expect((await sandbox.fetch('/inventory')).status).toBe(503)
})

describe('a scenario with a rate', () => {
  test.override({ scenario: 'flaky' })
  test('that draws no fault', ({ sandbox }) => {
    expect(sandbox.world.faults.size).toBeGreaterThan(0)
  })
})

describe('strict', () => {
  test.override({ strictFaults: true })
  test('an unused fault of the staging world', ({ sandbox }) => {
    sandbox.stagingWorld.faults.set([{ type: 'status', status: 500 }])
  })
  test('an unused fault of a failing test', ({ sandbox }) => {
    sandbox.world.faults.set([{ type: 'status', status: 500 }])
    expect.fail('for another reason')
  })
})
