import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDirectory, until } from './support.js'

const bin = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url))
const runFile = promisify(execFile)

beforeAll(async () => {
  // npm test builds first; without that, these tests would say something about an older program.
  await access(bin)
})

test('the curl line that serve prints works when it is pasted', async () => {
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
] as const)('%s lets a call in flight finish and exits %i', async (signal, code) => {
  const { child, read, ended } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  const headers = { Authorization: 'Bearer sbx_free', Prefer: 'wait=0.3' }
  const slow = fetch(`${urls.api}/inventory`, { headers })
  await untilCharged(urls.api)
  child.kill(signal)
  const response = await slow
  expect(response.status).toBe(200)
  expect(await response.json()).toHaveLength(12)
  expect(await ended).toEqual([code, null])
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s exits %i at once', async (signal, code) => {
  const { child, read, ended } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  const headers = { Authorization: 'Bearer sbx_free', Prefer: 'wait=30' }
  const slow = fetch(`${urls.api}/inventory`, { headers }).catch(() => 'cut off')
  await untilCharged(urls.api)
  child.kill(signal)
  await until(async () => {
    child.kill(signal)
    return child.exitCode !== null
  })
  expect(await slow).toBe('cut off')
  expect(await ended).toEqual([code, null])
})

test('SIGTERM ends serve with 0 though the module of --handlers keeps a timer', async () => {
  const text = 'setInterval(() => {}, 1000); export default []'
  const directory = await createDirectory({ 'handlers.mjs': text })
  const handlers = join(directory, 'handlers.mjs')
  const { child, read, ended } = start(['--port', '0', '--handlers', handlers])
  await until(() => read().includes('Ctrl+C'))
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a reader that leaves early does not stop serve', async () => {
  const { child, read } = start(['--port', '0', '--log', 'json'])
  const { urls } = await readStart(read)
  child.stdout?.destroy()
  const headers = { Authorization: 'Bearer sbx_free' }
  for (let call = 0; call < 5; call++) {
    expect((await fetch(`${urls.api}/inventory`, { headers })).status).toBe(200)
  }
  expect(child.exitCode).toBeNull()
})

test('a reader that leaves early does not make a short command fail', async () => {
  const command = `"${process.execPath}" "${bin}" openapi 2>&1 | head -c 1`
  const { stdout, stderr } = await runFile('sh', ['-c', command])
  expect({ stdout, stderr }).toEqual({ stdout: '{', stderr: '' })
})

test('a failure exits 1 with one line', async () => {
  const failure = await runFile(process.execPath, [bin, 'serve', '--port', 'x']).catch((e) => e)
  expect(failure).toMatchObject({ code: 1, stdout: '' })
  expect(failure.stderr).toMatch(/^petstore-sandbox: --port must be [^\n]+\n$/)
})

test('key can be used in a shell', async () => {
  const command = `key="$("${process.execPath}" "${bin}" key)"; printf '[%s]' "$key"`
  const { stdout } = await runFile('sh', ['-c', command])
  expect(stdout).toMatch(/^\[sbx_free_default_[0-9a-f]{40}\]$/)
})

test('key loads neither express nor a library of data or of validation', async () => {
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
  /** What it wrote to stdout so far. */
  readonly read: () => string
  /** Exit code and signal. */
  readonly ended: Promise<unknown[]>
}

/** Starts the built program; it ends with the test. */
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

/** Waits until a call of sbx_free is on its way: the key has less left than this asking costs. */
async function untilCharged(api: string): Promise<void> {
  let asked = 0
  await until(async () => {
    asked += 1
    const response = await fetch(`${api}/inventory`, {
      headers: { Authorization: 'Bearer sbx_free' },
    })
    return Number(response.headers.get('X-RateLimit-Remaining')) < 60 - asked
  })
}
