import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDirectory, openRequest, until, untilRefused } from './support.js'

const bin = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url))
const runFile = promisify(execFile)

beforeAll(async () => {
  // Fails if the package is not built. `npm test` builds it.
  await access(bin)
})

test('the curl command that serve prints works in a shell', async () => {
  const { read } = start(['--port', '0'])
  await until(() => read().includes('Ctrl+C'))
  const [line = ''] = /curl .*/.exec(read()) ?? []
  expect(line).toContain('sbx_free')
  const { stdout } = await runFile('sh', ['-c', `${line.replace('curl', 'curl --silent')}`])
  expect(JSON.parse(stdout)).toContainEqual({ petId: 1, quantity: 4, status: 'available' })
})

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 0],
] as const)('%s finishes a request in flight and exits with %i', async (signal, code) => {
  const { child, read, ended } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  const inFlight = await openRequest(urls.api)
  child.kill(signal)
  await untilRefused(urls.api)
  inFlight.finish()
  expect(await inFlight.status).toBe(200)
  expect(await ended).toEqual([code, null])
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s exits with %i immediately', async (signal, code) => {
  const { child, read, ended } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  const inFlight = await openRequest(urls.api)
  child.kill(signal)
  await untilRefused(urls.api)
  child.kill(signal)
  expect(await ended).toEqual([code, null])
  expect(await inFlight.status).toBe('reset')
})

test('serve exits with 0 after SIGTERM even if the module of --handlers has a timer', async () => {
  const text = 'setInterval(() => {}, 1000); export default []'
  const directory = await createDirectory({ 'handlers.mjs': text })
  const handlers = join(directory, 'handlers.mjs')
  const { child, read, ended } = start(['--port', '0', '--handlers', handlers])
  await until(() => read().includes('Ctrl+C'))
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('serve continues after its reader has exited', async () => {
  const { child, read } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  child.stdout?.destroy()
  const headers = { Authorization: 'Bearer sbx_free' }
  for (let count = 0; count < 5; count++) {
    expect((await fetch(`${urls.api}/inventory`, { headers })).status).toBe(200)
  }
  expect(child.exitCode).toBeNull()
})

test('a short command succeeds after its reader has exited', async () => {
  const command = `"${process.execPath}" "${bin}" openapi 2>&1 | head -c 1`
  const { stdout, stderr } = await runFile('sh', ['-c', command])
  expect({ stdout, stderr }).toEqual({ stdout: '{', stderr: '' })
})

test('a failure exits with 1 and one line', async () => {
  const failure = await runFile(process.execPath, [bin, 'serve', '--port', 'x']).catch((e) => e)
  expect(failure).toMatchObject({ code: 1, stdout: '' })
  expect(failure.stderr).toMatch(/^petstore-sandbox: --port must be [^\n]+\n$/)
})

test('key works in a shell', async () => {
  const command = `key="$("${process.execPath}" "${bin}" key)"; printf '[%s]' "$key"`
  const { stdout } = await runFile('sh', ['-c', command])
  expect(stdout).toMatch(/^\[sbx_free_default_[0-9a-f]{40}\]$/)
})

test('key loads none of express, msw, @mswjs, zod and faker', async () => {
  const { stdout } = await runFile(process.execPath, ['--input-type=module', '-e', listModules], {
    env: { ...process.env, BIN: bin },
  })
  const loaded: string[] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  expect(loaded.some((url) => url.includes('/commander/'))).toBe(true)
  const heavy = /\/node_modules\/(express|@mswjs|msw|zod|@faker-js)\//
  expect(loaded.filter((url) => heavy.test(url))).toEqual([])
})

/** Runs `key` with a loader that keeps the URL of every module, and prints them. */
const listModules = `
  import { register } from 'node:module'
  import { MessageChannel } from 'node:worker_threads'
  const { port1, port2 } = new MessageChannel()
  const urls = []
  port1.on('message', (url) => urls.push(url)).unref()
  const loader = \`
    let port
    export const initialize = (data) => { port = data.port }
    export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }
  \`
  register('data:text/javascript,' + encodeURIComponent(loader), {
    data: { port: port2 }, transferList: [port2],
  })
  process.argv = [process.argv[0], process.env.BIN, 'key']
  await import(process.env.BIN)
  await new Promise((resolve) => setImmediate(resolve))
  process.stdout.write(JSON.stringify(urls))
`

interface Started {
  readonly child: ChildProcess
  /** Returns what it has written to stdout. */
  readonly read: () => string
  /** Exit code and signal. */
  readonly ended: Promise<unknown[]>
}

/** Starts the built program and kills it when the test ends. */
function start(args: readonly string[]): Started {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, read: () => written, ended }
}

async function readStart(read: () => string): Promise<{ urls: { api: string } }> {
  await until(() => read().includes('\n'))
  return JSON.parse(read().split('\n', 1)[0] ?? '')
}
