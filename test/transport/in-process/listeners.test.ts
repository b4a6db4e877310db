import { expect, test } from 'vitest'
import { createSandbox, type JournalEntry } from '../../../src/index.js'
import { watchErrors } from '../http/support/open-server.js'

const url = 'https://api.petstore.example/v1/inventory'
const headers = { Authorization: 'Bearer sbx_free' }

/** A matcher of a test runner that fails. */
const failingMatcher = {
  asymmetricMatch(): boolean {
    throw new Error('thrown by a matcher')
  },
}

test('a listener that throws is reported and affects neither the request nor other listeners', async () => {
  const log = watchErrors()
  const sandbox = await createSandbox()
  const received: JournalEntry[] = []
  const cause = new Error('thrown by a listener')
  sandbox.subscribe(() => {
    throw cause
  })
  sandbox.subscribe((entry) => received.push(entry))
  const response = await sandbox.fetch(url, { headers })
  expect(response.status).toBe(200)
  expect(await response.json()).toHaveLength(12)
  expect(received).toMatchObject([{ id: 1, status: 200 }])
  expect(sandbox.world.requests.find()).toEqual(received)
  expect(log).toHaveBeenCalledOnce()
  expect(log.mock.lastCall?.[1]).toMatchObject({ cause })
})

test('a listener of the journal that throws is reported and does not affect the request', async () => {
  const log = watchErrors()
  const sandbox = await createSandbox()
  sandbox.world.journal.subscribe(() => {
    throw new Error('thrown by a listener')
  })
  expect((await sandbox.fetch(url, { headers })).status).toBe(200)
  expect(sandbox.world.requests.count()).toBe(1)
  expect(log).toHaveBeenCalledOnce()
})

test('waitFor rejects with the error of a matcher, and the request is not affected', async () => {
  const log = watchErrors()
  const sandbox = await createSandbox()
  const waiting = sandbox.world.requests.waitFor({ headers: { 'x-trace': failingMatcher } })
  const rejection = expect(waiting).rejects.toThrow('thrown by a matcher')
  const other = sandbox.world.requests.waitFor('listInventory')
  expect((await sandbox.fetch(url, { headers })).status).toBe(200)
  await rejection
  expect(await other).toMatchObject({ id: 1, status: 200 })
  expect(log).not.toHaveBeenCalled()
})
