import { expect, test, vi } from 'vitest'
import { createSandbox, type InProcessSandbox } from '../../../src/index.js'
import { watchErrors } from '../http/support/open-server.js'

const url = 'https://api.petstore.example/v1/inventory'
const headers = { Authorization: 'Bearer sbx_free' }

/** A matcher of a test runner that fails. */
const failingMatcher = {
  asymmetricMatch(): boolean {
    throw new Error('thrown by a matcher')
  },
}

test.each<[string, (sandbox: InProcessSandbox, listener: () => void) => unknown]>([
  ['sandbox.subscribe', (sandbox, listener) => sandbox.subscribe(listener)],
  ['sandbox.onChange', (sandbox, listener) => sandbox.onChange(listener)],
  ['journal.subscribe', ({ world }, listener) => world.journal.subscribe(listener)],
])(
  'a listener of %s that throws is reported and affects neither the request nor other listeners',
  async (_, subscribe) => {
    const log = watchErrors()
    const sandbox = await createSandbox()
    const cause = new Error('thrown by a listener')
    const other = vi.fn()
    subscribe(sandbox, () => {
      throw cause
    })
    subscribe(sandbox, other)
    const response = await sandbox.fetch(url, { headers })
    expect(response.status).toBe(200)
    expect(await response.json()).toHaveLength(12)
    await expect.poll(() => other.mock.calls.length).toBe(1)
    expect(sandbox.world.requests.find()).toMatchObject([{ id: 1, status: 200 }])
    expect(log).toHaveBeenCalledOnce()
    expect(log.mock.lastCall?.[1]).toMatchObject({ cause })
  },
)

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
