import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCli } from '../../src/cli/program.js'
import type { Output } from '../../src/cli/terminal.js'
import { createTerminal, run, stop, until } from './support.js'
import { type ServedWorld, serveOther, serveWorld } from './world-support.js'

/** Follows the calls of a world that is served, until the test is over. */
async function follow(args: readonly string[] = [], stdout: Partial<Output> = {}) {
  const served = await serveWorld()
  const { terminal, read, signal, exits } = createTerminal({ PETSTORE_SANDBOX_URL: served.url })
  const countListeners = spyOnListeners(served)
  const ended = runCli(['world', 'events', ...args], {
    ...terminal,
    stdout: { ...terminal.stdout, ...stdout },
  })
  onTestFinished(async () => {
    await stop(signal, ended)
  })
  await until(() => read().stderr.includes('following'))
  const readCalls = async (count: number) => {
    await until(() => read().stdout.split('\n').length > count)
    return read().stdout
  }
  return { ...served, read, readCalls, signal, exits, ended, countListeners }
}

/** Counts those who listen to the journal of the initial world. */
function spyOnListeners({ sandbox }: ServedWorld): () => number {
  const { journal } = sandbox.world
  const subscribe = journal.subscribe.bind(journal)
  let count = 0
  vi.spyOn(journal, 'subscribe').mockImplementation((listener) => {
    const end = subscribe(listener)
    count += 1
    return () => {
      count -= 1
      end()
    }
  })
  return () => count
}

describe('events', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'follows the calls as they are answered until %s, and exits 0',
    async (name) => {
      const { read, readCalls, signal, ended, get, url, exits, countListeners } = await follow()
      expect(read()).toEqual({ stdout: '', stderr: `following the calls at ${url}; Ctrl+C ends\n` })
      await get('/v1/inventory')
      expect(await readCalls(1)).toBe(
        '#1  2026-01-15T09:00:00.250Z  200  GET /inventory  listInventory  sbx_free…\n',
      )
      await get('/v1/pets/99')
      expect(await readCalls(2)).toMatch(/\n#2 .* 404 .* pet_not_found\n$/)
      expect(countListeners()).toBe(1)
      signal(name)
      expect(await ended).toBe(0)
      expect(exits).toEqual([])
      await until(() => countListeners() === 0)
    },
  )

  test('tells with --explain why each was answered so', async () => {
    const { readCalls, get } = await follow(['--explain'])
    await get('/v1/inventory')
    expect(await readCalls(4)).toContain('\n      listInventory answers 200\n')
  })

  test('prints each call in a line of JSON with --json', async () => {
    const { readCalls, get, json } = await follow(['--json'])
    await get('/v1/inventory')
    await get('/v1/pets/7')
    const rows = (await readCalls(2)).trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row)).reverse()).toEqual(await json('requests'))
  })

  test('tells of the world of its key and environment alone', async () => {
    const { readCalls, get } = await follow(['--environment', 'staging', '--key', 'sbx_free_slow'])
    await get('/v1/inventory', 'sbx_free_slow')
    await get('/staging/v1/inventory', 'sbx_free')
    await get('/staging/v1/nowhere', 'sbx_free_slow')
    expect(await readCalls(1)).toMatch(/^#1 .* GET \/nowhere \(staging\) .*\n$/)
  })

  test('ends when nobody reads any more, as after head', async () => {
    const { ended, get } = await follow([], { writable: false })
    await get('/v1/inventory')
    expect(await ended).toBe(0)
  })

  test('fails in one line when the sandbox closes', async () => {
    const { ended, close, read, url } = await follow()
    await close()
    expect(await ended).toBe(1)
    expect(read().stderr).toMatch(
      /following .*\npetstore-sandbox: the sandbox at \S+ ended the stream of calls; follow them again once it is back\n$/,
    )
    expect(read().stderr).toContain(url)
  })
})

test.each([
  ['data: hello\n\n', 'the stream must tell of calls, found another event'],
  ['data: {"id": 1}\n\n', 'the stream must tell of calls, found another event'],
  [': a comment\n\nid: 1\n', 'ended the stream of calls'],
])('events fails in one line when what it follows sends %j', async (text, reason) => {
  const url = await serveOther((_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text)
  })
  const { code, stdout, stderr } = await run(['world', 'events', '--url', url])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^following [^\n]+\npetstore-sandbox: [^\n]+\n$/)
  expect(stderr).toContain(reason)
})

test('a call whose event comes in pieces is printed whole', async () => {
  const { get, json } = await serveWorld()
  await get('/v1/inventory')
  const [call] = (await json('requests')) as object[]
  const data = `data: ${JSON.stringify({ ...call, apiKey: 'ключ…' })}\n\n`
  const url = await serveOther(async (_, res) => {
    res.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const byte of Buffer.from(data)) {
      await new Promise((resolve) => res.write(Buffer.of(byte), resolve))
    }
    res.end()
  })
  const { stdout } = await run(['world', 'events', '--url', url])
  expect(stdout).toContain('200  GET /inventory  listInventory  ключ…\n')
})
