import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'
import { createClient } from './client.mjs'

test('waits as long as Retry-After says', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'status', status: 429, retryAfterSeconds: 1, atMost: 1 })

  const send = createClient({ apiKey: sandbox.apiKey })
  await send('GET', `${sandbox.baseUrl}/inventory`)

  expect(sandbox).toHaveReceived('listInventory', { times: 2 })
  const { conduct } = await sandbox.world.report()
  expect(conduct.filter(({ outcome }) => outcome === 'broken')).toEqual([])
})

test('does not repeat a message whose response is lost', async ({ sandbox }) => {
  sandbox.world.faults.add({ type: 'reset', phase: 'after', operation: 'sendMessage' })

  const send = createClient({ apiKey: sandbox.apiKey })
  const message = { message: 'restocked 1' }
  await expect(send('POST', `${sandbox.quickstartBaseUrl}/messages`, message)).rejects.toThrow()

  expect(sandbox.world.db.messages.list()).toHaveLength(1)
})
