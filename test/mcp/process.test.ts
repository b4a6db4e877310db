import type { ChildProcess } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../cli/support.js'
import { bin, startProgram } from '../support/program.js'
import { serve } from '../support/server.js'
import { opening, toLine } from './support.js'

/** Starts the program, and sends lines to its stdin. */
function startMcp(...args: readonly string[]) {
  const { child, written, ended } = startProgram([process.execPath, bin, 'mcp', ...args], {
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const write = (text: string) => child.stdin?.write(text)
  write(opening)
  return { child, written, write, send: (message: object) => write(toLine(message)), ended }
}

const call = { id: 2, method: 'tools/call', params: { name: 'new_world', arguments: {} } }

test('stdout carries only the protocol, and lines that are not part of it end nothing', async () => {
  const { written, write, send } = startMcp()
  write('this is not JSON\n{"also": "no message"}\n\n')
  send(call)
  await until(() => written.stdout.includes('sbx_free_default_'))
  const lines = written.stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(lines.map(() => '2.0'))
  expect(written.stderr).toMatch(/^petstore-sandbox: serves on http:\/\/127\.0\.0\.1:\d+$/m)
})

test.each([
  ['the end of stdin', (child: ChildProcess) => child.stdin?.end()],
  ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
  ['SIGINT', (child: ChildProcess) => child.kill('SIGINT')],
])('%s stops the sandbox and exits with 0', async (_name, stop) => {
  const { child, written, send, ended } = startMcp()
  send(call)
  await until(() => written.stdout.includes('sbx_free_default_'))
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(written.stderr) ?? []
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  stop(child)
  expect(await ended).toEqual([0, null])
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
})

test('the end of stdin ends the program also while a request has no response', async () => {
  let received = 0
  const url = await serve(() => {
    received += 1
  })
  const { child, send, ended } = startMcp('--url', url)
  send(call)
  await until(() => received === 1)
  const startMs = performance.now()
  child.stdin?.end()
  expect(await ended).toEqual([0, null])
  // The timeout of a request.
  expect(performance.now() - startMs).toBeLessThan(30_000)
})

test('a line beyond 12 MiB is an error and ends the program', async () => {
  const { child, written, write, ended } = startMcp()
  child.stdin?.on('error', () => {}) // the rest of the line is not read
  write('x'.repeat(13 * 2 ** 20))
  expect(await ended).toEqual([0, null])
  expect(written.stderr).toContain('exceeded maximum size')
})

test('a verification that the client cancels leaves no stack on stderr', async () => {
  let received = 0
  const url = await serve(() => {
    received += 1
  })
  const { written, send } = startMcp('--verify-url', `${url}/v1`, '--verify-key', 'sbx_free')
  send({ id: 2, method: 'tools/call', params: { name: 'verify', arguments: {} } })
  await until(() => received === 1)
  send({ method: 'notifications/cancelled', params: { requestId: 2 } })
  send({ id: 3, method: 'tools/call', params: { name: 'verify', arguments: { url } } })
  await until(() => written.stdout.includes('not a known field'))
  expect(written.stderr).toBe('')
})

test('a client that has closed stdout ends the program without an error', async () => {
  const { child, written, send, ended } = startMcp()
  await until(() => written.stdout !== '')
  child.stdout?.destroy()
  send(call)
  expect(await ended).toEqual([0, null])
})
