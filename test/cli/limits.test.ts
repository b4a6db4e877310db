import { afterEach, expect, test, vi } from 'vitest'
import { readEvents, type Served, serve, until } from './support.js'

test('serve reads the limits from the command line and from the environment', async () => {
  const { send } = await serve(['--max-client-worlds', '1'], {
    PETSTORE_SANDBOX_MAX_CLIENT_CONTROL_REQUESTS: '2',
  })
  const get = async (path: string, key: string) => (await send(`GET ${path}`, { key })).status
  expect(await get('/v1/inventory', 'sbx_free_default_a')).toBe(200)
  expect(await get('/v1/inventory', 'sbx_free_default_b')).toBe(503)
  expect(await get('/sandbox', 'sbx_free')).toBe(200)
  expect(await get('/sandbox', 'sbx_free')).toBe(200)
  expect(await get('/sandbox', 'sbx_free')).toBe(503)
})

afterEach(() => {
  vi.useRealTimers()
})

test('serve logs evictions, at once and then at most every ten seconds', async () => {
  const served = await serve(['--max-worlds', '3'])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (let index = 0; index < 6; index++) {
    await served.send('GET /v1/inventory', { key: `sbx_free_default_w${index}` })
  }
  expect(readLines(served)).toEqual([expect.stringMatching(/^evicted 1 world, least recently/)])
  vi.advanceTimersByTime(10_000)
  expect(readLines(served).slice(1)).toEqual([expect.stringMatching(/^evicted 3 worlds, /)])
})

test('serve logs why a request is rejected with 503 sandbox_capacity', async () => {
  const served = await serve(['--max-world-memory', '1MiB'])
  const json = { petId: 777, name: 'x'.repeat(1_048_000) }
  const response = await served.send('POST /sandbox/pets', { key: 'sbx_free_default_big', json })
  expect(response).toMatchObject({ status: 503, code: 'sandbox_capacity' })
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  await until(() => readLines(served).length > 0)
  expect(readLines(served)).toEqual([
    expect.stringContaining(
      'rejected 1 request with 503 sandbox_capacity: the sandbox is at its limit of 1048576 bytes of one world; this is not a limit of the service; the worlds use 0.0 MiB of',
    ),
  ])
})

/** Returns the lines of the events `notice` and `error`. */
function readLines(served: Served): unknown[] {
  const events = readEvents(served).filter(({ event }) => /notice|error/.test(`${event}`))
  return events.map(({ line }) => line)
}
