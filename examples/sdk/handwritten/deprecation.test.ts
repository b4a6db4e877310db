import { expect, vi } from 'vitest'
import type { Deprecation } from '../src/headers.js'
import { createClient, test } from './support.js'

test('a deprecated operation is reported once, with its sunset', async ({ service }) => {
  const onDeprecated = vi.fn<(deprecation: Deprecation) => void>()
  const { client } = createClient(service, { onDeprecated })

  await client.getPet(1n)
  await client.getPet(2n)

  expect(onDeprecated.mock.calls).toEqual([
    [
      {
        operation: 'getPet',
        deprecatedAt: new Date('2025-09-02T00:00:00Z'),
        sunsetAt: new Date('2026-03-04T00:00:00Z'),
      },
    ],
  ])
})

test('other operations are not reported', async ({ service }) => {
  const onDeprecated = vi.fn()
  const { client } = createClient(service, { onDeprecated })
  await client.listInventory()
  await client.updateInventory(1n, 1)
  await client.listOrders()
  expect(onDeprecated).not.toHaveBeenCalled()
})

test('a deprecated operation works without a listener', async ({ service }) => {
  expect(await createClient(service).client.getPet(1n)).toMatchObject({ name: 'Bella' })
})
