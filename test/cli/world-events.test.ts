import { describe, expect, test } from 'vitest'
import { countListeners } from '../support/event-stream.js'
import { serve } from '../support/server.js'
import { run, startCommand, until } from './support.js'
import { serveWorld } from './world-support.js'

/** Runs `world events` against a new sandbox until the test ends. */
async function follow(args: readonly string[] = []) {
  const served = await serveWorld()
  const countNow = countListeners(served.sandbox.world.journal)
  const env = { PETSTORE_SANDBOX_URL: served.url }
  const { read, signal, ended } = startCommand(['world', 'events', ...args], env)
  await until(() => read().stderr.includes('following'))
  const readLines = async (count: number) => {
    await until(() => read().stdout.split('\n').length > count)
    return read().stdout
  }
  return { ...served, read, readLines, signal, ended, countNow }
}

describe('events', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints each request after its response until %s, and exits with 0',
    async (name) => {
      const { read, readLines, signal, ended, get, url, countNow } = await follow()
      expect(read()).toEqual({
        stdout: '',
        stderr: `following the requests at ${url}; press Ctrl+C to stop\n`,
      })
      await get('/v1/inventory')
      expect(await readLines(1)).toBe(
        '#1  2026-01-15T09:00:00.250Z  200  GET /inventory  listInventory  sbx_free…\n',
      )
      await get('/v1/pets/99')
      expect(await readLines(2)).toMatch(/\n#2 .* 404 .* pet_not_found\n$/)
      expect(countNow()).toBe(1)
      signal(name)
      expect(await ended).toBe(0)
      await until(() => countNow() === 0)
    },
  )

  test('prints only requests to the world of its key and environment', async () => {
    const { readLines, get } = await follow(['--environment', 'staging', '--key', 'sbx_free_slow'])
    await get('/v1/inventory', 'sbx_free_slow')
    await get('/staging/v1/inventory', 'sbx_free')
    await get('/staging/v1/nowhere', 'sbx_free_slow')
    expect(await readLines(1)).toMatch(/^#1 .* GET \/nowhere \(staging\) .*\n$/)
  })

  test('continues after restarts and evictions of the world, with a note for each', async () => {
    const key = 'sbx_free_default_followed'
    const { read, readLines, get, sandbox, url } = await follow(['--key', key])
    const untilFollowing = (notes: number) =>
      until(() => read().stderr.split('following').length === notes + 1)
    await get('/v1/inventory', key)
    await readLines(1)
    const world = await sandbox.worldFor(key)
    world.reset()
    await untilFollowing(2)
    await get('/v1/pets/7', key)
    await readLines(2)
    sandbox.reset() // discards all worlds with a label
    await untilFollowing(3)
    await get('/v1/store/orders', key)
    const lines = (await readLines(3)).trimEnd().split('\n')
    expect(lines.map((line) => line.split('  ')[4])).toEqual([
      'listInventory',
      'getPet',
      'listOrders',
    ])
    expect(read().stderr).toBe(
      `following the requests at ${url}; press Ctrl+C to stop\nthe world was restarted; following the requests of the new one\nthe world was evicted; following the requests of the new one\n`,
    )
  })

  test('fails in one line when the sandbox closes', async () => {
    const { ended, close, read, url } = await follow()
    await close()
    expect(await ended).toBe(1)
    expect(read().stderr).toMatch(
      /following .*\npetstore-sandbox: the sandbox at \S+ ended the stream of requests; run the command again when the sandbox responds\n$/,
    )
    expect(read().stderr).toContain(url)
  })
})

const streamHeaders = { 'Content-Type': 'text/event-stream', 'Sandbox-World-Generation': '1' }

test.each([
  ['data: hello\n\n', 'ended the stream of requests'],
  [': a comment\n\nid: 1\n', 'ended the stream of requests'],
])('events fails in one line if the stream sends %j', async (text, reason) => {
  const url = await serve((_, res) => {
    res.writeHead(200, streamHeaders).end(text)
  })
  const { code, stdout, stderr } = await run(['world', 'events', '--url', url])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^following [^\n]+\npetstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})

const restarted = 'event: end\ndata: {"reason":"restarted","generation":2}\n\n'

test('events fails in one line if the sandbox does not respond after a restart', async () => {
  let count = 0
  const url = await serve((_, res) => {
    count += 1
    if (count > 1) return res.destroy()
    return res.writeHead(200, streamHeaders).end(restarted)
  })
  const { code, stderr } = await run(['world', 'events', '--url', url])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^following .*\npetstore-sandbox: no sandbox responds at .*\n$/)
  expect(count).toBe(2)
})
