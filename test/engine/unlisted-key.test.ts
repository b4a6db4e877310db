import { expect, test } from 'vitest'
import { createSandbox, type InProcessSandbox } from '../../src/index.js'
import { addresses } from '../../src/service/addresses.js'
import { MemoryStore } from '../support/memory-store.js'

const apiKey = 'listed-key-1'
const scenario = {
  name: 'mine',
  extends: 'default',
  apiKeys: [{ key: apiKey, plan: 'free' }],
} as const

const toHeaders = (key: string) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
})

/** Starts the world from a scenario that lists no key. */
async function unlist(sandbox: InProcessSandbox): Promise<void> {
  const request = { method: 'PUT', headers: toHeaders('sbx_free'), body: '"empty-store"' }
  expect((await sandbox.fetch(`${addresses.control.url}/scenario`, request)).status).toBe(200)
}

/** Checks that a request was rejected, and ended. */
async function expectRejected(sandbox: InProcessSandbox, response: Response): Promise<void> {
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    code: 'invalid_api_key',
    message: 'the API key listed… is not listed any more',
  })
  expect(response.headers.get('X-RateLimit-Remaining')).toBe('60')
  expect(sandbox.world.requests.pending()).toEqual([])
  expect(sandbox.world.requestsInProgress).toBe(0)
}

test('a key that is unlisted while a body is received is rejected', async () => {
  const sandbox = await createSandbox({ scenario })
  let complete = () => {}
  const body = new ReadableStream({
    start(controller) {
      complete = () => {
        controller.enqueue(new TextEncoder().encode('{"quantity":1}'))
        controller.close()
      }
    },
  })
  const request = { method: 'PATCH', headers: toHeaders(apiKey), body, duplex: 'half' as const }
  const sent = sandbox.fetch(`${addresses.api.url}/inventory/1`, request)
  await expect.poll(() => sandbox.world.requests.pending()).toHaveLength(1)
  await unlist(sandbox)
  complete()
  await expectRejected(sandbox, await sent)
})

test('a key that another replica has unlisted is rejected', async () => {
  const store = new MemoryStore(false)
  const open = () => createSandbox({ scenario, store })
  const [one, two, other] = [await open(), await open(), await open()]
  await unlist(other)
  const request = { headers: toHeaders(apiKey) }
  await expectRejected(one, await one.fetch(`${addresses.api.url}/inventory`, request))
  const controlled = await two.fetch(`${addresses.control.url}/clock`, request)
  expect([controlled.status, await controlled.json()]).toEqual([
    401,
    expect.objectContaining({ message: 'the API key listed… is not listed any more' }),
  ])
})
