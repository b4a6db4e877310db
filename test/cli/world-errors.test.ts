import { describe, expect, test, vi } from 'vitest'
import { controlOperations } from '../../src/control/operations.js'
import { serve } from '../support/server.js'
import { type Outcome, run } from './support.js'
import { jsonHeaders, serveWorld } from './world-support.js'

/** Expects a command to have failed with one line on stderr, and returns the line. */
function readFailure({ code, stdout, stderr }: Outcome): string {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^petstore-sandbox: [^\n]+\n$/)
  expect(stderr).not.toMatch(/\.[jt]s:\d+|a bug in/)
  return stderr.trimEnd()
}

describe('a sandbox that does not respond', () => {
  test.each(['show', 'events'])('%s reports a port that fetch does not allow', async (command) => {
    const url = 'http://127.0.0.1:6000'
    expect(readFailure(await run(['world', command, '--url', url]))).toContain('(bad port)')
  })

  test('is reported after a timeout of 30 s', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    timeout.mockImplementation(() => AbortSignal.abort(new DOMException('late', 'TimeoutError')))
    const { world } = await serveWorld()
    expect(readFailure(await world('show'))).toContain('no response from http://127.0.0.1:')
    expect(timeout).toHaveBeenCalledWith(30_000)
    timeout.mockRestore()
  })

  test('is reported if the response is incomplete', async () => {
    const url = await serve((_, res) => {
      res.writeHead(200, { ...jsonHeaders, 'Content-Length': '100' })
      res.write('{')
      setImmediate(() => res.destroy())
    })
    const line = readFailure(await run(['world', 'clock', '--url', url]))
    expect(line).toMatch(/no sandbox responds at http:\S+ \(\w+\); /)
  })
})

test('a sandbox that restricts control is controlled with --token or its variable', async () => {
  const token = 'token-of-the-operator'
  const { url, print } = await serveWorld({ access: { control: token } })
  expect(await print('reset', '--token', token)).toContain('default')
  const env = { PETSTORE_SANDBOX_URL: url, PETSTORE_SANDBOX_TOKEN: token }
  expect((await run(['world', 'reset'], env)).code).toBe(0)
})

test.each([
  [['--url', 'ftp://127.0.0.1'], '--url must be an http or https URL without a query'],
  [['--url', 'http://127.0.0.1?a'], '--url must be an http or https URL without a query'],
  [['--key', 'sbx_free\r\nX: y'], '--key must be an API key: printable ASCII'],
  [['orders', 'remove', 'x/y'], 'id must be an int64 in canonical decimal such as 7'],
])('%j fails with the wanted value, and sends nothing', async (args, reason) => {
  const requests = vi.spyOn(globalThis, 'fetch')
  expect(readFailure(await run(['world', ...args]))).toContain(reason)
  expect(requests).not.toHaveBeenCalled()
  requests.mockRestore()
})

describe('a server that is not a sandbox', () => {
  test('makes every command fail in one line without control characters', async () => {
    const url = await serve((_, res) => res.writeHead(200, { 'Content-Type': 'a/\u009b2J' }).end())
    for (const args of [['pets'], ['clock', 'freeze'], ['snapshot'], ['events']]) {
      expect(readFailure(await run(['world', ...args, '--url', url]))).toContain(
        `the server at ${url} is not a petstore-sandbox of this version, found 200 with a/\\u{9b}2J`,
      )
    }
  })

  test.each([69, 72, 76])(
    'of a redirect that repeats the key has no part of it',
    async (length) => {
      const key = 'live-51-abcdefghijk'
      const start = 'https://other.example/'.padEnd(length, 'x')
      const url = await serve((_, res) => res.writeHead(302, { Location: start + key }).end())
      const line = readFailure(await run(['world', '--url', url, '--key', key]))
      expect(line).toContain('found a redirect to https://other.example/xxx')
      expect(line).not.toContain('live-51-abc')
    },
  )

  test('cannot print control characters with an Error body', async () => {
    const error = { code: 'a\u001b[2J', message: 'b\n\u001b[2Jc\u202e', status: 418 }
    const url = await serve((_, res) => res.writeHead(418).end(JSON.stringify(error)))
    const line = readFailure(await run(['world', '--url', url]))
    expect(line).toContain('a\\u{1b}[2J: b; \\u{1b}[2Jc\\u{202e}; see petstore-sandbox world show')
  })
})

test('an error code that is a property of every object has the help as its next step', async () => {
  const error = { code: 'constructor', message: 'odd', status: 400 }
  const url = await serve((_, res) => res.writeHead(400).end(JSON.stringify(error)))
  const line = readFailure(await run(['world', '--url', url]))
  expect(line).toBe('petstore-sandbox: constructor: odd; see petstore-sandbox world show --help')
})

test('internal_error refers to the log of the sandbox', async () => {
  const { world } = await serveWorld()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(controlOperations.getClock, 'run').mockImplementation(() => {
    throw new Error('secret')
  })
  const line = (await world('clock')).stderr
  vi.restoreAllMocks()
  expect(line).toMatch(/^petstore-sandbox: internal_error: .+; see the log of the sandbox\n$/)
  expect(line).not.toContain('secret')
})
