import { afterEach, expect, test, vi } from 'vitest'
import { type Served, serve, until } from './support.js'

test('serve reads the limits from the command line and from the environment', async () => {
  const { started } = await serve(['--max-client-worlds', '1'], {
    PETSTORE_SANDBOX_MAX_CLIENT_CONTROL_REQUESTS: '2',
  })
  const get = (url: string | undefined, key: string) =>
    fetch(`${url}`, { headers: { Authorization: `Bearer ${key}` } }).then(({ status }) => status)
  expect(await get(`${started.urls.api}/inventory`, 'sbx_free_default_a')).toBe(200)
  expect(await get(`${started.urls.api}/inventory`, 'sbx_free_default_b')).toBe(503)
  expect(await get(started.urls.control, 'sbx_free')).toBe(200)
  expect(await get(started.urls.control, 'sbx_free')).toBe(200)
  expect(await get(started.urls.control, 'sbx_free')).toBe(503)
})

afterEach(() => {
  vi.useRealTimers()
})

test('serve logs evictions, at once and then at most every ten seconds', async () => {
  const { started, read } = await serve(['--max-worlds', '3'])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (let index = 0; index < 6; index++) await openWorld(started, `sbx_free_default_w${index}`)
  expect(toLines(read().stdout)).toEqual([
    expect.stringMatching(/^evicted 1 world, least recently/),
  ])
  vi.advanceTimersByTime(10_000)
  expect(toLines(read().stdout).slice(1)).toEqual([expect.stringMatching(/^evicted 3 worlds, /)])
})

test('serve logs why a request is rejected with 503 sandbox_capacity', async () => {
  const { started, read } = await serve(['--max-world-memory', '1MiB'])
  const pet = { petId: 777, name: 'x'.repeat(1_048_000) }
  const response = await fetch(`${started.urls.control}/pets`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sbx_free_default_big', 'Content-Type': 'application/json' },
    body: JSON.stringify(pet),
  })
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toMatchObject({ code: 'sandbox_capacity', status: 503 })
  await until(() => toLines(read().stdout).length > 0)
  expect(toLines(read().stdout)).toEqual([
    expect.stringContaining(
      'rejected 1 request with 503 sandbox_capacity: the sandbox is at its limit of 1048576 bytes of one world; this is not a limit of the service; the worlds use 0.0 MiB of',
    ),
  ])
})

async function openWorld({ urls }: Served['started'], key: string): Promise<void> {
  const response = await fetch(`${urls.api}/inventory`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  await response.arrayBuffer()
}

/** Returns the lines of the events `notice` and `error`. */
function toLines(log: string): string[] {
  const events = log
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { event: string; line: string })
  return events.filter(({ event }) => /notice|error/.test(event)).map(({ line }) => line)
}
